// Collection's table on Colyseus: two players, five kinds, one card placed a turn. In memory, as it comes, but for one
// thing: a move is told at once, where Colyseus would wait for the next of its twenty patches a second.

const { Room, Server } = require("@colyseus/core");
const { schema, t } = require("@colyseus/schema");
const { WebSocketTransport } = require("@colyseus/ws-transport");
const { serve } = require("./serving");

const KINDS = 5;
const Table = schema({ placed: t.array("number"), moves: t.number().default(0) }, "Table");

class Collection extends Room {
  maxClients = 2;
  patchRate = null;
  state = new Table();
  messages = { place: (client, kind) => this.place(this.clients.indexOf(client), kind) };

  onCreate() {
    this.state.placed.push(...Array(2 * KINDS).fill(0));
  }

  place(seat, kind) {
    if (seat !== this.state.moves % 2 || !Number.isInteger(kind) || kind < 0 || kind >= KINDS) return;
    this.state.placed[seat * KINDS + kind] += 1;
    this.state.moves += 1;
    this.broadcastPatch();
  }
}

const server = new Server({ transport: new WebSocketTransport(), greet: false });
server.define("collection", Collection);
server.listen(0, "127.0.0.1").then(() => serve(server.transport.server));
