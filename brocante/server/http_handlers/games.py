"""The games that a server offers, and their rules."""

from brocante.bots import bots_for
from brocante.engine.box import Box
from brocante.engine.options import Option
from brocante.engine.text import Language, Text
from brocante.games import GAMES
from brocante.games import box as find_box
from brocante.server.http import Exchange
from brocante.server.http_errors import HttpRefused
from brocante.server.markdown import rules_as_html
from brocante.server.pages import HTML
from brocante.wire.http import GameInfo, OptionInfo


async def games(exchange: Exchange) -> list[GameInfo]:
    """The games, with their options."""
    return [game_info(find_box(slug), exchange.language) for slug in GAMES]


def game_info(box: Box, language: Language) -> GameInfo:
    return GameInfo(
        slug=box.slug,
        title=language.say(box.title),
        blurb=language.say(Text(f"{box.slug}.blurb")),
        authors=box.authors,
        publisher=box.publisher,
        players=tuple(box.players),
        minutes=box.minutes,
        ink=box.ink,
        forgets=box.forgets,
        reference=language.say(box.reference) if language.knows(box.reference.key) else "",
        options=tuple(option_info(box, option, language) for option in box.options if not option.bring),
        bots=tuple(bots_for(box)),
    )


def option_info(box: Box, option: Option, language: Language) -> OptionInfo:
    return OptionInfo(
        name=option.name,
        title=language.say(Text(f"{box.slug}.option.{option.name}.help")),
        kind=option.kind.__name__,
        default=option.default,  # type: ignore[arg-type]
        least=option.least,
        most=option.most,
        choices=option.choices,
        instead_of=option.instead_of,
    )


async def rules(exchange: Exchange) -> bytes:
    """The rules of a game in our own words, as Markdown or (`?as=html`) as a piece of HTML."""
    game, code = exchange.path("game"), exchange.language.code
    check_game(game)
    wanted = exchange.request.query_params.get("as")
    if wanted not in (None, "html"):
        raise HttpRefused(400, "as")
    if wanted is None:
        return find_box(game).rules_page(code).encode()
    exchange.media_type = HTML
    return rules_as_html(game, code).encode()


def check_game(game: str) -> None:
    if game not in GAMES:
        raise HttpRefused(404, "no_game", games=tuple(GAMES))
