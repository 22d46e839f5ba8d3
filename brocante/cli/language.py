"""The language of whoever reads what the command line prints."""

from contextvars import ContextVar
from itertools import pairwise
from typing import Annotated, Any

import typer

from brocante.engine.text import LANGUAGES, Text, Words, language, preferred_language

LANGUAGE: ContextVar[str] = ContextVar("language", default=LANGUAGES[0])


def choose_language(args: list[str]) -> None:
    """Before any option is read: help texts need it."""
    LANGUAGE.set(language_in(args) or preferred_language())


def language_in(args: list[str]) -> str | None:
    """The language after `--lang`, if it is one of ours.

    >>> language_in(["rules", "--lang", "fr"]), language_in(["--lang=en"]), language_in(["--seed", "fr"])
    ('fr', 'en', None)
    """
    words = " ".join(args).replace("--lang=", "--lang ").split()
    named = {code for flag, code in pairwise(words) if flag == "--lang"}
    return next((code for code in LANGUAGES if code in named), None)


def say(key: str, **blanks: Any) -> str:
    return in_words(Text(key, **blanks))


def amounts(**numbers: int) -> dict[str, Text]:
    """How many there are of what, to fill blanks with."""
    return {what: Text(f"cli.amount.{what}", n=number) for what, number in numbers.items()}


def in_words(text: Words) -> str:
    return language(LANGUAGE.get()).say(text)


def set_language(code: str | None) -> str | None:
    """The callback of `--lang`."""
    if code is not None:
        LANGUAGE.set(language(code).code)
    return code


def figure(number: str) -> str:
    """A number as the reader's language writes it."""
    return number.translate({ord(","): "\u00a0", ord("."): ","}) if LANGUAGE.get() == "fr" else number


Lang = Annotated[
    str | None,
    typer.Option("--lang", metavar="en|fr", help="cli.option.lang", callback=set_language, is_eager=True),
]
