"""The board: the figures a game is played with (P1–P6): sites, warehouse, action table, chips, cards.

The built-in board is `board.toml`, and anyone who owns the box can bring theirs in such a file (docs/boards.md). A file
marks what the rulebook prints and what can be inferred from its examples and cards; the rest is reconstructed. Marks do
not matter to the rules, and records leave them out.
"""

from collections import Counter
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import msgspec

from brocante.engine.errors import quoted
from brocante.engine.player_files import Brought, ids_twice, is_whole, keys_amiss, of_entry
from brocante.engine.text import Text
from brocante.games.port.names import ACTION_IDS, CARD_IDS, CATEGORY_IDS, REGION_IDS
from brocante.games.port.rules import CARDS, MOST_PLAYERS, ON_A_SIDE, SITES

MARKS = ("printed", "inferred")
RECONSTRUCTED = "reconstructed"  # the source of a figure without a mark
FEWEST_PLAYERS = 2
CHIPS_OF_A_VALUE = 2  # P4
BY_A_CARD = 127  # no harvest has this quality
BONUS = "bonus"  # the one table that has a single entry, without an id
#: The ids of the entries of each table, from the sea up and from the lowest up. Only sites may be left out.
IDS: dict[str, tuple[str, ...]] = {
    "region": REGION_IDS,
    "site": tuple(f"{region}-{n}" for region in REGION_IDS for n in range(1, SITES + 1)),
    "category": CATEGORY_IDS,
    "action": ACTION_IDS,
    BONUS: ("",),
    "card": CARD_IDS,
}
LOWEST = CATEGORY_IDS[::ON_A_SIDE]
#: The range of each figure, so that it fits its field. Circles and bonuses are three such numbers.
BOUNDS = {
    "barrels": (1, 8),
    "quality": (0, 20),
    "price": (1, 20),
    "from": (0, 40),
    "spaces": (1, 8),
    "set": (1, 8),
    "vp": (0, 20),
    "circles": (0, 9),
    "values": (0, 9),
    "count": (0, CARDS),
}
THREE = ("circles", "values")


class Entry(msgspec.Struct, frozen=True):
    """An entry of a board file, and which of its figures have a mark."""

    table: str
    id: str
    figures: dict[str, Any]
    marks: dict[str, tuple[str, ...]]

    def source(self, figure: str) -> str:
        """Where a figure comes from: its mark; without one, it is reconstructed."""
        return next((mark for mark, figures in self.marks.items() if figure in figures), RECONSTRUCTED)

    def plain(self) -> dict[str, Any]:
        """The entry as a record has it."""
        figures = {name: list(value) if name in THREE else value for name, value in self.figures.items()}
        return {"id": self.id, **figures} if self.id else figures


class Board(Brought):
    """The figures of a box. Two boards with the same figures are the same, whatever their marks."""

    game, what, wrong = "port", "board", "port.board.wrong"
    file = Path(__file__).parent / "board.toml"

    def __init__(self, entries: tuple[Entry, ...], text: str = "") -> None:
        self.entries = tuple(sorted(entries, key=place_of))
        self.ids = tuple(site.id for site in self.table("site"))
        self.number = {id_: i for i, id_ in enumerate(self.ids)}
        self.harbours = tuple(1 + REGION_IDS.index(region_of(site)) for site in self.ids)  # of the sites
        self.qualities, self.prices = (tuple(self.figures("site", name)) for name in ("quality", "price"))
        super().__init__(self.for_record(), text)

    def __reduce__(self) -> tuple[Any, ...]:
        return Board, (self.entries, self.text)

    @classmethod
    def from_file(cls, data: dict[str, Any], where: str, text: str) -> "Board":
        return cls._checked(data, where, MARKS, text)

    @classmethod
    def from_record(cls, data: dict[str, Any]) -> "Board":
        """The board that a setup line carries: the tables of a file, without marks."""
        return cls._checked(data, Text("error.brought.setup"), ())

    @classmethod
    def _checked(cls, data: dict[str, Any], where: Text | str, marks: tuple[str, ...], text: str = "") -> "Board":
        cls.refuse(list(problems_of(data, marks)) or problems_together(data), where)
        return cls(tuple(entry_of(table, row) for table in IDS for row in rows_of(data, table)), text)

    def for_record(self) -> dict[str, Any]:
        tables: dict[str, Any] = {table: [entry.plain() for entry in self.table(table)] for table in IDS}
        (tables[BONUS],) = tables[BONUS]
        return tables

    def table(self, table: str) -> list[Entry]:
        return [entry for entry in self.entries if entry.table == table]

    def figures(self, table: str, name: str) -> list[Any]:
        """One figure of every entry of a table."""
        return [entry.figures[name] for entry in self.table(table)]

    def sources(self) -> dict[str, str]:
        """Whether each figure is printed in the rulebook, inferred from it or reconstructed, as the file says.

        >>> built_in = Board.built_in().sources()
        >>> built_in["category.reserva.from"], built_in["category.reserva.spaces"], built_in["bonus.values"]
        ('printed', 'inferred', 'reconstructed')
        """
        return {
            ".".join(filter(None, (entry.table, entry.id, name))): entry.source(name)
            for entry in self.entries
            for name in entry.figures
        }

    def lay_out(self, s: Any) -> None:
        s.board = self.key
        s.sites = len(self.ids)
        s.quality[: s.sites] = self.qualities
        s.price[: s.sites] = self.prices
        s.harbour[: s.sites] = self.harbours
        s.barrels_of[1:] = self.figures("region", "barrels")
        s.circles[:] = [circles[s.players - FEWEST_PLAYERS] for circles in self.figures("action", "circles")]
        categories = [category.figures for category in self.table("category")]
        s.least[:] = [category.get("from", BY_A_CARD) for category in categories]
        s.spaces[:] = [category["set" if "set" in category else "spaces"] for category in categories]
        s.pays[:] = [category["vp"] for category in categories]
        (values,) = self.figures(BONUS, "values")
        s.chips[:] = sorted(values * CHIPS_OF_A_VALUE)
        s.box[:] = self.figures("card", "count")


