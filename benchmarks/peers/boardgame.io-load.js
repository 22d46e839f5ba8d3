// Players of boardgame.io. They speak the messages of its client over its client's socket.io, without the client's own
// copy of the game: that would double the load, to as much as the server costs, and show a move before it is told.

const { LobbyClient } = require("boardgame.io/client");
const { io } = require("socket.io-client");
const { asked, measure, think } = require("./measuring");

const url = `http://127.0.0.1:${asked.port}`;
const lobby = new LobbyClient({ server: url });

async function open(table) {
  const { matchID } = await lobby.createMatch("collection", { numPlayers: 2 });
  const players = await Promise.all(["0", "1"].map((playerID) => sitDown(table, matchID, playerID)));
  return () => players.forEach((begin) => begin());
}

/** A player who is connected and has seen the table; what is returned lets them begin. */
async function sitDown(table, matchID, playerID) {
  const seat = { playerID, playerName: `Player ${playerID}` };
  const { playerCredentials: credentials } = await lobby.joinMatch("collection", matchID, seat);
  const socket = io(`${url}/collection`, { transports: ["websocket"], forceNew: true, reconnection: false });
  socket.on("disconnect", (reason) => {
    throw new Error(`the server hung up: ${reason}`);
  });

  function moveIfOnTurn(state) {
    if (state.ctx.currentPlayer === playerID) think((kind) => place(state._stateID, kind));
  }

  function place(stateID, kind) {
    table.sent(stateID + 1);
    const payload = { type: "place", args: [kind], playerID, credentials };
    socket.emit("update", { type: "MAKE_MOVE", payload }, stateID, matchID, playerID);
  }

  socket.on("update", (_, state) => {
    table.told(state._stateID);
    moveIfOnTurn(state);
  });
  return new Promise((resolve, reject) => {
    socket.on("connect_error", reject);
    socket.on("connect", () => socket.emit("sync", matchID, playerID, credentials, 2));
    socket.on("sync", (_, { state }) => resolve(() => moveIfOnTurn(state)));
  });
}

measure(open);
