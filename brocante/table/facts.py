"""What happens at a table. Facts are what is stored: a table is rebuilt by adding them up again.

A fact may hold what nobody at the table may know (the seed of a deal, a decision while others still decide), so facts
are never sent to anyone. `audience.py` makes events of them.
"""

from collections.abc import Callable
from typing import Annotated, Any, ClassVar, Literal

import msgspec

#: The limits of a bank or of the time for a move, and of a window.
LEAST_SECONDS, MOST_SECONDS = 5, 86_400
LEAST_WINDOW, MOST_WINDOW = 2, 60


class Clock(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """How long people may think: without limit, so many seconds for every decision, or so many for the whole game; and
    how long a window stays open in which all decide at the same time."""

    kind: Literal["none", "move", "bank"] = "none"
    seconds: Annotated[int, msgspec.Meta(ge=0, le=MOST_SECONDS)] = 0
    window: Annotated[int, msgspec.Meta(ge=LEAST_WINDOW, le=MOST_WINDOW)] = 8


#: How fast bots move: as long as a person might think, a turn in about half a second, or without a wait.
Pace = Literal["people", "quick", "instant"]

#: What players say to each other with one touch; every reader is shown it in their language.
Reaction = Literal["hello", "well_played", "ouch", "thinking", "hurry", "thanks", "sorry", "good_game"]

#: What an event is about (docs/api.md). A client that does not know a kind of event can go by its category.
Category = Literal["play", "game", "seats", "agreement", "chat", "setup"]


class Fact(msgspec.Struct, frozen=True, tag_field="fact", tag=str.lower, omit_defaults=True, gc=False):
    """Something that has happened."""

    category: ClassVar[Category]
    #: The key, under `table.told`, of the line that it adds to the log; the lines of a move come from the game.
    line_key: ClassVar[str] = ""

    @classmethod
    def kind(cls) -> str:
        """How the log and the wire call it."""
        return str(cls.__struct_config__.tag)

    def is_for(self, viewer: int) -> bool:
        """Whether a viewer learns of it. Those who do not must not notice that anything happened."""
        return True


class SeatFact(Fact, frozen=True):
    """Somebody takes a seat, leaves it or comes back to it."""

    category = "seats"
    seat: int


class AgreementFact(Fact, frozen=True):
    """A player asks the others for something, answers, or says how the game is to go on."""

    category = "agreement"
    seat: int


class Opened(Fact, frozen=True):
    """Somebody has opened a table for a game, and is its host.

    `home`: one person plays against bots on their own machine. The seed alone decides the deal, since nobody else needs
    to trust it; a file of one's own (a deck) may be brought along; and no window closes before the person has decided.
    """

    category = "setup"
    game: str
    options: dict[str, Any]
    host: str
    private: bool = False
    clock: Clock = Clock()
    home: bool = False
    fading: bool = True


class Changed(Fact, frozen=True):
    """The host has changed what will be played, before the deal."""

    category = "setup"
    options: dict[str, Any]
    private: bool
    clock: Clock
    fading: bool = True


class Committed(Fact, frozen=True):
    """The server has fixed the seed of the next deal, which it tells nobody until the game is over."""

    category = "setup"
    seed: str


class Sat(SeatFact, frozen=True):
    line_key = "sat"
    who: str
    name: str


class BotSat(SeatFact, frozen=True):
    line_key = "sat"
    bot: str
    name: str


class Stood(SeatFact, frozen=True):
    """Whoever sat there has got up for good, or the host made them."""

    line_key = "stood"


class Hosted(Fact, frozen=True):
    """There is another host; "": none until somebody sits down."""

    category = "seats"
    who: str


class Contributed(Fact, frozen=True):
    """A player has given their share of the next deal."""

    category = "setup"
    seat: int
    nonce: str


class Started(Fact, frozen=True, omit_defaults=False):
    """A game was dealt, by this edition and this version of its rules. A log that names none is of the first.

    `fell` is what chance did then; `standing` is who is to decide, and everyone's points. Other rules might lead
    elsewhere, so `standing` is compared when the facts are added up again; `fell` is enough to write the record.
    """

    category = "game"
    line_key = "started"
    edition: int = 1
    version: int = 1
    fell: tuple[dict[str, Any], ...] = ()
    standing: tuple[int, ...] = ()


class Moved(Fact, frozen=True):
    """A move was made, by the player, by a bot in their place, or by a bot because their time was up; and what followed
    from it (see `Started`)."""

    category = "play"
    seat: int
    move: dict[str, Any]
    by: Literal["player", "bot", "clock"] = "player"
    fell: tuple[dict[str, Any], ...] = ()
    standing: tuple[int, ...] = ()


class Decided(Fact, frozen=True):
    """A player has decided while others still may. Nobody else is told until all have."""

    category = "play"
    seat: int
    move: dict[str, Any]
    by: Literal["player", "clock"] = "player"

    def is_for(self, viewer: int) -> bool:
        return viewer == self.seat


class Announced(Fact, frozen=True):
    """The table's own clock has announced something: in some games, that time is up."""

    category = "play"
    line: dict[str, Any]


class UndoAsked(AgreementFact, frozen=True):
    line_key = "undo_asked"


class UndoAgreed(AgreementFact, frozen=True):
    line_key = "undo_agreed"


class UndoRefused(AgreementFact, frozen=True):
    line_key = "undo_refused"


class RemovalAsked(AgreementFact, frozen=True):
    """In the middle of a game, the host asks the others whether the person at this seat should be removed."""

    line_key = "removal_asked"


class RemovalAgreed(AgreementFact, frozen=True):
    line_key = "removal_agreed"


class RemovalRefused(AgreementFact, frozen=True):
    line_key = "removal_refused"


class RemovalWithdrawn(AgreementFact, frozen=True):
    """The host does not ask any more whether the person at this seat should be removed."""

    line_key = "removal_withdrawn"


class Undone(Fact, frozen=True):
    """So many moves were taken back, down to the last one of this seat."""

    category = "game"
    line_key = "undone"
    seat: int
    moves: int


class Paused(AgreementFact, frozen=True):
    line_key = "paused"


class Resumed(AgreementFact, frozen=True):
    line_key = "resumed"


class Paced(AgreementFact, frozen=True):
    """Somebody who plays alone against bots has said how fast these are to move."""

    pace: Pace


class Skipped(AgreementFact, frozen=True):
    """Somebody who plays alone against bots does not want to wait: these move at once until the person must decide."""


class CaughtUp(Fact, frozen=True):
    """A person who skipped must decide now, or the game is over: bots take their time again."""

    category = "game"

    def is_for(self, viewer: int) -> bool:
        return False


class Stalled(Fact, frozen=True):
    """Nobody watched the clock for a while (the server was down): it goes on from now."""

    category = "game"

    def is_for(self, viewer: int) -> bool:
        return False


class Went(SeatFact, frozen=True):
    """A player is away: a bot plays for them until they are back. They have left, or their connection was lost."""

    line_key = "went"
    left: bool = False


class Returned(SeatFact, frozen=True):
    line_key = "returned"


class Resigned(Fact, frozen=True):
    category = "game"
    line_key = "resigned"
    seat: int


class Ended(Fact, frozen=True):
    """The game ended before its rules ended it: nobody is left to play against, or nobody at all; or the operator of
    the server has closed it, and then nobody has won."""

    category = "game"
    by: Literal["", "operator"] = ""


class Closed(Fact, frozen=True):
    """A game under way was closed, because the rules that it began by are gone."""

    category = "game"
    edition: int
    ours: int


class Recorded(Fact, frozen=True):
    """The record of a game that is over (the first is number 1), compressed, and who won it: from now on this is what
    was played, whatever becomes of the rules."""

    category = "game"
    game: int
    record: bytes
    winners: tuple[int, ...]

    def is_for(self, viewer: int) -> bool:
        return False


class Said(Fact, frozen=True):
    """What a player has said, in their own words or with a reaction, to all or to these seats only."""

    category = "chat"
    seat: int
    text: str = ""
    to: tuple[int, ...] = ()
    reaction: Reaction | None = None

    def is_for(self, viewer: int) -> bool:
        return not self.to or viewer in self.to


class AgainAsked(AgreementFact, frozen=True):
    """A player wants another game at this table."""

    line_key = "again"


AnyFact = (
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
    | RemovalAsked
    | RemovalAgreed
    | RemovalRefused
    | RemovalWithdrawn
    | Undone
    | Paused
    | Resumed
    | Paced
    | Skipped
    | CaughtUp
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

#: All facts that follow from one command are one entry of the log.
encode = msgspec.json.Encoder().encode
decode: Callable[[bytes], list[Fact]] = msgspec.json.Decoder(list[AnyFact]).decode  # type: ignore[assignment]
