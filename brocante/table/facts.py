"""What happens at a table. Facts are what is stored: a table is rebuilt by adding them up again.

A fact may hold what nobody at the table may know (the seed of a deal, a decision in a window that is still open): facts
are never sent to anyone; `audience.py` says what each viewer is told of them.
"""

from typing import Annotated, Any, Literal

import msgspec

#: A bank or a move that is shorter than this is no time to think, one that is longer no clock.
LEAST_SECONDS, MOST_SECONDS = 5, 86_400
LEAST_WINDOW, MOST_WINDOW = 2, 60


class Clock(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """How long people may think: without limit, so many seconds for every decision, or so many for the whole game; and
    how long a window stays open in which all decide at the same time."""

    kind: Literal["none", "move", "bank"] = "none"
    seconds: Annotated[int, msgspec.Meta(ge=0, le=MOST_SECONDS)] = 0
    window: Annotated[int, msgspec.Meta(ge=LEAST_WINDOW, le=MOST_WINDOW)] = 8


class Fact(msgspec.Struct, frozen=True, tag_field="fact", tag=str.lower, omit_defaults=True, gc=False):
    """Something that has happened."""


class Opened(Fact, frozen=True):
    """Somebody has opened a table for a game, and is its host.

    `home`: one person plays against bots on their own machine. The seed alone decides the deal, since nobody else needs
    to trust it; a file of one's own (a deck) may be brought along; and no window closes before the person has decided.
    """

    game: str
    options: dict[str, Any]
    host: str
    private: bool = False
    clock: Clock = Clock()
    home: bool = False


class Changed(Fact, frozen=True):
    """The host has changed what will be played, before the deal."""

    options: dict[str, Any]
    private: bool
    clock: Clock


class Committed(Fact, frozen=True):
    """The server has fixed the seed of the next deal, which it tells nobody until the game is over."""

    seed: str


class Sat(Fact, frozen=True):
    seat: int
    who: str
    name: str


class BotSat(Fact, frozen=True):
    seat: int
    bot: str
    name: str


class Stood(Fact, frozen=True):
    """Whoever sat there has got up for good, or was asked to by the host."""

    seat: int


class Hosted(Fact, frozen=True):
    """There is another host; "": none, until somebody sits down."""

    who: str


class Contributed(Fact, frozen=True):
    """A player has given their share of the next deal."""

    seat: int
    nonce: str


class Started(Fact, frozen=True, omit_defaults=False):
    """A game was dealt, by this edition of its rules and this version of them. A log that names none is of the first.

    `fell` is what chance did then, and `standing` what the game came to: who is to decide, and everyone's points. By
    other rules it might be something else: whoever adds the facts up compares, and `fell` is enough for the record.
    """

    edition: int = 1
    version: int = 1
    fell: tuple[dict[str, Any], ...] = ()
    standing: tuple[int, ...] = ()


class Moved(Fact, frozen=True):
    """A decision was made, by the player, by a bot in their place, or by a bot because their time was up; and what
    followed from it (see `Started`)."""

    seat: int
    move: dict[str, Any]
    by: Literal["player", "bot", "clock"] = "player"
    fell: tuple[dict[str, Any], ...] = ()
    standing: tuple[int, ...] = ()


class Decided(Fact, frozen=True):
    """A player has made up their mind while others still may; until all have, nobody else is told."""

    seat: int
    move: dict[str, Any]
    by: Literal["player", "clock"] = "player"


class Announced(Fact, frozen=True):
    """The table's own clock has something to say: in some games, that time is up."""

    line: dict[str, Any]


class UndoAsked(Fact, frozen=True):
    seat: int


class UndoAgreed(Fact, frozen=True):
    seat: int


class UndoRefused(Fact, frozen=True):
    seat: int


class Undone(Fact, frozen=True):
    """So many moves were taken back, down to the last one of this seat."""

    seat: int
    moves: int


class Paused(Fact, frozen=True):
    seat: int


class Resumed(Fact, frozen=True):
    seat: int


class Stalled(Fact, frozen=True):
    """Nobody watched the clock for a while (the server was down): it goes on from now."""


class Went(Fact, frozen=True):
    """A player is away: a bot plays for them until they are back. They have left, or their connection was lost."""

    seat: int
    left: bool = False


class Returned(Fact, frozen=True):
    seat: int


class Resigned(Fact, frozen=True):
    seat: int


class Ended(Fact, frozen=True):
    """The game is over although the rules would let it go on: nobody is left to play against, or nobody at all."""


class Closed(Fact, frozen=True):
    """A game under way was closed, for the rules that it was begun by are gone."""

    edition: int
    ours: int


class Recorded(Fact, frozen=True):
    """The record of a game that is over (the first is number 1), compressed, and who has won it: from now on this is
    what was played, whatever becomes of the rules."""

    game: int
    record: bytes
    winners: tuple[int, ...]


class Said(Fact, frozen=True):
    """What a player has said, to all or to these seats only."""

    seat: int
    text: str
    to: tuple[int, ...] = ()


class AgainAsked(Fact, frozen=True):
    """A player would play another game at this table."""

    seat: int


Any_ = (
    Opened
    | Changed
    | Committed
    | Sat
    | BotSat
    | Stood
    | Hosted
    | Contributed
    | Started
    | Moved
    | Decided
    | Announced
    | UndoAsked
    | UndoAgreed
    | UndoRefused
    | Undone
    | Paused
    | Resumed
    | Stalled
    | Went
    | Returned
    | Resigned
    | Ended
    | Closed
    | Recorded
    | Said
    | AgainAsked
)

_encoder = msgspec.json.Encoder()
_decoder = msgspec.json.Decoder(list[Any_])


def written(facts: list[Fact]) -> bytes:
    """What follows from one command, as it is stored: all of it or nothing."""
    return _encoder.encode(facts)


def read(body: bytes) -> list[Fact]:
    return list(_decoder.decode(body))
