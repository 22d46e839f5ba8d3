"""The table: everyone's cards, what you can do, what happened."""

import asyncio
from collections.abc import Callable, Iterator, Sequence
from typing import ClassVar

import msgspec
from rich.table import Table as Grid
from rich.text import Text as Styled
from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Container, Horizontal, Vertical, VerticalScroll
from textual.events import Click
from textual.events import Key as KeyPress
from textual.geometry import Size
from textual.message import Message
from textual.screen import Screen
from textual.widget import Widget
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from brocante.engine.errors import UsageError
from brocante.engine.moves import Move, Part
from brocante.engine.state import NOBODY
from brocante.engine.text import Player, Text, Words
from brocante.engine.view import Card, Moment, Offer, Place, Result, Stack, View, Zone
from brocante.terminal.app import terminal_of
from brocante.terminal.awards import awards_text, how_many_left
from brocante.terminal.boards import board_text
from brocante.terminal.drawing import (
    TOUCH,
    bars_text,
    card_text,
    centre_text,
    compact_text,
    heading,
    piles_text,
    signs,
    slot_card_text,
    worded_card_text,
    worded_line,
    zone_text,
)
from brocante.terminal.home_table import HomeTable
from brocante.terminal.keys import Key, Keys
from brocante.terminal.races import RacesPage, races_grid
from brocante.terminal.rules_page import ReferencePage, RulesPage
from brocante.terminal.table_model import TableModel

LEAST_PANEL, MOST_PANEL = 30, 38  # columns that everything before one player takes
BELOW = 15  # lines that your own cards take below the others
BORDER = 6  # columns that a frame takes, with what is around it
SMALL_CARD, CARD, MARKED_CARD, SLOT_CARD = 10, 14, 23, 9  # columns that a card of yours takes
ITEM_KEYS = "123456789acefghijkmostvwxyzACEFGHIJKMOSTVWXYZ"  # for what has no key of its own
NUMBERED = 9  # of your cards in slots have their numbers for keys
LATELY = 300  # steps that the log goes back
AWARD_TIMES = 4  # as long as a move
SHORT_MOMENT = 1.5  # seconds for which one sees what passes by itself, at the least
#: How long a bot takes for a move, in seconds.
PACES = {"calm": 0.9, "brisk": 0.35, "instant": 0.0}


def as_they_lie(view: View) -> list[Offer]:
    """What one may do; what is done with a card in the order in which the cards lie: yours, then the others'."""
    touched = [move for stack in stacks_of(view.table.places) for move in stack.moves]
    order = {move: number for number, move in reversed([*enumerate(touched)])}
    lying = iter(sorted((o for o in view.offers if o.move in order), key=lambda offer: order[offer.move]))
    return [next(lying) if offer.move in order else offer for offer in view.offers]


def stacks_of(places: Sequence[Place], layout: str = "") -> list[Stack]:
    """What lies before the players: yours, then the others'; in all zones, or in those of one layout."""
    zones = [zone for place in places for zone in place.zones]  # the person sits at the first place
    return [stack for zone in zones if layout in ("", zone.layout) for stack in zone.stacks]


def marked_cards(view: View) -> dict[Move, Card]:
    """The single cards on the table that a move takes."""
    zones = [*(zone for place in view.table.places for zone in place.zones), *view.table.centre]
    stacks = [stack for zone in zones for stack in zone.stacks]
    return {move: stack.card for stack in stacks if stack.card and stack.card.marks for move in stack.moves}


def without_the_outcome(view: View) -> View:
    """The table as it is before anything is counted."""
    places = tuple(msgspec.structs.replace(place, score=None) for place in view.table.places)
    races = tuple(msgspec.structs.replace(race, winner=None) for race in view.table.races)
    return msgspec.structs.replace(view, table=msgspec.structs.replace(view.table, places=places, races=races))


