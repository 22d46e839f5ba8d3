"""The table: everyone's cards, what you can do, what happened."""

import asyncio
from collections.abc import Callable, Iterator
from typing import ClassVar

from rich.text import Text as Styled
from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.events import Key as KeyPress
from textual.message import Message
from textual.screen import Screen
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from brocante.engine.errors import UsageError
from brocante.engine.moves import Move
from brocante.engine.text import Player, Text
from brocante.engine.view import Offer, Place, Stack, View, Zone
from brocante.terminal.app import terminal_of
from brocante.terminal.drawing import card_text, compact_text, heading, zone_text
from brocante.terminal.keys import Key, Keys
from brocante.terminal.rules_page import RulesPage
from brocante.terminal.seats import PERSON, SeatedGame

WHOLE_PANEL = 36  # columns that everything before one player takes
LATELY = 300  # steps that the log goes back
#: How long a bot takes for a move, in seconds.
PACES = {"calm": 0.9, "brisk": 0.35, "instant": 0.0}


class PlayerPanel(Static):
    """What lies before another player."""


class CardButton(Static):
    """A card in your hand; touching it plays it."""

    class Touched(Message):
        def __init__(self, move: Move) -> None:
            super().__init__()
            self.move = move

    def __init__(self, stack: Stack, key: str, picture: Styled) -> None:
        super().__init__(picture, classes="card" if stack.moves else "card resting")
        self.border_subtitle = key
        self._stack = stack

    def on_click(self) -> None:
        if self._stack.moves:
            self.post_message(self.Touched(self._stack.moves[0]))


