"""The first screen: choose a game, its options and the opponents."""

from typing import Any, ClassVar

from rich.text import Text as Styled
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical, VerticalScroll
from textual.message import Message
from textual.screen import Screen
from textual.widgets import Static

import brocante
from brocante.bots import best_bot, bots_for
from brocante.engine.box import Box
from brocante.engine.errors import UsageError
from brocante.engine.options import Option
from brocante.engine.text import Text
from brocante.terminal.app import terminal_of
from brocante.terminal.home_table import HomeTable, new_game
from brocante.terminal.key_bar import LANGUAGE, QUIT, RULES, THEME, KeyBar
from brocante.terminal.pages import RulesPage
from brocante.terminal.saved_games import close_outdated, resumed_game, unfinished


class Chooser(Static, can_focus=True):
    """One thing to choose, with the left and right arrows or by clicking."""

    BINDINGS: ClassVar[list[BindingType]] = [("right,space", "turn(1)"), ("left", "turn(-1)")]

    class Turned(Message):
        """Something else was chosen."""

        def __init__(self, chooser: "Chooser") -> None:
            super().__init__()
            self.chooser = chooser

    def __init__(self, box: Box, name: str, values: list[Any], chosen: Any) -> None:
        super().__init__(classes="chooser")
        self.box = box
        self.option = name
        self.values = values
        self.chosen = chosen

    def on_mount(self) -> None:
        self.redraw()

    def redraw(self) -> None:
        app = terminal_of(self)
        title, value, hint = self.in_words()
        arrow = app.inks["tomato"]
        line = Styled.assemble((title.ljust(14), app.inks["faint"]), ("◀ ", arrow), (value, "bold"), (" ▶", arrow))
        self.update(line.append(f"\n{hint}", style=app.inks["faint"]) if hint else line)

    def in_words(self) -> tuple[str, str, str]:
        """The title, the present choice and a hint."""
        app, box = terminal_of(self), self.box
        if self.option == "game":
            return app.say("terminal.game"), app.say(box.title), ""
        if self.option == "bots":
            bot = f"bot.{self.chosen}"
            return app.say("terminal.opponents"), app.say(f"{bot}.title"), app.say(f"{bot}.help")
        key = f"{box.slug}.option.{self.option}"
        value = f"{key}.{'none' if self.chosen is None else self.chosen}"
        named = app.say(value) if app.language.knows(value) else str(self.chosen)
        return app.say(f"{key}.title"), named, app.say(f"{key}.help")

    def action_turn(self, step: int) -> None:
        self.chosen = self.values[(self.values.index(self.chosen) + step) % len(self.values)]
        self.redraw()
        self.post_message(self.Turned(self))

    def on_click(self) -> None:
        self.focus()
        self.action_turn(1)


class StartButton(Static, can_focus=True):
    """A line to press."""

    BINDINGS: ClassVar[list[BindingType]] = [("space", "screen.begin")]

    def __init__(self, name: str) -> None:
        super().__init__(classes="starter", id=name)

    def redraw(self) -> None:
        self.update(terminal_of(self).say(f"terminal.button.{self.id}"))

    async def on_click(self) -> None:
        await self.run_action("screen.begin")


def in_order(option: Option) -> list[Any]:
    """The values to choose from, numbers in ascending order."""
    values = list(option.tried())
    return sorted(values) if option.kind is int and None not in values else values


class MenuPage(VerticalScroll, inherit_bindings=False):
    """Scrolls where it is higher than the window; the arrow keys go from one choice to the next."""


