"""What somebody may ask for at a table. These types are what the socket and HTTP carry."""

from typing import Annotated, Any, ClassVar, Literal

import msgspec

from brocante.table import facts as f
from brocante.table.facts import Clock, Pace, Reaction

MOST_NAME, MOST_TEXT, MOST_NONCE, MOST_STEPS = 40, 2000, 128, 10**6
Name = Annotated[str, msgspec.Meta(max_length=MOST_NAME)]
Nonce = Annotated[str, msgspec.Meta(max_length=MOST_NONCE)]
#: What players can be asked to agree to.
Question = Literal["undo", "removal"]
SeatNumber = Annotated[int, msgspec.Meta(ge=0, le=15)]


class Command(msgspec.Struct, frozen=True, tag_field="do", tag=str.lower, forbid_unknown_fields=True):
    """Something that somebody asks for."""

    #: The facts that show that it was carried out: about the seat of whoever asked, unless only a host may ask.
    shown_by: ClassVar[tuple[type[f.Fact], ...]] = ()
    host_only: ClassVar[bool] = False

    @classmethod
    def kind(cls) -> str:
        """How the wire calls it."""
        return str(cls.__struct_config__.tag)


class Sit(Command, frozen=True):
    """Sit down: at this seat, or at the first empty one. A nonce is your share of the deal."""

    name: Name
    seat: SeatNumber | None = None
    nonce: Nonce = ""


class Stand(Command, frozen=True):
    """Get up: for good before the deal and after the game; during it a bot plays on, and you may come back."""


class AddBot(Command, frozen=True, tag="bot"):
    """Host: seat a bot, at this seat or at the first empty one; the best one unless one is named."""

    shown_by = (f.BotSat,)
    host_only = True
    seat: SeatNumber | None = None
    bot: Name = ""


class Remove(Command, frozen=True):
    """Host: have somebody get up. During a game the others who play are asked first, and a bot plays on."""

    shown_by = (f.Stood, f.RemovalAsked)
    host_only = True
    seat: SeatNumber


class Change(Command, frozen=True):
    """Host: change what will be played, before the deal. What is not named stays; an option that is null is as if it
    had not been chosen."""

    shown_by = (f.Changed,)
    host_only = True
    options: dict[str, Any] | None = None
    private: bool | None = None
    clock: Clock | None = None
    fading: bool | None = None


class Contribute(Command, frozen=True):
    """Your share of the next deal; it can be changed until the game starts."""

    shown_by = (f.Contributed,)
    nonce: Nonce


class Start(Command, frozen=True):
    """Host: deal. With `fill`, bots take the empty seats."""

    shown_by = (f.Started,)
    host_only = True
    fill: bool = False


class PlayMove(Command, frozen=True, tag="move"):
    """Make a move, written as in a record (without the seat) or as text. With `step`, the number of steps that you have
    seen, only if there were no more."""

    shown_by = (f.Moved, f.Decided)
    move: dict[str, Any] | Annotated[str, msgspec.Meta(max_length=MOST_TEXT)]
    step: Annotated[int, msgspec.Meta(ge=0, le=MOST_STEPS)] | None = None


class Undo(Command, frozen=True):
    """Take back your last move: at once where nobody has learned anything from it, otherwise if all agree."""

    shown_by = (f.UndoAsked, f.Undone)


class Agree(Command, frozen=True):
    """Agree to what another player would take back, or to whom the host would remove."""

    shown_by = (f.UndoAgreed, f.RemovalAgreed)
    to: Question = "undo"


class Refuse(Command, frozen=True):
    """Do not agree to it; or, from whoever asked, let it be."""

    shown_by = (f.UndoRefused, f.RemovalRefused, f.RemovalWithdrawn)
    to: Question = "undo"


class Pause(Command, frozen=True):
    """Stop clocks, bots and moves."""

    shown_by = (f.Paused,)


class Resume(Command, frozen=True):
    """Go on after a pause."""

    shown_by = (f.Resumed,)


class SetPace(Command, frozen=True, tag="pace"):
    """Alone against bots: how fast they move."""

    shown_by = (f.Paced,)
    pace: Pace


class Skip(Command, frozen=True):
    """Alone against bots: they move at once until it is for you to decide."""

    shown_by = (f.Skipped,)


class Back(Command, frozen=True):
    """You are here again: the bot hands your seat back."""

    shown_by = (f.Returned,)


class Resign(Command, frozen=True):
    """Give the game up: a bot plays on for you; between two players, the other one wins."""

    shown_by = (f.Resigned,)


class Chat(Command, frozen=True):
    """Say something, to all or only to those who play with you now: in your own words, or with a reaction."""

    shown_by = (f.Said,)
    text: Annotated[str, msgspec.Meta(max_length=MOST_TEXT)] = ""
    allies: bool = False
    reaction: Reaction | None = None


class Again(Command, frozen=True):
    """Another game at this table, when everybody who is here wants it. A nonce is your share of the deal."""

    shown_by = (f.AgainAsked,)
    nonce: Nonce = ""


PlayerCommand = (
    Sit
    | Stand
    | AddBot
    | Remove
    | Change
    | Contribute
    | Start
    | PlayMove
    | Undo
    | Agree
    | Refuse
    | Pause
    | Resume
    | SetPace
    | Skip
    | Back
    | Resign
    | Chat
    | Again
)


class Tick(Command, frozen=True):
    """From the table's own clock: whatever is due."""


class ConnectionLost(Command, frozen=True, tag="lost"):
    """From the server: a player's connection has been gone for too long."""

    seat: SeatNumber


class CloseGame(Command, frozen=True):
    """From the operator: end the game under way."""


class Dismiss(Command, frozen=True):
    """From the operator: a person has nothing to do with the table any more."""

    identity: str


class Wake(Command, frozen=True):
    """From the server: nobody may have watched this table's clocks for a while, perhaps for so many seconds that do not
    count as the table's own time."""

    away: float = 0.0
