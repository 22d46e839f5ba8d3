"""A server: its open tables, to sit down at one or to open another."""

import asyncio
import getpass
import math
from typing import Any, ClassVar

from rich.text import Text as Styled
from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.screen import Screen
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from brocante.client import Client, ServerRefused, TableClient
from brocante.client.client import read_link
from brocante.client.table import or_hung_up
from brocante.client.views import clean
from brocante.engine.box import Box
from brocante.engine.errors import BrocanteError
from brocante.engine.text import Text
from brocante.games import GAMES
from brocante.games import box as find_box
from brocante.terminal.app import terminal_of
from brocante.terminal.game_menu import Chooser, GameMenu, MenuPage
from brocante.terminal.key_bar import LANGUAGE, QUIT, THEME, Key, KeyBar
from brocante.terminal.lobby import Lobby
from brocante.terminal.server_logins import save_login, saved_login
from brocante.terminal.server_screen import warn
from brocante.terminal.server_table import ServerTable
from brocante.wire.http import Listed

NEW = "new"  # the id of the entry that opens a table
REFRESH = 3.0  # seconds between two requests for the list of tables


async def log_in(server: str, name: str | None, lang: str) -> Client:
    """As the guest that the person was at this server the last time, or as a new one."""
    kept = saved_login(server, name)
    if kept:
        client = Client(server, token=kept[1], lang=lang, detail="view", patience=math.inf)
        try:
            return await client.__aenter__()
        except ServerRefused as error:
            if error.code != "token":
                raise
            name = kept[0]  # the token has expired
    client = Client(server, name or getpass.getuser().title(), lang=lang, detail="view", patience=math.inf)
    await client.__aenter__()
    save_login(server, client.name, client.token)
    return client


class ServerMenu(Screen[None]):
    """The tables of a server. The connection lasts as long as this screen."""

    BINDINGS: ClassVar[list[BindingType]] = [("o", "open")]

    def __init__(self, link: str, name: str | None) -> None:
        """`link`: the address of a server, or of a table at which to sit down at once."""
        super().__init__()
        self.server, self._table = read_link(link)
        self._name = name
        self._tables: list[Listed] = []
        self.client: Client | None = None

    def compose(self) -> ComposeResult:
        with MenuPage(id="server-menu"):
            yield Static(id="sign")
            yield Static(id="here")
            yield OptionList(id="tables")
        yield KeyBar(classes="keys")

    def on_mount(self) -> None:
        self.redraw()
        self.run_worker(self._visit())

    def on_screen_resume(self) -> None:
        """Back from a table: the list may have changed."""
        self.redraw()
        self.run_worker(self._refresh())

    async def _visit(self) -> None:
        """Stay connected until the screen is closed."""
        app = terminal_of(self)
        try:
            self.client = await log_in(self.server, self._name, app.language.code)
        except BrocanteError as error:
            app.fail(error)
            return
        if self._table:
            await self.sit_down(self._table)
        while True:
            await self._refresh()
            await asyncio.sleep(REFRESH)

    async def on_unmount(self) -> None:
        if self.client:
            await self.client.close()

    async def _refresh(self) -> None:
        """Ask for the tables, if the screen is on top. If the server is away, the next refresh asks again."""
        if self.app.screen is not self or self.client is None:
            return
        try:
            self._tables = [table for table in await self.client.tables() if table.game in GAMES]
        except BrocanteError as error:
            self._tables = []
            warn(self, error)
        self.redraw()

    def redraw(self) -> None:
        if not self.display:  # it is being closed
            return
        app = terminal_of(self)
        if self.client:
            self.client.lang = app.language.code
        sign = Styled(app.say("terminal.title"), style=f"bold {app.inks['tomato']}")
        self.query_one("#sign", Static).update(sign)
        name = clean(self.client.name) if self.client else "…"
        here = Styled(app.say("terminal.remote.here", server=self.server, name=name), style=app.inks["faint"])
        self.query_one("#here", Static).update(here)
        self._list_tables()
        keys: list[Key] = [("↑↓ Enter", "choose", "screen.choose"), ("o", "open", "screen.open")]
        self.query_one(KeyBar).show([*keys, LANGUAGE, THEME, QUIT])

    def _list_tables(self) -> None:
        tables = self.query_one("#tables", OptionList)
        highlighted = tables.highlighted
        tables.clear_options()
        tables.border_title = terminal_of(self).say("terminal.remote.tables")
        tables.add_options(Option(self._line(table), id=table.id) for table in self._tables)
        tables.add_option(Option(Styled(terminal_of(self).say("terminal.remote.new")), id=NEW))
        tables.highlighted = min(highlighted or 0, tables.option_count - 1)
        if self.app.screen is self:
            tables.focus()

    def _line(self, table: Listed) -> Styled:
        app, box = terminal_of(self), find_box(table.game)
        sitting = tuple(clean(seat["name"]) for seat in table.seats if seat["name"])
        free = sum(seat["kind"] == "empty" for seat in table.seats)
        line = Styled.assemble((f"{app.say(box.title)}  ", f"bold {app.inks[box.ink]}"))
        line.append(app.say("terminal.remote.free", n=free), style=app.inks["ink"])
        return line.append(f"  {', '.join(sitting)}", style=app.inks["faint"])

    @on(OptionList.OptionSelected, "#tables")
    def _chosen(self, event: OptionList.OptionSelected) -> None:
        if event.option.id == NEW:
            self.action_open()
        else:
            self.run_worker(self.sit_down(str(event.option.id)))

    def action_choose(self) -> None:
        self.query_one("#tables", OptionList).action_select()

    def action_open(self) -> None:
        if self.client:
            self.app.push_screen(NewTableMenu(self))

    async def sit_down(self, table: str) -> None:
        """Take a seat at a table."""
        assert self.client
        try:
            await self._at(await self.client.sit(table))
        except BrocanteError as error:
            warn(self, error)

    async def host_table(self, box: Box, options: dict[str, Any]) -> None:
        """Open a table and sit down at it."""
        assert self.client
        try:
            table = await self.client.open(box.slug, **options)
            async with or_hung_up(table):
                await table.sit()
            await self._at(table)
        except BrocanteError as error:
            warn(self, error)

    async def _at(self, table: TableClient) -> None:
        model = ServerTable(table)
        self.run_worker(self._follow(model))
        await self.app.push_screen(Lobby(model))

    async def _follow(self, model: ServerTable) -> None:
        """Listen to a table until the person leaves it; stop with a sentence if that fails."""
        try:
            await model.follow()
        except BrocanteError as error:
            terminal_of(self).fail(error)


class NewTableMenu(GameMenu):
    """What to play at a new table."""

    BINDINGS: ClassVar[list[BindingType]] = [("escape", "app.pop_screen")]

    def __init__(self, menu: ServerMenu) -> None:
        super().__init__()
        self._menu = menu

    def _choosers(self) -> list[Chooser]:
        return [chooser for chooser in super()._choosers() if chooser.option != "bots"]

    def redraw(self) -> None:
        super().redraw()
        self.query_one("#resume").display = False
        self.query_one("#start", Static).update(terminal_of(self).say(Text("terminal.remote.new")))

    def begin(self, resume: bool) -> None:
        chosen = self._chosen()
        chosen.pop("game")
        self.app.pop_screen()
        self._menu.run_worker(self._menu.host_table(self.box, chosen))
