"""The screen of a table at home, where bots move at the pace that the person chooses."""

from collections.abc import Callable
from typing import ClassVar

from textual.binding import BindingType
from textual.timer import Timer

from brocante.engine.errors import UsageError
from brocante.engine.moves import Move
from brocante.engine.text import Text
from brocante.table import Refused
from brocante.terminal.app import terminal_of
from brocante.terminal.home_table import HomeTable
from brocante.terminal.key_bar import Key
from brocante.terminal.table_screen import PACES, TableScreen


class HomeTableScreen(TableScreen):
    BINDINGS: ClassVar[list[BindingType]] = [("p", "pace")]
    model: HomeTable

    def __init__(self, model: HomeTable) -> None:
        super().__init__(model)
        self._hurried = False  # bots move at once until the person must decide
        self._next: Timer | None = None  # after which a bot moves

    def _further_keys(self) -> list[Key]:
        return [("p", "pace", "screen.pace")]

    def make(self, move: Move) -> None:
        if self._done(lambda: self.model.play(move)):
            self._begun = ()
            self.moments.collect()
            self.run_worker(self.draw())
            self._go_on()

    def take_back(self) -> None:
        try:
            if self._done(self.model.undo):
                self.moments.skip()
                self.run_worker(self.draw())
        except Refused as refused:  # a close look has found that it showed something
            self._remark(refused.text)

    def _done(self, step: Callable[[], object]) -> bool:
        """Do something, and say whether it worked. If it cannot be saved, stop with a sentence that says why."""
        try:
            step()
        except UsageError as error:
            terminal_of(self).fail(error)
            return False
        return True

    def _go_on(self) -> None:
        if self.model.bots_turn and not self.moments:
            wait = 0.0 if self._hurried else PACES[terminal_of(self).pace]
            self._next = self.after(wait, self._bot_moves)
        else:
            super()._go_on()

    async def _bot_moves(self) -> None:
        while self.model.bots_turn:
            before = self.model.happened
            if not self._done(self.model.let_bots_move):
                return
            self.moments.collect()
            waits = not self._hurried and terminal_of(self).pace != "instant"
            if self.moments or (self._is_logged(before) and waits):
                break
        self._hurried = self._hurried and self.model.bots_turn
        await self.draw()
        self._go_on()

    def skip(self) -> None:
        self._hurried = True
        if self._next:
            self._next.stop()
        self._go_on()

    def _is_logged(self, since: int) -> bool:
        """Whether the log says anything about what happened since; nobody waits for silent moves."""
        return any(self.model.sentences(number) for number in range(since, self.model.happened))

    def _tick(self) -> None:
        before = self.model.happened
        if self._done(self.model.watch_the_clock):
            super()._tick()
            if self.model.happened > before:
                self.redraw()

    def action_pace(self) -> None:
        paces = list(PACES)
        pace = paces[(paces.index(terminal_of(self).pace) + 1) % len(paces)]
        terminal_of(self).pace = pace
        self._remark(Text("terminal.pace_is", pace=Text(f"terminal.pace.{pace}")))

    def play_again(self) -> None:
        self._done(lambda: self.app.switch_screen(HomeTableScreen(self.model.again())))

    def leave(self) -> None:
        from brocante.terminal.game_menu import GameMenu

        self.app.switch_screen(GameMenu(self.model.box))
