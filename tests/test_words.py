"""Every word is in the catalogues, in every language, and every word in them is used."""

import re
import string
from pathlib import Path

import pytest

import brocante
from brocante.engine.text import LANGUAGES, Player, Text, catalogue_folders, language, read_catalogue

PACKAGE = Path(brocante.__file__).parent
SLUGS = ("", *brocante.GAMES)


def messages(slug: str, code: str) -> dict[str, object]:
    if slug:
        brocante.box(slug)
    return read_catalogue(catalogue_folders()[slug] / f"{code}.toml", slug)


def blanks(message: object) -> set[str]:
    forms = [message] if isinstance(message, str) else list(message.values())  # type: ignore[attr-defined]
    return {name for form in forms for _, name, _, _ in string.Formatter().parse(form) if name}


@pytest.mark.parametrize("slug", SLUGS)
def test_every_language_says_the_same_things(slug: str) -> None:
    english = messages(slug, "en")
    for code in LANGUAGES:
        other = messages(slug, code)
        assert set(other) == set(english)
        for key, message in english.items():
            assert blanks(other[key]) == blanks(message), key
            assert isinstance(other[key], str) == isinstance(message, str), key


@pytest.mark.parametrize("slug", SLUGS)
def test_french_is_spaced_as_french_is(slug: str) -> None:
    for key, message in messages(slug, "fr").items():
        for form in [message] if isinstance(message, str) else message.values():  # type: ignore[attr-defined]
            assert not re.search(r"[^\s ][;?!»](\s|$)", form), key
            assert not re.search(r"«\S", form), key


#: Everything people read, of which one can see at a glance what fails: catalogues, and the rules in our own words.
WORDS = sorted([*PACKAGE.glob("**/locale/*"), *PACKAGE.glob("web/words/*")])
MARKS = {"en": "’“”", "fr": "’«»"}
#: What is shown as one types it or finds it in a file: code, and in straight quotes a blank, a key or a short move.
AS_TYPED = re.compile(r'`[^`]*`|"(\{\w+\}|[a-z][a-z0-9_-]*( [a-z0-9-]+)?)"')


@pytest.mark.parametrize("file", WORDS, ids=lambda file: str(file.relative_to(PACKAGE)))
def test_apostrophes_and_quotation_marks_are_of_one_kind(file: Path) -> None:
    code = file.stem.removeprefix("rules.")
    texts = [file.read_text("utf-8")] if file.suffix == ".md" else forms_in(file)
    lines = [line for text in texts for line in AS_TYPED.sub("", text).splitlines()]
    assert [line for line in lines if set("\"'‘’“”„«»") & set(line) - set(MARKS[code])] == []


def forms_in(file: Path) -> list[str]:
    messages = read_catalogue(file).values()
    return [form for message in messages for form in ([message] if isinstance(message, str) else message.values())]


def keys_in_code() -> tuple[set[str], list[re.Pattern[str]]]:
    """The keys that stand in the code, whole ones and those put together from parts."""
    source = "\n".join(file.read_text() for file in PACKAGE.rglob("*.py"))
    keys = r"""(?:"|\')([a-z_{][a-z_{}.]*(?:\.(?:[a-z_.]|\{[^{}]*\})+)+)(?:"|\')"""
    quoted = set(re.findall(keys, source)) | {"seat", "points"}
    whole = {key for key in quoted if "{" not in key}
    quoted = {key for key in quoted if re.search(r"[a-z]{3}", re.sub(r"\{.*?\}", "", key))}  # some of it is said
    parts = [re.compile(re.sub(r"\\\{.*?\\\}", r"[\\w.-]+", re.escape(key)) + "$") for key in quoted if "{" in key]
    return whole, parts


def test_every_key_in_the_code_is_in_the_catalogues() -> None:
    whole, _ = keys_in_code()
    prefixes = {key.partition(".")[0] for slug in SLUGS for key in messages(slug, "en")}
    known = {key for slug in SLUGS for key in messages(slug, "en")}
    asked = {key for key in whole if key.partition(".")[0] in prefixes and not key.endswith(("toml", "md"))}
    beginnings = {key.rpartition(".")[0] for key in known}  # to which the code adds the last word
    assert asked - known - beginnings == set()


@pytest.mark.parametrize("slug", SLUGS)
def test_no_message_is_left_over(slug: str) -> None:
    whole, parts = keys_in_code()
    unused = {key for key in messages(slug, "en") if key not in whole and not any(p.match(key) for p in parts)}
    assert unused == set()


def test_numbers_choose_their_form() -> None:
    assert [language("en").say(Text("points", n=n)) for n in (0, 1, 2)] == ["0 points", "1 point", "2 points"]
    assert [language("fr").say(Text("points", n=n)) for n in (0, 1, 2)] == ["0 point", "1 point", "2 points"]


def test_french_elides_before_a_name_with_a_vowel() -> None:
    card = Text("vinto.card.of", slot=2, player=Player(0))
    assert [language("fr").say(card, [name]) for name in ("Odette", "Marcel")] == [
        "la carte 2 d’Odette",
        "la carte 2 de Marcel",
    ]


def test_players_are_called_by_their_names() -> None:
    waiting = Text("prompt.wait", player=Player(1))
    assert language("en").say(waiting, ["Ana", "Ben"]) == "Ben is thinking…"
    assert language("en").say(waiting) == "Seat 1 is thinking…"


@pytest.mark.parametrize("slug", brocante.GAMES)
@pytest.mark.parametrize("code", LANGUAGES)
def test_every_game_has_rules_pages_that_name_every_clause(slug: str, code: str) -> None:
    page = brocante.box(slug).rules_page(code)
    named = set(re.findall(r"\b[A-Z]\d+\b", page))
    in_the_rules = set(re.findall(r"\b[A-Z]\d+\b", (brocante.box(slug).folder / "rules.py").read_text()))
    assert in_the_rules - named == set(), "what the code cites, people can read"
    assert all(author in page for author in brocante.box(slug).authors)
