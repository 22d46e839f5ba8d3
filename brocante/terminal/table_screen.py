"""The screen of a table, wherever it stands: what is drawn where, and what keys and clicks do."""

import asyncio
from collections.abc import Callable
from typing import Any, ClassVar

from rich.table import Table as Grid
from rich.text import Text as Styled
from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.events import Key as KeyPress
from textual.screen import Screen
from textual.timer import Timer
from textual.widgets import OptionList, Static

from brocante.engine.moves import Move, Part
from brocante.engine.text import Text, Words
from brocante.engine.view import Moment, View
from brocante.terminal.app import terminal_of
from brocante.terminal.boards import draw_board
from brocante.terminal.key_bar import LANGUAGE, QUIT, RULES, THEME, Key, KeyBar
from brocante.terminal.log_panel import LogPanel
from brocante.terminal.moments import Moments, at_that_moment, without_the_outcome
from brocante.terminal.move_list import MoveList, as_they_lie, keys_of
from brocante.terminal.other_players import OtherPlayers, PlayerPanel, columns_for
from brocante.terminal.own_place import OwnCards, OwnPlace
from brocante.terminal.pages import RacesPage, ReferencePage, RulesPage
from brocante.terminal.pen import Pen
from brocante.terminal.races import draw_races
from brocante.terminal.result_panel import ResultPanel
from brocante.terminal.status_line import StatusLine
from brocante.terminal.table_model import TableModel
from brocante.terminal.touchable import Touchable, Touched

BORDER = 6  # columns that a frame takes, with what is around it
AWARD_TIMES = 4  # as long as a move
SHORT_MOMENT = 1.5  # seconds, at least, for a moment that ends by itself
#: How long a bot takes for a turn, in seconds.
PACES = {"calm": 0.9, "brisk": 0.35, "instant": 0.0}


class Felt(VerticalScroll):
    """What lies on the table; it is drawn anew when there is more room or less."""

    def on_resize(self) -> None:
        screen = self.screen
        if isinstance(screen, TableScreen):
            screen.redraw()


