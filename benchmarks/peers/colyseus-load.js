// Players of Colyseus, who join and send with its own client. They do not keep its copy of the table, which would make
// the load cost more than the server: they count patches, of which every move brings one.

delete globalThis.WebSocket; // the client then takes `ws`, which costs less than the one of Node.js
const { Client, Protocol } = require("@colyseus/sdk");
const { asked, measure, think } = require("./measuring");

const client = new Client(`http://127.0.0.1:${asked.port}`);

async function open(table) {
  const first = await client.create("collection");
  const second = await client.joinById(first.roomId);
  const players = [first, second].map((room, seat) => sitDown(table, room, seat));
  return () => players.forEach((begin) => begin());
}

/** A player who has joined a room; what is returned lets them begin. */
function sitDown(table, room, seat) {
  let moves = 0; // that were told

  function moveIfOnTurn() {
    if (moves % 2 === seat) think(place);
  }

  function place(kind) {
    table.sent(moves + 1);
    room.send("place", kind);
  }

  room.connection.events.onmessage = ({ data }) => {
    if (new Uint8Array(data)[0] !== Protocol.ROOM_STATE_PATCH) return;
    moves += 1;
    table.told(moves);
    moveIfOnTurn();
  };
  room.onLeave((code) => {
    throw new Error(`the server hung up: ${code}`);
  });
  return moveIfOnTurn;
}

measure(open);