def board_of(s: Any) -> Board:
    """The board that a state is played on."""
    return Board.of(s)


def place_of(entry: Entry) -> tuple[int, int]:
    """Where an entry belongs on a board, however its file is ordered."""
    return list(IDS).index(entry.table), IDS[entry.table].index(entry.id)


def region_of(site: str) -> str:
    return site.partition("-")[0]


def figures_of(table: str, id_: str) -> tuple[str, ...]:
    """The figures of an entry. P3: the lowest category of a side has unlimited spaces; no quality reaches `vintage`."""
    match table, id_:
        case "region", _:
            return ("barrels",)
        case "site", _:
            return ("quality", "price")
        case "category", "vintage":
            return ("spaces", "vp")
        case "category", _:
            return ("from", "set" if id_ in LOWEST else "spaces", "vp")
        case "action", _:
            return ("circles",)
        case "card", _:
            return ("count",)
    return ("values",)


def rows_of(data: dict[str, Any], table: str) -> Any:
    """The entries of a table in a file: a list, unless something is wrong."""
    return [data[table]] if table == BONUS else data[table]


def id_of(table: str, row: Any) -> Any:
    if table == BONUS:
        return ""
    return row.get("id") if isinstance(row, dict) else None


def entry_of(table: str, row: dict[str, Any]) -> Entry:
    id_ = id_of(table, row)
    figures = {name: tuple(row[name]) if name in THREE else row[name] for name in figures_of(table, id_)}
    return Entry(table, id_, figures, {mark: tuple(row.get(mark, ())) for mark in MARKS})


# --- what can be wrong with a board -----------------------------------------------------------------------------------


def problems_of(data: dict[str, Any], marks: tuple[str, ...]) -> Iterator[Text]:
    """Everything that is wrong with a single entry, and entries that are missing or too many."""
    yield from keys_amiss(data, tuple(IDS))
    for table in IDS:
        if data.get(table) is not None:
            yield from problems_of_table(table, rows_of(data, table), marks)


def problems_of_table(table: str, rows: Any, marks: tuple[str, ...]) -> Iterator[Text]:
    if not isinstance(rows, list):
        yield Text("port.board.not_tables", table=table)
        return
    for number, row in enumerate(rows, 1):
        yield from of_entry(called(table, number, row), problems_of_entry(table, row, marks))
    known = [id_ for row in rows if (id_ := id_of(table, row)) in IDS[table]]
    yield from of_entry(f"[[{table}]]", ids_twice(known))
    if table != "site":
        lacking = (id_ for id_ in IDS[table] if id_ not in known)
        yield from of_entry(f"[[{table}]]", (Text("port.board.lacking", id=id_) for id_ in lacking))


def called(table: str, number: int, row: Any) -> Text:
    """What messages call an entry: `site 5 ("cima-1")`."""
    return Text(
        f"port.board.entry.{table}", number=number, id="–" if id_of(table, row) is None else quoted(id_of(table, row))
    )


