"""`brocante serve`: the server. Every setting is a flag and an environment variable."""

from typing import Annotated, Any

import typer

from brocante.cli.errors import report_unplayable_games
from brocante.cli.language import Lang, say
from brocante.cli.making import flag, make_command, own_flags, with_flags
from brocante.extras import needs
from brocante.server.config import SETTINGS, configured


def command(name: str) -> Any:
    settings = [
        flag(setting, type(default), default, envvar=f"BROCANTE_{setting.upper()}", help=f"cli.serve.{setting}")
        for setting, default in SETTINGS.items()
    ]
    return make_command(name, "cli.serve.help", with_flags(run_server, [*own_flags(run_server), *settings]))


def run_server(
    *,
    host: Annotated[str, typer.Option(envvar="BROCANTE_HOST", help="cli.serve.host")] = "127.0.0.1",
    port: Annotated[
        int | None, typer.Option(envvar="BROCANTE_PORT", show_default="8000", help="cli.serve.port")
    ] = None,
    open_page: Annotated[bool, typer.Option("--open", help="cli.serve.open")] = False,
    workers: Annotated[int, typer.Option(envvar="BROCANTE_WORKERS", min=1, help="cli.serve.workers")] = 1,
    json_logs: Annotated[bool, typer.Option(envvar="BROCANTE_JSON_LOGS", help="cli.serve.json_logs")] = False,
    lang: Lang = None,
    **settings: Any,
) -> None:
    with needs("server"):
        from brocante.server import browser
        from brocante.server.serve import USUAL_PORT, address, serve

    report_unplayable_games()

    def announce(url: str, database: str) -> None:
        if not json_logs:
            typer.echo(say("cli.serving", url=url, database=database))
        if open_page:
            browser.open_when_ready(url)

    if open_page and port is None:
        port, is_there = browser.find_port(host)
        if is_there:
            typer.echo(say("cli.serving_already", url=address(host, port)))
            return browser.open_page(address(host, port))
    port = USUAL_PORT if port is None else port
    return serve(configured(settings), host=host, port=port, workers=workers, json_logs=json_logs, announce=announce)