class TableScreen(Screen[None]):
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("u", "undo", show=False),
        Binding("p", "pace", show=False),
        Binding("n", "again", show=False),
        Binding("question_mark,f1", "rules", show=False),
        Binding("escape", "shelf", show=False),
        Binding("left", "cursor(-1)", show=False),
        Binding("right", "cursor(1)", show=False),
        Binding("pageup", "scroll_log(-1)", show=False, priority=True),
        Binding("pagedown", "scroll_log(1)", show=False, priority=True),
    ]

    def __init__(self, seated: SeatedGame) -> None:
        super().__init__()
        self.seated = seated
        self._drawing = asyncio.Lock()

    # --- what is on the screen ---

    def compose(self) -> ComposeResult:
        yield Static(id="status")
        with Horizontal(id="body"):
            with VerticalScroll(id="felt", can_focus=False):
                yield Horizontal(id="others")
                yield Static(id="mine")
                yield Horizontal(id="hand")
                yield Static(id="result")
            with Vertical(id="side"):
                yield Static(id="prompt")
                yield OptionList(id="moves")
                with VerticalScroll(id="log", can_focus=False):
                    yield Static(id="told")
        yield Keys(classes="keys")

    async def on_mount(self) -> None:
        terminal_of(self).seated = self.seated
        others = [PlayerPanel(id=f"seat-{seat}") for seat in self._clockwise()]
        await self.query_one("#others").mount_all(others)
        self.query_one("#moves").focus()
        await self._show()
        self._go_on()

    def _clockwise(self) -> list[int]:
        """The others, in the order in which they play after you."""
        players = self.seated.game.players
        return [(PERSON + 1 + i) % players for i in range(players - 1)]

    @property
    def view(self) -> View:
        return self.seated.game.view(PERSON)

    @property
    def names(self) -> tuple[str, ...]:
        return self.seated.names(terminal_of(self).say("terminal.you"))

    def say(self, text: Text | Player | str) -> str:
        return terminal_of(self).language.say(text, self.names)

    @property
    def inks(self) -> dict[str, str]:
        return terminal_of(self).inks

    def redraw(self) -> None:
        """Everything anew, after a change of language or theme."""
        self.run_worker(self._show())

    async def _show(self) -> None:
        """Draw the table as it is now. One drawing at a time: an older one must not end after a newer one."""
        async with self._drawing:
            view = self.view
            with self.app.batch_update():
                self.set_class(not self._roomy, "-compact")
                self._show_status(view)
                for place in view.table.places:
                    if place.seat != PERSON:
                        self.query_one(f"#seat-{place.seat}", Static).update(self._panel(place, view))
                await self._show_mine(view)
                self._show_prompt(view)
                self._show_moves(view.offers)
                self._show_log()
                self._show_result(view)
                self.query_one(Keys).show(self._keys(view))

    def _show_status(self, view: View) -> None:
        title = Styled()
        title.append(f" {self.say(self.seated.game.box.title)} ", style=f"bold reverse {self.inks['teal']}")
        title.append(f"  {self.say(view.table.status)}")
        for zone in view.table.centre:
            title.append("    ").append_text(zone_text(zone, self.say, self.inks))
        self.query_one("#status", Static).update(title)

    def _panel(self, place: Place, view: View) -> Styled:
        name = self.names[place.seat]
        title = heading(place, name, place.seat == view.actor, self.say, self.inks)
        if not self._roomy:
            return Styled("\n").join([title, compact_text(place.zones, self.inks)])
        return Styled("\n").join([title, *(zone_text(zone, self.say, self.inks) for zone in place.zones)])

    @property
    def _roomy(self) -> bool:
        """Whether everyone's zones can be drawn in full, side by side."""
        return self.has_class("-wide") and self.query_one("#felt").size.width >= WHOLE_PANEL * (
            self.seated.game.players - 1
        )

    def on_resize(self) -> None:
        if self.query(PlayerPanel):
            self.run_worker(self._show())

    async def _show_mine(self, view: View) -> None:
        mine = view.table.places[PERSON]
        lines = [heading(mine, self.names[PERSON], view.actor == PERSON, self.say, self.inks)]
        lines += [zone_text(zone, self.say, self.inks) for zone in mine.zones if zone.layout != "cards"]
        self.query_one("#mine", Static).update(Styled("\n").join(lines))
        hand = self.query_one("#hand")
        await hand.remove_children()
        await hand.mount_all(self._cards(mine.zones, view.offers))

    def _cards(self, zones: tuple[Zone, ...], offers: tuple[Offer, ...]) -> Iterator[CardButton]:
        keys = {offer.move: offer.key for offer in offers}
        for zone in zones:
            if zone.layout == "cards":
                for stack in zone.stacks:
                    key = keys[stack.moves[0]] if stack.moves else ""
                    yield CardButton(stack, key, card_text(stack, self._roomy, self.say, self.inks))

    def _show_prompt(self, view: View) -> None:
        style = f"bold {self.inks['tomato'] if view.actor == PERSON else self.inks['faint']}"
        self.query_one("#prompt", Static).update(Styled(self.say(view.prompt), style=style))

    def _show_moves(self, offers: tuple[Offer, ...]) -> None:
        moves = self.query_one("#moves", OptionList)
        moves.clear_options()
        for offer in offers:
            line = Styled.assemble((f"{offer.key}  ", f"bold {self.inks['tomato']}"), self.say(offer.label))
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
        """What happened lately, one's own moves in ink."""
        game = self.seated.game
        for number in range(max(0, len(game.steps) - LATELY), len(game.steps)):
            step = game.steps[number]
            style = self.inks["ink"] if step.move and step.move.seat == PERSON else self.inks["faint"]
            for text in game.told(PERSON, number):
                yield Styled(self.say(text), style=style)

    def _show_result(self, view: View) -> None:
        panel = self.query_one("#result", Static)
        result = view.result
        panel.display = result is not None
        if result is None:
            return
        if result.winners == (PERSON,):
            lines = [Styled(self.say(Text("terminal.win.you")), style=f"bold {self.inks['tomato']}")]
        else:
            key = "terminal.win.shared" if len(result.winners) > 1 else "terminal.win.they"
            winners = tuple(Player(seat) for seat in result.winners)
            lines = [Styled(self.say(Text(key, winners=winners)), style=f"bold {self.inks['tomato']}")]
        for seat in sorted(range(len(result.ranks)), key=lambda seat: result.ranks[seat]):
            points = self.say(Text("points", n=result.scores[seat]))
            lines.append(Styled(f"{result.ranks[seat]}.  {self.names[seat]}  {points}"))
        lines.append(
            Styled(
                self.say(Text("terminal.record", file=str(self.seated.saved and self.seated.saved.path))),
                style=self.inks["faint"],
            )
        )
        panel.update(Styled("\n").join(lines))
        self.call_after_refresh(panel.scroll_visible)

    def _keys(self, view: View) -> list[Key]:
        keys: list[Key] = [("↑↓ Enter", "choose", "screen.choose")] if view.offers else []
        if self.seated.can_undo:
            keys.append(("u", "undo", "screen.undo"))
        if view.result:
            keys.append(("n", "new", "screen.again"))
        keys += [
            ("p", "pace", "screen.pace"),
            ("?", "rules", "screen.rules"),
            ("l", "language", "app.switch_language"),
        ]
        return [*keys, ("d", "theme", "app.switch_theme"), ("Esc", "shelf", "screen.shelf"), ("q", "quit", "app.quit")]

    # --- what happens ---

    def play(self, move: Move) -> None:
        if self.seated.persons_turn and self._done(lambda: self.seated.play(move)):
            self.run_worker(self._show())
            self._go_on()

    def _done(self, step: Callable[[], None]) -> bool:
        """Whether something could be done; what could not be kept on disk is not shown, and ends the game here."""
        try:
            step()
        except UsageError as error:
            terminal_of(self).fail(error)
            return False
        return True

    def _go_on(self) -> None:
        if self.seated.bots_turn:
            self.set_timer(max(PACES[terminal_of(self).pace], 0.01), self._bot_moves)

    async def _bot_moves(self) -> None:
        while self.seated.bots_turn and self._done(self.seated.let_bot_move):
            if terminal_of(self).pace != "instant":
                break
        await self._show()
        self._go_on()

    @on(OptionList.OptionSelected)
    def _chosen(self, event: OptionList.OptionSelected) -> None:
        offer = next((o for o in self.view.offers if str(o.move) == event.option.id), None)
        if offer:
            self.play(offer.move)

    @on(CardButton.Touched)
    def _touched(self, event: CardButton.Touched) -> None:
        self.play(event.move)

    def on_key(self, event: KeyPress) -> None:
        offer = next((o for o in self.view.offers if o.key == event.character), None)
        if offer:
            event.stop()
            self.play(offer.move)

    def action_choose(self) -> None:
        self.query_one("#moves", OptionList).action_select()

    def action_cursor(self, step: int) -> None:
        moves = self.query_one("#moves", OptionList)
        moves.action_cursor_down() if step > 0 else moves.action_cursor_up()

    def action_undo(self) -> None:
        if not self.seated.can_undo:
            self._remark(Text("terminal.cannot_undo"))
        elif self._done(self.seated.undo):
            self.run_worker(self._show())

    def action_pace(self) -> None:
        paces = list(PACES)
        pace = paces[(paces.index(terminal_of(self).pace) + 1) % len(paces)]
        terminal_of(self).pace = pace
        self._remark(Text("terminal.pace_is", pace=Text(f"terminal.pace.{pace}")))

    def _remark(self, text: Text) -> None:
        """A word in the corner, in place of the last one."""
        self.app.clear_notifications()
        self.notify(self.say(text), timeout=3)

    def action_scroll_log(self, pages: int) -> None:
        log = self.query_one("#log", VerticalScroll)
        log.scroll_page_down() if pages > 0 else log.scroll_page_up()

    def action_again(self) -> None:
        if self.seated.game.is_over:
            again = self.seated.again()
            if self._done(again.keep):
                self.app.switch_screen(TableScreen(again))

    def action_rules(self) -> None:
        self.app.push_screen(RulesPage(self.seated.game.box))

    def action_shelf(self) -> None:
        from brocante.terminal.shelf import Shelf

        self.app.switch_screen(Shelf())
