"""Whether the reconstructed figures of Vintage make a fair game: `python benchmarks/port_balance.py --games 4000`.

Greedy bots play with 2, 3 and 4 players, and some of the games are examined move by move. The page is written to
docs/port-balance.md; the findings there, written by hand, are kept.
"""

from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from itertools import islice, pairwise
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer

import brocante
from brocante.arena.simulate import played_again, simulate
from brocante.cli.progress import progress_bars
from brocante.engine.game import Game
from brocante.engine.moves import Move
from brocante.engine.state import copied, from_bytes
from brocante.games.port import rules
from brocante.games.port.board import board_of
from brocante.games.port.moves import Add, Card, Mark, Pass
from brocante.games.port.names import ACTION_IDS, CARD_IDS, CATEGORY_IDS
from brocante.games.port.rules import ACTS, CATEGORIES, KINDS, ROUNDS, SITES, Act, Kind, Stage

PAGE = Path(__file__).parent.parent / "docs" / "port-balance.md"
BEGIN, END = "<!-- findings: written by hand, kept by the script -->", "<!-- end of findings -->"
PLAYERS = (2, 3, 4)
EARLY = 2  # rounds in which a site is bought early
SPREAD = ("mean", "sd", "lowest", "a quarter below", "half below", "three quarters below", "highest")
BAR = 40  # the longest bar of a chart, in characters

#: What is noted of one player in one game.
ROW = np.dtype(
    [
        ("place", np.int8),  # in the order of round I
        ("won", np.float64),  # a shared victory counts in part
        ("score", np.int16),
        ("dealt", np.int8, KINDS),
        ("had", np.int8, KINDS),  # dealt or drawn
        ("played", np.int8, KINDS),
        ("discarded", np.int8, KINDS),
        ("marked", np.int8, ACTS),  # actions by a marker
        ("carded", np.int8, ACTS),  # and by a card
        ("passed", np.int8),  # markers given up
        ("bought", np.int8, SITES),  # 1 + the round
        ("sold", np.int8, CATEGORIES),  # how often a category was complete
        ("paid", np.int16, CATEGORIES),
        ("cards", np.int16, KINDS),  # VP by cards that sell barrels
        ("spent", np.int16),
        ("barrels", np.int8),  # VP at the end
        ("estates", np.int8),
        ("start", np.int8),  # and VP at the start
    ]
)
#: The action that a card stands for, besides `free`.
CARD_ACT = {
    "buying": Act.BUY,
    "boat": Act.BOAT,
    "age-barrel": Act.AGE,
    "age-quality": Act.AGE,
    "enologist": Act.AGE,
}


def main(
    games: Annotated[int, typer.Option(help="How many games are played with each number of players.")] = 4000,
    closely: Annotated[int, typer.Option(help="How many of them are gone through move by move.")] = 500,
    seed: Annotated[str, typer.Option(help="The same seed gives the same page.")] = "balance",
    quiet: Annotated[bool, typer.Option("--quiet", help="No progress bar.")] = False,
) -> None:
    """Play games of Vintage between greedy bots and write docs/port-balance.md."""
    rows = {players: study(players, games, closely, seed, quiet) for players in PLAYERS}
    findings = findings_of(PAGE.read_text()) if PAGE.exists() else "\nNobody has written about this yet.\n"
    PAGE.write_text(as_page(rows, min(closely, games), seed, findings))


# --- what happened ----------------------------------------------------------------------------------------------------


def study(players: int, games: int, closely: int, seed: str, quiet: bool) -> Any:
    """A row for every player of every game. What only the moves tell is filled in for the first games."""
    box, options = brocante.box("port"), {"players": players}
    rows = np.zeros((games, players), ROW)
    with progress_bars(quiet) as bars:
        progress = partial(bars.advance, f"{players} players", games + min(closely, games))
        simulation = simulate(box, options, games, seed=seed, bots=["greedy"], progress=progress)
        for number, row in enumerate(rows):
            note_deal(row, Game(box, options, f"{seed}:{number}").state)
        for row, game in zip(rows, islice(played_again(simulation), closely), strict=False):
            note_moves(row, game)
            progress(1)
    won = simulation.ranks == 1
    rows["won"] = won / won.sum(axis=1, keepdims=True)
    rows["score"] = simulation.scores
    return rows


def note_deal(row: Any, s: Any) -> None:
    for p in range(len(row)):
        row[p]["place"] = (p - s.first) % len(row)
        row[p]["dealt"] = s.hand[p]
        row[p]["start"] = s.vp[p]


def note_moves(row: Any, game: Game) -> None:
    end = game.state
    states = [*(from_bytes(rules.STATE, step.before) for step in game.steps), end]
    for step, (before, after) in zip(game.steps, pairwise(states), strict=True):
        if isinstance(step.move, Mark | Card):
            note_action(row[step.move.seat], before, step.move, after)
        elif isinstance(step.move, Pass):
            row[step.move.seat]["passed"] += before.markers[step.move.seat]
        elif before.stage in (Stage.ROLL, Stage.ADD):
            note_ageing(row[before.turn], before, step.move, after)
    for p in range(len(row)):
        row[p]["had"] = end.hand[p] + row[p]["played"] + row[p]["discarded"]
        row[p]["barrels"] = rules.vp_for_barrels(end, p)
        row[p]["estates"] = rules.vp_for_estates(end, p)