def at_that_moment(view: View, moment: Moment) -> View:
    """What one sees for a moment, with nothing to be done until it has passed."""
    return View(view.game, view.viewer, NOBODY, moment.table, moment.text, offers=(), result=None)


def keys_of(view: View, offers: Sequence[Offer]) -> dict[Move, str]:
    """A key for each move: its own, that of the slot in which the card lies, or the next one that is free."""
    keys = {offer.move: offer.key for offer in offers if offer.key}
    in_slots = slot_keys(view, set(keys.values()))
    taken = {*keys.values(), *in_slots.values()}
    free = iter([key for key in ITEM_KEYS if key not in taken])
    return {offer.move: keys.get(offer.move) or in_slots.get(offer.move) or next(free, "") for offer in offers}


def slot_keys(view: View, taken: set[str]) -> dict[Move, str]:
    """The keys of cards in slots: the first nine of yours by their numbers, the others one after the other. Every card
    has its key whether it can be touched or not, so that the second choice of a move finds all keys where they were."""
    mine, others = (stacks_of(places, "slots") for places in (view.table.places[:1], view.table.places[1:]))
    if not any(stack.moves for stack in mine + others):
        return {}
    numbers = [str(n + 1) for n in range(min(len(mine), NUMBERED))]
    free = iter([key for key in ITEM_KEYS if key not in taken and key not in numbers])
    keyed = zip([*mine, *others], [*numbers, *(next(free, "") for _ in [*mine[NUMBERED:], *others])], strict=True)
    return {move: key for stack, key in reversed([*keyed]) for move in stack.moves}


class Touched(Message):
    """Something on the table was clicked that makes a move."""

    def __init__(self, move: str) -> None:
        super().__init__()
        self.move = move


class Touchable(Static):
    """A text of which parts can be clicked: items of another player, or on the discard pile."""

    def on_click(self, event: Click) -> None:
        move = event.style.meta.get(TOUCH)
        if move:
            self.post_message(Touched(move))


class PlayerPanel(Touchable):
    """What lies before another player."""


class CardButton(Static):
    """A card in your hand; touching it plays it."""

    def __init__(self, stack: Stack, key: str, picture: Styled, slot: int = 0) -> None:
        super().__init__(picture, classes="card" if stack.moves else "card resting")
        self.set_class(bool(stack.card and stack.card.marks), "marked")
        self.set_class(bool(stack.card and stack.card.does), "worded")
        self.set_class(slot > 0, "slot")
        self.set_class(stack.chosen, "chosen")
        self.border_title = str(slot) if slot else ""
        self.border_subtitle = key
        self._stack = stack

    def on_click(self) -> None:
        if self._stack.moves:
            self.post_message(Touched(str(self._stack.moves[0])))


class Choices(OptionList):
    """What you can do, as high as it needs to be."""

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """Lines are counted as they will be broken: beside the room that is kept for a scrollbar."""
        return super().get_content_height(container, viewport, width - self.styles.scrollbar_size_vertical)


class Felt(VerticalScroll):
    """What lies on the table; it is drawn anew when there is more room or less."""

    def on_resize(self) -> None:
        screen = self.screen
        if isinstance(screen, LaidTable):
            screen.redraw()


