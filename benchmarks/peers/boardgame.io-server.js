// Collection's table on boardgame.io: two players, five kinds, one card placed a turn. In memory, as it comes.

const { INVALID_MOVE } = require("boardgame.io/core");
const { Server } = require("boardgame.io/server");
const { serve } = require("./serving");

const collection = {
  name: "collection",
  minPlayers: 2,
  maxPlayers: 2,
  setup: () => ({ table: [Array(5).fill(0), Array(5).fill(0)] }),
  turn: { minMoves: 1, maxMoves: 1 },
  moves: {
    place({ G, playerID }, kind) {
      if (!(kind in G.table[playerID])) return INVALID_MOVE;
      G.table[playerID][kind] += 1;
    },
  },
};

Server({ games: [collection], origins: [] })
  .run({ port: { host: "127.0.0.1", port: 0 } })
  .then(({ appServer }) => serve(appServer));