def problems_of_entry(table: str, row: Any, marks: tuple[str, ...]) -> Iterator[Text]:
    if not isinstance(row, dict):
        yield Text("error.brought.not_a_table")
        return
    id_ = id_of(table, row)
    if id_ is None:
        yield Text("error.brought.missing", key="id")
    elif id_ not in IDS[table]:
        key = "port.board.unknown_site" if table == "site" else "port.board.unknown_id"
        yield Text(key, id=quoted(id_), ids=IDS[table], most=SITES)
    else:
        names = figures_of(table, id_)
        yield from keys_amiss(row, names if table == BONUS else ("id", *names), marks)
        yield from problems_of_figures(id_, {name: row[name] for name in names if row.get(name) is not None})
        yield from problems_of_marks({mark: row.get(mark, []) for mark in marks}, names)


def problems_of_figures(id_: str, figures: dict[str, Any]) -> Iterator[Text]:
    for name, value in figures.items():
        least, most = BOUNDS[name]
        if (id_, name) == ("boat", "circles"):
            least = 1  # without a boat no barrel reaches a cellar
        if name in THREE and not are_three(value, least, most):
            yield Text("port.board.three", key=name, least=least, most=most, value=quoted(value))
        if name not in THREE and not is_whole(value, least, most):
            yield Text("port.board.whole", key=name, least=least, most=most, value=quoted(value))


def are_three(value: Any, least: int, most: int) -> bool:
    return isinstance(value, list) and len(value) == 3 and all(is_whole(n, least, most) for n in value)


def problems_of_marks(marks: dict[str, Any], names: tuple[str, ...]) -> Iterator[Text]:
    """A mark lists figures of its entry, and no figure has two marks."""
    wrong = {mark: value for mark, value in marks.items() if not are_figures(value, names)}
    for mark, value in wrong.items():
        yield Text("port.board.marks", mark=mark, value=quoted(value), figures=names)
    if not wrong:
        marked = Counter(name for figures in marks.values() for name in set(figures))
        yield from (Text("port.board.two_marks", key=name, marks=MARKS) for name, n in marked.items() if n > 1)


def are_figures(value: Any, names: tuple[str, ...]) -> bool:
    return isinstance(value, list) and all(name in names for name in value)


def problems_together(data: dict[str, Any]) -> Iterator[Text]:
    """What is wrong with entries together, when each alone is fine."""
    yield from of_entry("[[site]]", problems_of_sites([row["id"] for row in data["site"]]))
    yield from problems_of_categories(data["category"])
    values = data[BONUS]["values"]
    if len(set(values)) < len(values):
        yield from of_entry(called(BONUS, 1, data[BONUS]), [Text("port.board.different", values=quoted(values))])
    cards = sum(row["count"] for row in data["card"])
    if cards != CARDS:
        yield from of_entry("[[card]]", [Text("port.board.cards", cards=cards, n=CARDS)])


def problems_of_sites(ids: list[str]) -> Iterator[Text]:
    """P7: everyone starts in Baixo Corgo, each on the site with their number."""
    for region in REGION_IDS:
        there = [id_ for id_ in ids if region_of(id_) == region]
        numbered = [f"{region}-{n}" for n in range(1, len(there) + 1)]
        yield from (Text("port.board.gap", id=id_, region=region) for id_ in numbered if id_ not in there)
    beginning = sum(region_of(id_) == REGION_IDS[0] for id_ in ids)
    if beginning < MOST_PLAYERS:
        yield Text("port.board.few", sites=beginning, region=REGION_IDS[0], n=MOST_PLAYERS)
    if len(ids) > SITES:
        yield Text("port.board.many", sites=len(ids), n=SITES)


def problems_of_categories(rows: list[dict[str, Any]]) -> Iterator[Text]:
    """P3: on each side every quality has a category, and a higher quality never a lower category."""
    entries = {row["id"]: called("category", number, row) for number, row in enumerate(rows, 1)}
    least = {row["id"]: row["from"] for row in rows if "from" in row}
    for id_ in LOWEST:
        if least[id_] != 0:
            yield from of_entry(entries[id_], [Text("port.board.lowest", least=least[id_])])
    for lower, higher in pairwise(id_ for id_ in CATEGORY_IDS if id_ in least):
        if higher not in LOWEST and least[higher] <= least[lower]:
            problem = Text("port.board.ascending", least=least[higher], lower=lower, below=least[lower])
            yield from of_entry(entries[higher], [problem])


Board.built_in()  # opened first, so that the marks of a file with the same figures take precedence