class TableScreen(Screen[None]):
    leaving = "shelf"  # what the key bar calls leaving it
    BINDINGS: ClassVar[list[BindingType]] = [
        ("u", "undo"),
        ("n", "again"),
        ("b", "races"),
        ("space,enter", "next"),
        ("question_mark,f1", "rules"),
        ("r", "reference"),
        ("escape", "leave_table"),
        ("left", "cursor(-1)"),
        ("right", "cursor(1)"),
        Binding("home", "scroll_felt(-1)", show=False, priority=True),
        Binding("end", "scroll_felt(1)", show=False, priority=True),
        Binding("pageup", "scroll_log(-1)", show=False, priority=True),
        Binding("pagedown", "scroll_log(1)", show=False, priority=True),
    ]

    def __init__(self, model: TableModel) -> None:
        super().__init__()
        self.model = model
        self._drawing = asyncio.Lock()
        self.key_of: dict[Move, str] = {}
        self._awarded = 1  # awards of the final scoring that were shown
        self._begun: tuple[int, ...] = ()  # the choices made so far of a move that takes several
        self.moments = Moments(model)

    # --- what is on the screen ---

    def compose(self) -> ComposeResult:
        yield StatusLine(id="status")
        with Horizontal(id="body"):
            with Felt(id="felt", can_focus=False):
                yield Touchable(id="board")
                yield OtherPlayers(*(PlayerPanel(id=f"seat-{seat}") for seat in self._clockwise()), id="others")
                yield OwnPlace(id="mine")
                yield OwnCards(id="hand")
                yield Static(id="races")
                yield ResultPanel(id="result")
            with Vertical(id="side"):
                yield Static(id="prompt")
                yield MoveList(id="moves")
                yield LogPanel(id="log")
        yield KeyBar(classes="keys")

    async def on_mount(self) -> None:
        terminal_of(self).table = self.model
        self.query_one(MoveList).focus()
        self.moments.collect()
        await self.draw()
        self.set_interval(1, self._tick)
        self._go_on()

    def _clockwise(self) -> list[int]:
        """The others, in the order in which they play after you."""
        seat, players = self.model.seat, self.model.players
        return [(seat + 1 + i) % players for i in range(players - 1)]

    @property
    def view(self) -> View:
        """What you see. The outcome is hidden until all awards have been shown."""
        view = self.model.view(self._begun)
        if self.moment:
            return at_that_moment(view, self.moment)
        return without_the_outcome(view) if self._awarded < len(view.awards) else view

    @property
    def moment(self) -> Moment | None:
        """What is shown for a moment."""
        return self.moments.now

    @property
    def names(self) -> tuple[str, ...]:
        return self.model.names(terminal_of(self).say("terminal.you"))

    def say(self, text: Words) -> str:
        return terminal_of(self).language.say(text, self.names)

    @property
    def pen(self) -> Pen:
        return Pen(self.say, terminal_of(self).inks, self.key_of)

    def redraw(self) -> None:
        """Draw everything anew, after a change of size, language or theme."""
        if self.query(PlayerPanel):  # otherwise it is being drawn for the first time
            self.run_worker(self.draw())

    async def draw(self) -> None:
        """Draw the table as it is now. One drawing at a time, so that an older one never ends after a newer one."""
        async with self._drawing:
            if not self.display:
                return
            view = self.view
            offers = as_they_lie(view)
            self.key_of = keys_of(view, offers)
            pen, last = self.pen, self.moments.step
            with self.app.batch_update():
                await self.query_one(OtherPlayers).seat(self._clockwise())
                self._draw_around(view, pen)
                await self.query_one(OwnCards).show(view, self._roomy, pen)
                if not self.display:  # it is being closed
                    return
                self.query_one(StatusLine).show(self.model, view, pen)
                self.query_one(OwnPlace).show(view, pen)
                self._draw_races(view, pen)
                self._draw_prompt(view, pen)
                self.query_one(MoveList).show(offers, view, pen)
                self.query_one(LogPanel).show(self.model, self.model.happened if last is None else last + 1, pen)
                self.query_one(ResultPanel).show(self.model, view, self._awarded, pen)
                self.query_one(Felt).anchor(view.result is not None)  # the result is at the end
                self.query_one(KeyBar).show(self._keys(view))
            if isinstance(self.app.screen, RacesPage):
                self.app.screen.redraw()

    def _draw_around(self, view: View, pen: Pen) -> None:
        """The board, if there is one, and the other players; with little room, they come below your own place."""
        felt, others, panel = self.query_one(Felt), self.query_one(OtherPlayers), self.query_one("#board", Static)
        board = draw_board(view.table.board, felt.size.width - BORDER, pen) if view.table.board else None
        panel.display = board is not None
        panel.update(board or "")
        room = felt.size.height - (len(board.split("\n")) + 2 if board else 0)
        columns = columns_for(view, felt.size.width, room, pen) if self.has_class("-wide") else 0
        self.set_class(columns == 0, "-compact")
        if board and not columns:
            felt.move_child(others, after=self.query_one(OwnCards))
        else:
            felt.move_child(others, before=self.query_one(OwnPlace))
        others.show(view, columns, pen)

    @property
    def _roomy(self) -> bool:
        return not self.has_class("-compact")

    def _draw_races(self, view: View, pen: Pen) -> None:
        """The races below the cards, where there is room for them."""
        panel = self.query_one("#races", Static)
        panel.display = bool(view.table.races) and self._roomy and view.result is None
        if panel.display:
            panel.border_title = pen.say(Text("terminal.races"))
            panel.update(draw_races(view.table.races, self.query_one(Felt).size.width - 4, self.model.seat, pen))

    def _draw_prompt(self, view: View, pen: Pen) -> None:
        yours = view.actor == self.model.seat or self.moment
        prompt = Styled(pen.say(view.prompt), style=f"bold {pen.inks['tomato' if yours else 'faint']}")
        if self.moment and self.moment.pause:
            prompt.append(f"\n{pen.say(Text('terminal.moment'))}", style=f"not bold italic {pen.inks['faint']}")
        for remark in self._remarks():
            prompt.append(f"\n{pen.say(remark)}", style=f"not bold {pen.inks['river']}")
        self.query_one("#prompt", Static).update(prompt)

    def _remarks(self) -> list[Text]:
        """What else to say below the prompt."""
        return []

    def _keys(self, view: View) -> list[Key]:
        keys: list[Key] = [("↑↓ Enter", "choose", "screen.choose")] if view.offers else []
        if self._begun or self.model.can_undo:
            keys.append(("u", "undo", "screen.undo"))
        elif self.model.undo_state == "shown":
            keys.append(("u", "undo", ""))
        if self.moments or self._awarded < len(view.awards):
            keys.append(("Space", "next", "screen.next"))
        elif self.model.can_skip:
            keys.append(("Space", "skip", "screen.next"))
        if view.result:
            keys.append(("n", "new", "screen.again"))
        if view.table.races:
            keys.append(("b", "races", "screen.races"))
        if self.query_one(Felt).max_scroll_y:
            keys.append(("Home End", "scroll", "screen.scroll_felt(1)"))
        keys += self._further_keys()
        if self._has_reference:
            keys.append(("r", "reference", "screen.reference"))
        keys += [RULES, LANGUAGE, THEME, ("Esc", self.leaving, "screen.leave_table"), QUIT]
        return [key for key in keys if key[0] not in self.key_of.values()]  # a key that makes a move does nothing else

    def _further_keys(self) -> list[Key]:
        """Keys of this kind of table."""
        raise NotImplementedError

    # --- what happens ---

    def play(self, move: Move) -> None:
        """Make a move or the next choice of one. What was typed before the last move was drawn is dropped."""
        if not any(offer.move == move for offer in self.view.offers):
            return
        if isinstance(move, Part):
            self.begin((*self._begun, move.action))
        else:
            self.make(move)

    def begin(self, choices: tuple[int, ...]) -> None:
        """Set the choices made so far of a move that takes several."""
        self._begun = choices
        self.run_worker(self.draw())

    def make(self, move: Move) -> None:
        """Make a whole move."""
        raise NotImplementedError

    def take_back(self) -> None:
        """Take back a whole move."""
        raise NotImplementedError

    def _go_on(self) -> None:
        """Start the timer for what comes next by itself."""
        pace = PACES[terminal_of(self).pace]
        step, moment = self.moments.step, self.moment
        if step is not None and moment:
            if not moment.pause:
                self.after(max(AWARD_TIMES * pace, SHORT_MOMENT), lambda: self._pass(step))
        elif self._awarded < len(self.view.awards):
            self.after(AWARD_TIMES * pace, self._award)

    def after(self, seconds: float, act: Callable[[], Any]) -> Timer | None:
        """Do something later. What is due at once has no timer: Textual skips a ring that is late, so that on a busy
        machine a timer of a few milliseconds may never ring."""
        if seconds:
            return self.set_timer(seconds, act)
        self.call_later(act)
        return None

    def _pass(self, step: int) -> None:
        """End a moment, unless it has ended already."""
        if self.moments.drop(step):
            self.redraw()
            self._go_on()

    def _tick(self) -> None:
        """The clock of the table."""
        if self.model.seconds_left is not None:
            self.query_one(StatusLine).show(self.model, self.view, self.pen)

    def _award(self) -> None:
        """Show the next award; at the instant pace, all of them."""
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
        """Make the move with this text, if it is among those that were drawn."""
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
            return draw_races(self.view.table.races, width, self.model.seat, self.pen)

        if self.view.table.races:
            self.app.push_screen(RacesPage(draw))

    def action_next(self) -> None:
        if self.moments.step is not None:
            self._pass(self.moments.step)
        elif self._awarded < len(self.view.awards):
            self._awarded += 1
            self.redraw()
        elif self.model.can_skip:
            self.skip()

    def skip(self) -> None:
        """Do not wait for bots until the person must decide."""
        raise NotImplementedError

    def action_choose(self) -> None:
        self.query_one(MoveList).action_select()

    def action_cursor(self, step: int) -> None:
        moves = self.query_one(MoveList)
        moves.action_cursor_down() if step > 0 else moves.action_cursor_up()

    def action_undo(self) -> None:
        if self._begun:
            self.begin(self._begun[:-1])
        elif not self.model.can_undo:
            shown = self.model.undo_state == "shown"
            self._remark(Text("table.refused.shown" if shown else "terminal.cannot_undo"))
        else:
            self.take_back()

    def _remark(self, text: Text) -> None:
        """Show a word in the corner, in place of the last one."""
        self.app.clear_notifications()
        self.notify(self.say(text), timeout=3, markup=False)

    def action_scroll_log(self, pages: int) -> None:
        """Scroll the log or, once the game is over, the awards."""
        part = self.query_one("#felt" if self.model.is_over else "#log", VerticalScroll)
        part.scroll_page_down() if pages > 0 else part.scroll_page_up()

    def action_scroll_felt(self, where: int) -> None:
        """Scroll the table, if it does not fit."""
        felt = self.query_one(Felt)
        felt.scroll_end() if where > 0 else felt.scroll_home()

    def action_rules(self) -> None:
        self.app.push_screen(RulesPage(self.model.box))

    @property
    def _has_reference(self) -> bool:
        return terminal_of(self).language.knows(self.model.box.reference.key)

    def action_reference(self) -> None:
        if self._has_reference:
            self.app.push_screen(ReferencePage(self.model.box))

    def action_again(self) -> None:
        if self.model.is_over:
            self.play_again()

    def action_leave_table(self) -> None:
        """Leave the table, or go back one choice of a move that was begun."""
        if self._begun:
            self.action_undo()
        else:
            self.leave()

    def play_again(self) -> None:
        raise NotImplementedError

    def leave(self) -> None:
        raise NotImplementedError
