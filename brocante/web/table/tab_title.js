/** The title of the tab: whose turn it is, who has won. It can be read from another tab. */

import { listed, say } from "../base/words.js";

/** @import { Now, TableInfo, View, You } from "../base/wire.js" */

/**
 * @param {string} game its title
 * @param {{ info: TableInfo, now: Now, view: View | null, you: You, isAsked: boolean }} table
 */
export function tabTitle(game, { info, now, view, you, isAsked }) {
  const names = (/** @type {number[]} */ seats) => listed(seats.map((seat) => info.seats[seat]?.name ?? ""));
  const asked = now.asked ?? [];
  const winners = view?.result?.winners ?? [];
  if (info.phase === "over" && winners.length) {
    return winners.length === 1 && winners[0] === you.seat
      ? say("title.you_won", { game })
      : say("title.won", { game, who: names(winners), n: winners.length });
  }
  if (info.phase !== "playing") return `${game} – Brocante`;
  if (isAsked) return `● ${say("title.your_turn", { game })}`;
  return asked.length === 1 ? say("title.turn", { game, who: names(asked) }) : `${game} – Brocante`;
}