def note_action(row: Any, before: Any, move: Mark | Card, after: Any) -> None:
    seat = move.seat
    if isinstance(move, Card):
        kind = CARD_IDS.index(move.card)
        row["played"][kind] += 1
        if move.action:
            row["carded"][ACTION_IDS.index(move.action)] += 1
        elif move.card in CARD_ACT:
            row["carded"][CARD_ACT[move.card]] += 1
        row["carded"][Act.VINEYARD] += int(move.vineyard is not None)
        row["carded"][Act.BRANDY] += int(move.brandy is not None)
        if kind in (Kind.COLHEITA, Kind.VINTAGE):
            row["cards"][kind] += after.vp[seat] - before.vp[seat]
    else:
        row["marked"][ACTION_IDS.index(move.action)] += 1
    if move.discard:
        row["discarded"][CARD_IDS.index(move.discard)] += 1
    if after.estates[seat] > before.estates[seat]:
        row["bought"][after.site[seat, before.estates[seat]]] = 1 + before.round_number
        row["spent"] += before.vp[seat] - after.vp[seat]


def note_ageing(row: Any, before: Any, move: Move | None, after: Any) -> None:
    """What was complete, from the warehouse as it was before selling (P16, P24, P26)."""
    if (before.stage == Stage.ROLL and before.doing == Act.BOAT) or after.stage == Stage.ADD:
        return
    seat, stored = before.turn, copied(before)
    if move is None:
        rules.mature(stored, seat, after.die)
        if before.in_play == Kind.ENOLOGIST:
            rules.improve(stored, seat)
    elif isinstance(move, Add) and move.category != "none":
        stored.warehouse[seat, CATEGORY_IDS.index(move.category)] += 1
    sets = (stored.warehouse[seat] - after.warehouse[seat]) // before.spaces
    row["sold"] += sets
    row["paid"] += sets * before.pays


# --- the page ---------------------------------------------------------------------------------------------------------


def findings_of(page: str) -> str:
    return page.partition(BEGIN)[2].partition(END)[0]


def as_page(rows: dict[int, Any], closely: int, seed: str, findings: str) -> str:
    games, edition = len(rows[PLAYERS[0]]), brocante.box("port").edition
    told = {players: found[:closely] for players, found in rows.items()}
    return f"""\
# Vintage: do the figures make a fair game?

Some figures of the board are not in the rulebook and were reconstructed (the rules say which). Here greedy bots play
{games:,} games each with {listed(PLAYERS)} players, by edition {edition} of the rules; these numbers of players head
the columns of the tables. Who wins, the scores and the cards at the start are taken from all games, the rest from
{closely:,} of them, gone through move by move. The page is written by
`python benchmarks/port_balance.py --games {games} --closely {closely} --seed {seed}`, and only the findings by hand.

## Findings

{BEGIN}{findings}{END}

## Who wins

Share of wins by order in round I, in per cent, ± one standard error. A shared victory counts in part.

{table(["players", *(f"{n}." for n in range(1, 5)), "fair"], map(by_place, rows.values()))}

The same by seat, which should not matter at all:

{table(["players", *(f"seat {n}" for n in range(4))], map(by_seat, rows.values()))}

## Scores

{table(["players", *SPREAD, "winner"], map(scores, rows.values()))}

Where the points of a player come from, with {PLAYERS[-1]} players:

{chart(sources(told[PLAYERS[-1]]))}

## Actions

How often a player does each in a game, by marker and by card:

{table(heads("action", "marker", "card"), actions(told))}

## Cards

Of all cards that players had, what became of them, in per cent; and how many a player plays in a game.

{table(["card", "played", "discarded", "left over", *(f"{n}: a game" for n in PLAYERS)], cards(told))}

Wins of players who were dealt a card at the start, compared to a fair share (1.00), ± one standard error; and by how
much their score differs from that of players who were not.

{table(heads("card", "wins", "score"), dealt(rows))}

## Sites

In how many games a site is bought, in per cent; wins of the buyers compared to a fair share, and by how much their
score differs from that of players who did not buy it.

{table(heads("site", "games", "wins", "score"), sites(told, ROUNDS))}

The same for what is bought in the first {EARLY} rounds:

{table(heads("site", "games", "wins", "score"), sites(told, EARLY))}

## Categories

How often a player sells each in a game, and the VP it pays them; for `vintage` and `colheita` also by their cards.

{table(heads("category", "sold", "VP"), categories(told))}
"""


def heads(first: str, *columns: str) -> list[str]:
    """The same columns for every number of players."""
    return [first, *(f"{n}: {column}" for n in PLAYERS for column in columns)]


def table(head: Sequence[str], body: Iterable[Iterable[str]]) -> str:
    lines: list[Iterable[str]] = [head, ["---", *("--:" for _ in head[1:])], *body]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def chart(bars: Sequence[tuple[str, float]]) -> str:
    """Bars made of characters, with their numbers."""
    longest = max(abs(value) for _, value in bars)
    width = max(len(name) for name, _ in bars)
    lines = (f"{name:<{width}} {value:>6.1f} {'█' * round(BAR * abs(value) / longest)}" for name, value in bars)
    return "\n".join(("```text", *lines, "```"))


