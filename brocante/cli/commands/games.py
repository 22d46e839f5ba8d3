"""`brocante games`: the games and who made them."""

from typing import Any

import brocante
from brocante.bots import bots_for
from brocante.cli.errors import report_unplayable_games
from brocante.cli.language import Lang, in_words
from brocante.cli.making import make_command
from brocante.cli.printing import Json, print_json, print_table
from brocante.engine.box import Box


def command(name: str) -> Any:
    return make_command(name, "cli.games", list_games)


def list_games(as_json: Json = False, lang: Lang = None) -> None:
    report_unplayable_games()
    shelf = [lid(brocante.box(slug)) for slug in brocante.GAMES]
    if as_json:
        print_json(shelf)
    else:
        print_shelf(shelf)


def lid(box: Box) -> dict[str, Any]:
    """What is printed on the lid of a box."""
    return {
        "game": box.slug,
        "title": in_words(box.title),
        "edition": box.edition,
        "version": box.version,
        "players": list(box.players),
        "minutes": box.minutes,
        "authors": list(box.authors),
        "publisher": box.publisher,
        "bots": list(bots_for(box)),
        "options": {option.name: option.default for option in box.options},
    }


def print_shelf(shelf: list[dict[str, Any]]) -> None:
    from rich.text import Text

    rows = []
    for game in shelf:
        players = f"{game['players'][0]}–{game['players'][-1]}"
        authors, bots = ", ".join(game["authors"]) or "–", ", ".join(game["bots"])
        authors += f" ({game['publisher']})" if game["publisher"] else ""
        rows.append([Text(game["game"], "bold"), game["title"], players, str(game["minutes"]), authors, bots])
    print_table(["slug", "title", "players", "minutes", "authors", "bots"], rows)
