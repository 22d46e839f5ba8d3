"""What somebody may ask for at a table. The wire format of the socket and of HTTP is this, and nothing else."""

from typing import Annotated, Any

import msgspec

from brocante.table.facts import Clock

MOST_NAME, MOST_TEXT, MOST_NONCE, MOST_STEPS = 40, 2000, 128, 10**6
Name = Annotated[str, msgspec.Meta(max_length=MOST_NAME)]
Nonce = Annotated[str, msgspec.Meta(max_length=MOST_NONCE)]
SeatNumber = Annotated[int, msgspec.Meta(ge=0, le=15)]


class Command(msgspec.Struct, frozen=True, tag_field="do", tag=str.lower, forbid_unknown_fields=True):
    """Something that somebody asks for."""


class Sit(Command, frozen=True):
    """Sit down: at this seat, or at the first empty one. A nonce is your share of the deal."""

    name: Name
    seat: SeatNumber | None = None
    nonce: Nonce = ""


class Stand(Command, frozen=True):
    """Get up: for good before the deal and after the game; during it a bot plays on, and you may come back."""


class Bot(Command, frozen=True):
    """Host: seat a bot, at this seat or at the first empty one; the best one unless one is named."""

    seat: SeatNumber | None = None
    bot: Name = ""


class Remove(Command, frozen=True):
    """Host: have somebody get up; during a game a bot plays on for them."""

    seat: SeatNumber


class Change(Command, frozen=True):
    """Host: change what will be played, before the deal. What is not named stays; an option that is null is as if it
    had not been chosen."""

    options: dict[str, Any] | None = None
    private: bool | None = None
    clock: Clock | None = None


class Contribute(Command, frozen=True):
    """Your share of the next deal; it can be changed until the game starts."""

    nonce: Nonce


class Start(Command, frozen=True):
    """Host: deal. With `fill`, bots take the empty seats."""

    fill: bool = False


class Move(Command, frozen=True):
    """Make a move, written as in a record (without the seat) or as text. With `step`, the number of steps that you have
    seen, only if there were no more."""

    move: dict[str, Any] | Annotated[str, msgspec.Meta(max_length=MOST_TEXT)]
    step: Annotated[int, msgspec.Meta(ge=0, le=MOST_STEPS)] | None = None


class Undo(Command, frozen=True):
    """Take back your last move: at once where nobody has learned anything from it, otherwise if all agree."""


class Agree(Command, frozen=True):
    """Agree to what another player would take back."""


class Refuse(Command, frozen=True):
    """Do not agree to it; or, from the player who asked, let it be."""


class Pause(Command, frozen=True):
    """Stop clocks, bots and moves."""


class Resume(Command, frozen=True):
    """Go on after a pause."""


class Back(Command, frozen=True):
    """You are here again: the bot hands your seat back."""


class Resign(Command, frozen=True):
    """Give the game up: a bot plays on for you; between two players, the other one wins."""


class Chat(Command, frozen=True):
    """Say something, to all or only to those who play with you now."""

    text: Annotated[str, msgspec.Meta(max_length=MOST_TEXT)]
    allies: bool = False


class Again(Command, frozen=True):
    """Another game at this table, when everybody who is here wants it. A nonce is your share of the deal."""

    nonce: Nonce = ""


FromPeople = (
    Sit
    | Stand
    | Bot
    | Remove
    | Change
    | Contribute
    | Start
    | Move
    | Undo
    | Agree
    | Refuse
    | Pause
    | Resume
    | Back
    | Resign
    | Chat
    | Again
)


class Tick(Command, frozen=True):
    """From the table's own clock: whatever is due."""


class Lost(Command, frozen=True):
    """From the server: a player's connection has been gone for too long."""

    seat: SeatNumber


class Wake(Command, frozen=True):
    """From the server: nobody has watched this table's clocks for a while."""