class GameMenu(Screen[None]):
    BINDINGS: ClassVar[list[BindingType]] = [
        ("down", "app.focus_next"),
        ("up", "app.focus_previous"),
        ("enter", "begin"),
        ("question_mark,f1", "rules"),
    ]

    def __init__(self, box: Box | None = None) -> None:
        """`box`: the game that was played last, if there was one."""
        super().__init__()
        self.box = box or brocante.box(brocante.GAMES[0])
        self._put_aside: dict[str, Text | None] = {}  # what to say of closed games, by slug

    def compose(self) -> ComposeResult:
        with MenuPage(id="game-menu"):
            yield Static(id="sign")
            yield Static(id="about")
            yield Vertical(id="choosers")
            yield StartButton("start")
            yield StartButton("resume")
        yield KeyBar(classes="keys")

    def on_mount(self) -> None:
        self.query_one("#choosers").mount_all(self._choosers())
        self.call_after_refresh(self.query_one("#start").focus)
        self.redraw()

    def on_screen_resume(self) -> None:
        self.redraw()

    def _choosers(self) -> list[Chooser]:
        options = [Chooser(self.box, o.name, in_order(o), o.default) for o in self.box.options if not o.bring]
        bots = Chooser(self.box, "bots", list(bots_for(self.box)), best_bot(self.box))
        return [Chooser(self.box, "game", list(brocante.GAMES), self.box.slug), *options, bots]

    async def on_chooser_turned(self, event: Chooser.Turned) -> None:
        """Another game has other options."""
        self._release(event.chooser)
        slug = self._chosen()["game"]
        if slug != self.box.slug:
            self.box = brocante.box(slug)
            choosers = self.query_one("#choosers")
            await choosers.remove_children()
            await choosers.mount_all(self._choosers())
            choosers.children[0].focus()
            self.redraw()

    def _release(self, turned: Chooser) -> None:
        """Reset the option that excludes the one that was just chosen."""
        default = {option.name: option.default for option in self.box.options}
        if turned.chosen == default.get(turned.option, turned.chosen):
            return
        for other in self.query(Chooser):
            pair = {turned.option, other.option}
            if any(o.name in pair and o.instead_of in pair for o in self.box.options):
                other.chosen = default[other.option]
                other.redraw()

    def _chosen(self) -> dict[str, Any]:
        return {chooser.option: chooser.chosen for chooser in self.query(Chooser)}

    def redraw(self) -> None:
        app = terminal_of(self)
        sign = Styled.assemble(
            (f"{app.say('terminal.title')}\n", f"bold {app.inks['tomato']}"),
            (app.say("terminal.subtitle"), f"italic {app.inks['faint']}"),
        )
        self.query_one("#sign", Static).update(sign)
        about = Styled.assemble(
            (f"{app.say('terminal.choose')}\n\n", "bold"),
            f"{app.say(f'{self.box.slug}.blurb')}\n",
            (app.say("terminal.by", authors=self.box.authors) if self.box.authors else "", app.inks["faint"]),
            (f" ({self.box.publisher})" if self.box.publisher else "", app.inks["faint"]),
        )
        if closed := self._closed_game():
            about.append(f"\n\n{app.say(closed)}", style=app.inks["tomato"])
        self.query_one("#about", Static).update(about)
        for part in (*self.query(Chooser), *self.query(StartButton)):
            part.redraw()
        self.query_one("#resume").display = any(unfinished(self.box))
        self.query_one(KeyBar).show([("Enter", "play", "screen.begin"), RULES, LANGUAGE, THEME, QUIT])

    def _closed_game(self) -> Text | None:
        """Say what became of a saved game that cannot go on. It is said once, until the menu is opened again."""
        slug = self.box.slug
        if slug not in self._put_aside:
            try:
                self._put_aside[slug] = close_outdated(self.box)
            except UsageError as error:
                self._put_aside[slug] = error.text
        return self._put_aside[slug]

    def action_begin(self) -> None:
        self.begin(resume=self.focused is not None and self.focused.id == "resume")

    def begin(self, resume: bool) -> None:
        box, chosen = self.box, self._chosen()
        bot, _ = chosen.pop("bots"), chosen.pop("game")

        def seat() -> HomeTable:
            if resume:
                return resumed_game(box)
            return new_game(box, chosen, [bot] * (chosen["players"] - 1))

        if screen := terminal_of(self).screen_of(box, seat):
            self.app.switch_screen(screen)

    def action_rules(self) -> None:
        self.app.push_screen(RulesPage(self.box))