class LaidTable(Screen[None]):
    """A table that is laid, wherever it stands."""

    leaving = "shelf"  # what leaving it is called
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("u", "undo", show=False),
        Binding("n", "again", show=False),
        Binding("b", "races", show=False),
        Binding("space,enter", "next", show=False),
        Binding("question_mark,f1", "rules", show=False),
        Binding("r", "reference", show=False),
        Binding("escape", "shelf", show=False),
        Binding("left", "cursor(-1)", show=False),
        Binding("right", "cursor(1)", show=False),
        Binding("home", "scroll_felt(-1)", show=False, priority=True),
        Binding("end", "scroll_felt(1)", show=False, priority=True),
        Binding("pageup", "scroll_log(-1)", show=False, priority=True),
        Binding("pagedown", "scroll_log(1)", show=False, priority=True),
    ]

    def __init__(self, seated: TableModel) -> None:
        super().__init__()
        self.seated = seated
        self._drawing = asyncio.Lock()
        self.key_of: dict[Move, str] = {}
        self._awarded = 1  # awards of the final scoring that were shown
        self._begun: tuple[int, ...] = ()  # the choices made so far of a move that takes several
        self._witnessed = seated.first_moment  # up to where moments were noted
        self._moments: list[tuple[int, Moment]] = []  # what is being seen for a moment, and what will be; of what

    # --- what is on the screen ---

    def compose(self) -> ComposeResult:
        yield Touchable(id="status")
        with Horizontal(id="body"):
            with Felt(id="felt", can_focus=False):
                yield Touchable(id="board")
                yield Container(*(PlayerPanel(id=f"seat-{seat}") for seat in self._clockwise()), id="others")
                yield Touchable(id="mine")
                yield Vertical(id="hand")
                yield Static(id="races")
                yield Static(id="result")
            with Vertical(id="side"):
                yield Static(id="prompt")
                yield Choices(id="moves")
                with VerticalScroll(id="log", can_focus=False):
                    yield Static(id="told")
        yield Keys(classes="keys")

    async def on_mount(self) -> None:
        terminal_of(self).seated = self.seated
        self.query_one("#moves").focus()
        self._witness()
        await self._show()
        self.set_interval(1, self._tick)
        self._go_on()

    def _clockwise(self) -> list[int]:
        """The others, in the order in which they play after you."""
        seat, players = self.seated.seat, self.seated.players
        return [(seat + 1 + i) % players for i in range(players - 1)]

    @property
    def view(self) -> View:
        """What you see. As long as the awards are being told, what they will come to is kept back."""
        view = self.seated.view(self._begun)
        if self.moment:
            return at_that_moment(view, self.moment)
        return without_the_outcome(view) if self._awarded < len(view.awards) else view

    @property
    def moment(self) -> Moment | None:
        """What is being seen for a moment."""
        return self._moments[0][1] if self._moments else None

    @property
    def names(self) -> tuple[str, ...]:
        return self.seated.names(terminal_of(self).say("terminal.you"))

    def say(self, text: Words) -> str:
        return terminal_of(self).language.say(text, self.names)

    @property
    def inks(self) -> dict[str, str]:
        return terminal_of(self).inks

    def redraw(self) -> None:
        """Everything anew, after a change of size, language or theme."""
        if self.query(PlayerPanel):  # otherwise it is being drawn for the first time
            self.run_worker(self._show())

    async def _show(self) -> None:
        """Draw the table as it is now. One drawing at a time: an older one must not end after a newer one."""
        async with self._drawing:
            view = self.view
            offers = as_they_lie(view)
            self.key_of = keys_of(view, offers)
            with self.app.batch_update():
                await self._lay_places()
                self._show_status(view)
                board = self._board(view)
                self._show_board(board)
                self._show_others(view, board)
                await self._show_mine(view)
                self._show_races(view)
                self._show_prompt(view)
                self._show_moves(offers, marked_cards(view))
                self._show_log()
                self._show_result(view)
                self.query_one(Keys).show(self._keys(view))
            if isinstance(self.app.screen, RacesPage):
                self.app.screen.redraw()

    async def _lay_places(self) -> None:
        """A panel for each of the others; a new game may be played with more people or fewer."""
        wanted = [f"seat-{seat}" for seat in self._clockwise()]
        if [panel.id for panel in self.query(PlayerPanel)] != wanted:
            others = self.query_one("#others")
            await others.remove_children()
            await others.mount_all(PlayerPanel(id=name) for name in wanted)

    def _show_status(self, view: View) -> None:
        box = self.seated.box
        title = Styled()
        title.append(f" {self.say(box.title)} ", style=f"bold reverse {self.inks[box.ink]}")
        title.append(f"  {self.say(view.table.status)}")
        if self.seated.seconds_left is not None and not self.seated.is_over:
            minutes, seconds = divmod(self.seated.seconds_left, 60)
            title.append(f"  ◷ {minutes}:{seconds:02}", style=self.inks["faint"])
        for zone in view.table.centre:
            title.append("    ").append_text(centre_text(zone, self.say, self.inks, self._key))
        self.query_one("#status", Static).update(title)

    def _key(self, move: Move) -> str:
        return self.key_of.get(move, "")

    def _show_board(self, board: Styled | None) -> None:
        panel = self.query_one("#board", Static)
        panel.display = board is not None
        panel.update(board or "")

    def _board(self, view: View) -> Styled | None:
        """The board that all play on, if there is one, for the room that there is."""
        if not view.table.board:
            return None
        width = self.query_one("#felt").size.width - BORDER
        return board_text(view.table.board, width, self.say, self.inks, self._key)

    def _show_others(self, view: View, board: Styled | None) -> None:
        """The panels of the others, in full where they fit, otherwise a line or two each; where there is a board and
        little room, below what is yours."""
        others = view.table.places[1:]
        panels = [self._panel(place, view) for place in others]
        columns = self._columns(panels, len(board.split("\n")) + 2 if board else 0)
        self.set_class(columns == 0, "-compact")
        felt, around = self.query_one("#felt"), self.query_one("#others")
        if columns == 0 and board:
            felt.move_child(around, after=self.query_one("#hand"))
        else:
            felt.move_child(around, before=self.query_one("#mine"))
        around.styles.grid_size_columns = columns or 1
        for place, panel in zip(others, panels, strict=True):
            self.query_one(f"#seat-{place.seat}", Static).update(panel if columns else self._small_panel(place, view))

    def _columns(self, panels: list[Styled], board: int) -> int:
        """In how many columns the panels of the others can be drawn in full, below a board of so many lines; 0 if there
        is no room for that."""
        felt = self.query_one("#felt").size
        lines = [line for panel in panels for line in panel.split("\n")]
        widest = max(line.cell_len for line in lines) + 5  # the border, and what is around it
        columns = min(len(panels), felt.width // min(max(widest, LEAST_PANEL), MOST_PANEL))
        if not columns or not self.has_class("-wide"):
            return 0
        rows = -(-len(panels) // columns)
        height = max(len(panel.split("\n")) for panel in panels) + 2
        fits = board + rows * height + BELOW <= felt.height
        return columns if fits or (rows == 1 and not board) else 0

    def _panel(self, place: Place, view: View) -> Styled:
        title = heading(place, self.names[place.seat], place.seat == view.actor, self.say, self.inks)
        zones = (zone_text(zone, self.say, self.inks, self._key) for zone in place.zones)
        return Styled("\n").join([title, *zones])

    def _small_panel(self, place: Place, view: View) -> Styled:
        title = heading(place, self.names[place.seat], place.seat == view.actor, self.say, self.inks)
        return Styled("\n").join([title, compact_text(place.zones, self.say, self.inks, self._key)])

    @property
    def _roomy(self) -> bool:
        return not self.has_class("-compact")

    async def _show_mine(self, view: View) -> None:
        mine = view.table.places[0]
        lines = [heading(mine, self.names[mine.seat], view.actor == mine.seat, self.say, self.inks)]
        for zone in mine.zones:
            if zone.layout == "sets" or (zone.layout == "slots" and view.result):
                lines.append(zone_text(zone, self.say, self.inks, self._key))
            elif zone.layout == "slots":
                lines += [Styled(self.say(zone.note), style=f"italic {self.inks['tomato']}")] if zone.note else []
            elif zone.layout == "list":
                lines.append(zone_text(zone, self.say, self.inks, self._key))
            elif zone.layout == "bars":
                lines.append(bars_text(zone, self.inks, self._key, feet=True))
            elif zone.layout != "cards":
                lines.append(piles_text(zone, self.say, self.inks))
        self.query_one("#mine", Static).update(Styled("\n").join(lines))
        hand = self.query_one("#hand")
        hand.display = view.result is None
        await hand.remove_children()
        for zone in mine.zones:
            if zone.layout == "cards":
                await hand.mount_all(self._rows_of(zone))
            elif zone.layout == "slots":
                cards = [self._slot_card(slot, stack) for slot, stack in enumerate(zone.stacks, 1)]
                await hand.mount_all(self._in_rows(cards, SLOT_CARD))

    def _rows_of(self, zone: Zone) -> Iterator[Widget]:
        """The cards of a zone in as many rows as they need; a title where they are all different."""
        if any(stack.card and stack.card.does for stack in zone.stacks):
            yield from self._worded_cards(zone)
            return
        marked = any(stack.card and stack.card.marks for stack in zone.stacks)
        resting = not any(stack.moves for stack in zone.stacks)
        if not zone.stacks or (marked and resting and not self._roomy):
            yield Static(piles_text(zone, self.say, self.inks), classes="zone-title")
            return
        if marked:
            yield Static(self.say(zone.title), classes="zone-title")
        cards = [self._card(stack) for stack in zone.stacks]
        yield from self._in_rows(cards, MARKED_CARD if marked else CARD if self._roomy else SMALL_CARD)

    def _worded_cards(self, zone: Zone) -> Iterator[Widget]:
        """Cards that say what they do; where there is little room, each in a line."""
        if self._roomy:
            cards = [self._card(stack) for stack in zone.stacks for _ in range(stack.count)]
            yield from self._in_rows(cards, MARKED_CARD)
        else:
            for stack in zone.stacks:
                yield Touchable(worded_line(stack, self.say, self.inks, self._key), classes="worded-line")

    def _in_rows(self, cards: list[CardButton], width: int) -> Iterator[Widget]:
        in_a_row = max(1, self.query_one("#felt").size.width // width)
        for start in range(0, len(cards), in_a_row):
            yield Horizontal(*cards[start : start + in_a_row], classes="cards")

    def _card(self, stack: Stack) -> CardButton:
        key = self._key(stack.moves[0]) if stack.moves else ""
        if stack.card and stack.card.does:
            return CardButton(stack, key, worded_card_text(stack.card, self.say, self.inks))
        return CardButton(stack, key, card_text(stack, self._roomy, self.say, self.inks))

    def _slot_card(self, slot: int, stack: Stack) -> CardButton:
        key = self._key(stack.moves[0]) if stack.moves else ""
        return CardButton(stack, key, slot_card_text(stack, self._roomy, self.inks), slot)

    def _show_races(self, view: View) -> None:
        """The races below the cards, where there is room for them."""
        panel, felt = self.query_one("#races", Static), self.query_one("#felt").size
        panel.display = bool(view.table.races) and self._roomy and view.result is None
        if panel.display:
            panel.border_title = self.say(Text("terminal.races"))
            panel.update(races_grid(view.table.races, felt.width - 4, self.seated.seat, self.say, self.inks))

    def _show_prompt(self, view: View) -> None:
        yours = view.actor == self.seated.seat or self.moment
        prompt = Styled(self.say(view.prompt), style=f"bold {self.inks['tomato'] if yours else self.inks['faint']}")
        if self.moment and self.moment.pause:
            prompt.append(f"\n{self.say(Text('terminal.moment'))}", style=f"not bold italic {self.inks['faint']}")
        for remark in self._remarks():
            prompt.append(f"\n{self.say(remark)}", style=f"not bold {self.inks['river']}")
        self.query_one("#prompt", Static).update(prompt)

    def _remarks(self) -> list[Text]:
        """What there is to know besides what is asked."""
        return []

    def _show_moves(self, offers: list[Offer], faces: dict[Move, Card]) -> None:
        """What you can do, each with its key and, where a single card is meant, its signs."""
        moves = self.query_one("#moves", OptionList)
        moves.clear_options()
        for offer in offers:
            key = self._key(offer.move)
            line = Styled.assemble((f"{key or ' '}  ", f"bold {self.inks['tomato']}"))
            if offer.move in faces:
                line.append_text(signs(faces[offer.move], self.inks)).append(" ")
            line.append(self.say(offer.label))
            moves.add_option(Option(line, id=str(offer.move)))
        moves.highlighted = 0 if offers else None
        moves.display = bool(offers)
        if offers:
            moves.focus()  # a list that was hidden has lost it
        moves.border_title = self.say(Text("terminal.moves"))

    def _show_log(self) -> None:
        log = self.query_one("#log", VerticalScroll)
        log.border_title = self.say(Text("terminal.log"))
        self.query_one("#told", Static).update(Styled("\n").join(self._told()))
        log.scroll_end(animate=False)

    def _told(self) -> Iterator[Styled]:
        """What happened lately, one's own moves in ink; nothing that comes after what is being seen for a moment."""
        seated = self.seated
        until = self._moments[0][0] + 1 if self._moments else seated.happened
        for number in range(max(0, until - LATELY), until):
            style = self.inks["ink"] if seated.is_own(number) else self.inks["faint"]
            for text in seated.told(number):
                yield Styled(self.say(text), style=style)

    def _show_result(self, view: View) -> None:
        panel = self.query_one("#result", Static)
        panel.display = view.result is not None
        if view.result is None:
            self.query_one("#felt", VerticalScroll).anchor(False)  # that of the last game's result
            return
        lines: list[Styled] = []
        if view.awards:
            done = self._awarded >= len(view.awards)
            lines += awards_text(view.awards[: self._awarded], done, self.say, self.inks)
        if self._awarded < len(view.awards):
            hint = self.say(how_many_left(view.awards, self._awarded))
            lines += [Styled(), Styled(hint, style=f"italic {self.inks['faint']}")]
        else:
            lines += [*([Styled()] if lines else []), *self._standing(view.result)]
        panel.update(Styled("\n").join(lines))
        self.query_one("#felt", VerticalScroll).anchor()

    def _standing(self, result: Result) -> Iterator[Styled]:
        """Who won, who came where, and where the record of the game is."""
        winners = tuple(Player(seat) for seat in result.winners)
        key = "terminal.win.shared" if len(winners) > 1 else "terminal.win.they"
        won = Text("terminal.win.you") if result.winners == (self.seated.seat,) else Text(key, winners=winners)
        yield Styled(self.say(won), style=f"bold {self.inks['tomato']}")
        for seat in sorted(range(len(result.ranks)), key=lambda seat: result.ranks[seat]):
            points = self.say(Text("points", n=result.scores[seat]))
            yield Styled(f"{result.ranks[seat]}.  {self.names[seat]}  {points}")
        if self.seated.epilogue:
            yield Styled(self.say(self.seated.epilogue), style=self.inks["faint"])

    def _keys(self, view: View) -> list[Key]:
        keys: list[Key] = [("↑↓ Enter", "choose", "screen.choose")] if view.offers else []
        if self._begun or self.seated.can_undo:
            keys.append(("u", "undo", "screen.undo"))
        if self._moments or self._awarded < len(view.awards):
            keys.append(("Space", "next", "screen.next"))
        if view.result:
            keys.append(("n", "new", "screen.again"))
        if view.table.races:
            keys.append(("b", "races", "screen.races"))
        if self.query_one("#felt").max_scroll_y:
            keys.append(("Home End", "scroll", "screen.scroll_felt(1)"))
        keys += self._further_keys()
        if self._has_reference:
            keys.append(("r", "reference", "screen.reference"))
        keys += [("?", "rules", "screen.rules"), ("l", "language", "app.switch_language")]
        keys += [("d", "theme", "app.switch_theme"), ("Esc", self.leaving, "screen.shelf"), ("q", "quit", "app.quit")]
        return [key for key in keys if key[0] not in self.key_of.values()]  # a key that makes a move does only that

    def _further_keys(self) -> list[Key]:
        """What one can do here besides, at this kind of table."""
        raise NotImplementedError

    # --- what happens ---

    def play(self, move: Move) -> None:
        """Make a move or the next choice of one, if it can be made: what was typed or clicked before the last move was
        drawn was meant for another table, and is dropped."""
        if not any(offer.move == move for offer in self.view.offers):
            return
        if isinstance(move, Part):
            self.begin((*self._begun, move.action))
        else:
            self.make(move)

    def begin(self, choices: tuple[int, ...]) -> None:
        """These are the choices made so far of a move that takes several."""
        self._begun = choices
        self.run_worker(self._show())

    def make(self, move: Move) -> None:
        """Make a whole move."""
        raise NotImplementedError

    def take_back(self) -> None:
        """Take back a whole move."""
        raise NotImplementedError

    def _witness(self) -> None:
        """Note what is to be seen for a moment of what has happened since the last time."""
        for number in range(self._witnessed, self.seated.happened):
            if moment := self.seated.moment(number):
                self._moments.append((number, moment))
        self._witnessed = self.seated.happened

    def _go_on(self) -> None:
        pace = max(PACES[terminal_of(self).pace], 0.01)
        if self._moments:
            number, moment = self._moments[0]
            if not moment.pause:
                self.set_timer(max(AWARD_TIMES * pace, SHORT_MOMENT), lambda: self._pass(number))
        elif self._awarded < len(self.view.awards):
            self.set_timer(AWARD_TIMES * pace, self._award)

    def _pass(self, number: int) -> None:
        """A moment is over, if it has not been over already."""
        if self._moments and self._moments[0][0] == number:
            del self._moments[0]
            self.redraw()
            self._go_on()

    def _tick(self) -> None:
        """The clock of the table."""
        if self.seated.seconds_left is not None:
            self._show_status(self.view)

    def _award(self) -> None:
        """The awards of the final scoring follow one another at the pace of the game, or faster by hand."""
        self._awarded += 1 if PACES[terminal_of(self).pace] else len(self.view.awards)
        self.redraw()
        self._go_on()

    @on(OptionList.OptionSelected)
    def _chosen(self, event: OptionList.OptionSelected) -> None:
        self._play_drawn(str(event.option.id))

    @on(Touched)
    def _touched(self, event: Touched) -> None:
        self._play_drawn(event.move)

    def _play_drawn(self, text: str) -> None:
        """The move that is written so, among those that were drawn."""
        move = next((move for move in self.key_of if str(move) == text), None)
        if move:
            self.play(move)

    def on_key(self, event: KeyPress) -> None:
        move = next((move for move, key in self.key_of.items() if key == event.character), None)
        if move:
            event.stop()
            self.play(move)

    def action_races(self) -> None:
        def draw(width: int) -> Grid:
            return races_grid(self.view.table.races, width, self.seated.seat, self.say, self.inks)

        if self.view.table.races:
            self.app.push_screen(RacesPage(draw))

    def action_next(self) -> None:
        if self._moments:
            self._pass(self._moments[0][0])
        elif self._awarded < len(self.view.awards):
            self._awarded += 1
            self.redraw()

    def action_choose(self) -> None:
        self.query_one("#moves", OptionList).action_select()

    def action_cursor(self, step: int) -> None:
        moves = self.query_one("#moves", OptionList)
        moves.action_cursor_down() if step > 0 else moves.action_cursor_up()

    def action_undo(self) -> None:
        if self._begun:
            self.begin(self._begun[:-1])
        elif not self.seated.can_undo:
            self._remark(Text("terminal.cannot_undo"))
        else:
            self.take_back()

    def _remark(self, text: Text) -> None:
        """A word in the corner, in place of the last one."""
        self.app.clear_notifications()
        self.notify(self.say(text), timeout=3, markup=False)

    def action_scroll_log(self, pages: int) -> None:
        """The log or, once the game is over, the awards."""
        part = self.query_one("#felt" if self.seated.is_over else "#log", VerticalScroll)
        part.scroll_page_down() if pages > 0 else part.scroll_page_up()

    def action_scroll_felt(self, where: int) -> None:
        """What lies on the table, where it does not fit."""
        felt = self.query_one("#felt", VerticalScroll)
        felt.scroll_end() if where > 0 else felt.scroll_home()

    def action_rules(self) -> None:
        self.app.push_screen(RulesPage(self.seated.box))

    @property
    def _has_reference(self) -> bool:
        return terminal_of(self).language.knows(self.seated.box.reference.key)

    def action_reference(self) -> None:
        if self._has_reference:
            self.app.push_screen(ReferencePage(self.seated.box))

    def action_again(self) -> None:
        if self.seated.is_over:
            self.play_again()

    def action_shelf(self) -> None:
        """Leave the table; from a move that was begun, back to what one could do before."""
        if self._begun:
            self.action_undo()
        else:
            self.leave()

    def play_again(self) -> None:
        raise NotImplementedError

    def leave(self) -> None:
        raise NotImplementedError


class TableScreen(LaidTable):
    """A table with bots, at home."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("p", "pace", show=False)]
    seated: HomeTable

    def __init__(self, seated: HomeTable) -> None:
        super().__init__(seated)

    def _further_keys(self) -> list[Key]:
        return [("p", "pace", "screen.pace")]

    def make(self, move: Move) -> None:
        if self._done(lambda: self.seated.play(move)):
            self._begun = ()
            self._witness()
            self.run_worker(self._show())
            self._go_on()

    def take_back(self) -> None:
        if self._done(self.seated.undo):
            self._moments.clear()
            self._witnessed = self.seated.happened
            self.run_worker(self._show())

    def _done(self, step: Callable[[], None]) -> bool:
        """Whether something could be done; what could not be kept on disk is not shown, and ends the game here."""
        try:
            step()
        except UsageError as error:
            terminal_of(self).fail(error)
            return False
        return True

    def _go_on(self) -> None:
        if self.seated.bots_turn and not self._moments:
            self.set_timer(max(PACES[terminal_of(self).pace], 0.01), self._bot_moves)
        else:
            super()._go_on()

    async def _bot_moves(self) -> None:
        while self.seated.bots_turn:
            before = self.seated.happened
            if not self._done(self.seated.let_bots_move):
                return
            self._witness()
            if self._moments or (self._is_told(before) and terminal_of(self).pace != "instant"):
                break
        await self._show()
        self._go_on()

    def _is_told(self, since: int) -> bool:
        """Whether there is anything to see of what happened since; nobody waits for what goes without saying."""
        return any(self.seated.told(number) for number in range(since, self.seated.happened))

    def _tick(self) -> None:
        before = self.seated.happened
        if self._done(self.seated.watch_the_clock):
            super()._tick()
            if self.seated.happened > before:
                self.redraw()

    def action_pace(self) -> None:
        paces = list(PACES)
        pace = paces[(paces.index(terminal_of(self).pace) + 1) % len(paces)]
        terminal_of(self).pace = pace
        self._remark(Text("terminal.pace_is", pace=Text(f"terminal.pace.{pace}")))

    def play_again(self) -> None:
        def deal() -> None:
            self.app.switch_screen(TableScreen(self.seated.again()))

        self._done(deal)

    def leave(self) -> None:
        from brocante.terminal.shelf import Shelf

        self.app.switch_screen(Shelf(self.seated.box))