def listed(numbers: Sequence[int]) -> str:
    return f"{', '.join(map(str, numbers[:-1]))} and {numbers[-1]}"


def percent(share: float) -> str:
    return f"{100 * share:.0f}"


def by_place(rows: Any) -> Iterator[str]:
    """Share of wins, with the standard error."""
    players = rows.shape[1]
    yield str(players)
    for place in range(4):
        yield share_of_wins(rows["won"][rows["place"] == place]) if place < players else ""
    yield f"{100 / players:.1f}"


def by_seat(rows: Any) -> Iterator[str]:
    players = rows.shape[1]
    yield str(players)
    yield from (share_of_wins(rows["won"][:, seat]) if seat < players else "" for seat in range(4))


def share_of_wins(won: Any) -> str:
    return f"{100 * won.mean():.1f} ± {100 * standard_error(won):.1f}"


def standard_error(values: Any) -> float:
    return float(values.std() / max(1, len(values)) ** 0.5)


def scores(rows: Any) -> Iterator[str]:
    score = rows["score"]
    yield str(rows.shape[1])
    yield from (f"{score.mean():.1f}", f"{score.std():.1f}")
    yield from (f"{value:.0f}" for value in np.quantile(score, (0, 0.25, 0.5, 0.75, 1)))
    yield f"{score.max(axis=1).mean():.1f}"


def sources(rows: Any) -> list[tuple[str, float]]:
    paid = [(f"aged: {name}", rows["paid"][..., c].mean()) for c, name in enumerate(CATEGORY_IDS)]
    by_card = [(f"card: {CARD_IDS[k]}", rows["cards"][..., k].mean()) for k in (Kind.VINTAGE, Kind.COLHEITA)]
    end = [("barrels at the end", rows["barrels"].mean()), ("Estates at the end", rows["estates"].mean())]
    return [("at the start", rows["start"].mean()), *paid, *by_card, *end, ("paid for sites", -rows["spent"].mean())]


def actions(rows: dict[int, Any]) -> Iterator[list[str]]:
    for act, name in enumerate(ACTION_IDS):
        counts = (found[by][..., act].mean() for found in rows.values() for by in ("marked", "carded"))
        yield [f"`{name}`", *(f"{count:.2f}" for count in counts)]
    yield ["markers given up", *(text for found in rows.values() for text in (f"{found['passed'].mean():.2f}", ""))]


def cards(rows: dict[int, Any]) -> Iterator[list[str]]:
    everyone = np.concatenate([found.ravel() for found in rows.values()])
    for k, name in enumerate(CARD_IDS):
        had, played, discarded = (int(everyone[field][:, k].sum()) for field in ("had", "played", "discarded"))
        shares = np.array((played, discarded, had - played - discarded)) / max(1, had)
        a_game = (f"{found['played'][..., k].mean():.2f}" for found in rows.values())
        yield [f"`{name}`", *map(percent, shares), *a_game]


def dealt(rows: dict[int, Any]) -> Iterator[list[str]]:
    for k, name in enumerate(CARD_IDS):
        found = (compared(every, every["dealt"][..., k] > 0) for every in rows.values())
        yield [f"`{name}`", *(text for wins_and_score in found for text in wins_and_score)]


def compared(rows: Any, which: Any) -> tuple[str, str]:
    """Wins of some players compared to a fair share, and their score compared to that of the rest."""
    if which.sum() < 2:
        return "", ""
    won = rows["won"][which] * rows.shape[1]
    more = rows["score"][which].mean() - rows["score"][~which].mean()
    return f"{won.mean():.2f} ± {standard_error(won):.2f}", f"{more:+.1f}"


def sites(rows: dict[int, Any], rounds: int) -> Iterator[list[str]]:
    board = board_of(brocante.box("port").fresh(brocante.box("port").complete({})))
    for i, name in enumerate(board.ids):
        cells = []
        for every in rows.values():
            bought = (every["bought"][..., i] > 0) & (every["bought"][..., i] <= rounds)
            cells += [percent(bought.any(axis=1).mean()), *compared(every, bought)]
        yield [f"`{name}`", *cells]


def categories(rows: dict[int, Any]) -> Iterator[list[str]]:
    by_card = {"vintage": Kind.VINTAGE, "colheita": Kind.COLHEITA}
    for c, name in enumerate(CATEGORY_IDS):
        figures = [(every["sold"][..., c].mean(), every["paid"][..., c].mean()) for every in rows.values()]
        yield [f"`{name}`", *(f"{figure:.2f}" for pair in figures for figure in pair)]
        if name in by_card:
            k = by_card[name]
            figures = [(every["played"][..., k].mean(), every["cards"][..., k].mean()) for every in rows.values()]
            yield [f"`{name}`, by card", *(f"{figure:.2f}" for pair in figures for figure in pair)]


if __name__ == "__main__":
    typer.run(main)
