"""Words: a `Text` says what is meant, a `Language` says it in English or French.

Everything people read is a `Text`: a key of the language catalogues and what goes into its blanks. Whoever shows it
chooses the language at the last moment, so one log, one error and one view serve every reader.

A catalogue is a TOML file. A message is a string with blanks in braces, or a table of `one` and `other` forms; the
blank `n` decides between them. A game brings the catalogue of its own words in its folder (`locale/en.toml`).
"""

import os
import re
import tomllib
from collections.abc import Callable, Mapping, Sequence
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

LANGUAGES = ("en", "fr")
#: Texts with blanks that a language remembers having said.
MOST_REMEMBERED = 20_000
PLURAL_FORMS = {"one", "other"}
#: In French, "de" loses its e before a vowel, such as that of a name.
FRENCH_ELISION = re.compile(r"\b([Dd])e (?=[AEIOUYÀÂÉÈÊËÎÏÔÛaeiouyàâéèêëîïôû])")
FRENCH_SPACE = re.compile(r" (?=[:;!?»])|(?<=«) ")
#: Where each prefix of a key is looked up: "" for Brocante's own words, a game's slug for the game's.
_folders: dict[str, Path] = {"": Path(__file__).parent.parent / "locale"}


class Text:
    """A message of the catalogues with its blanks: `Text("move.end")`, `Text("cards", n=3)`.

    A blank may be filled with another Text, a `Player`, a `Name`, a tuple of these, which becomes a list in words, or a
    list of them, which becomes a line for each.
    """

    __slots__ = ("_hash", "args", "key")

    def __init__(self, key: str, /, **args: Any) -> None:
        self.key = key
        self.args = args
        self._hash: int | None = None

    def __eq__(self, other: object) -> bool:
        return self is other or (isinstance(other, Text) and self.key == other.key and self.args == other.args)

    def __hash__(self) -> int:
        if self._hash is None:
            try:
                self._hash = hash((self.key, *self.args.values()))
            except TypeError:  # a list has none
                self._hash = hash(self.key)
        return self._hash

    def __reduce__(self) -> tuple[Any, ...]:
        """Another process hashes otherwise."""
        return _text, (self.key, self.args)

    def __repr__(self) -> str:
        return f"Text({', '.join([repr(self.key), *(f'{k}={v!r}' for k, v in self.args.items())])})"

    def __str__(self) -> str:
        return language("en").say(self)


def _text(key: str, args: Mapping[str, Any]) -> Text:
    return Text(key, **args)


class Player:
    """The name of whoever sits at a seat."""

    __slots__ = ("seat",)

    def __init__(self, seat: int) -> None:
        self.seat = int(seat)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Player) and self.seat == other.seat

    def __hash__(self) -> int:
        return hash(self.seat)

    def __repr__(self) -> str:
        return f"Player({self.seat})"


class Name:
    """The name of something that no catalogue knows: a card of a deck that players brought along.

    >>> lamp = Name({"en": "lava lamp", "fr": "lampe à lave"})
    >>> language("fr").say(lamp), language("fr").say(Name({}, "thing"))
    ('lampe à lave', 'thing')
    """

    __slots__ = ("by_language", "otherwise")

    def __init__(self, by_language: Mapping[str, str], otherwise: str = "") -> None:
        self.by_language = by_language
        self.otherwise = otherwise

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Name) and (self.by_language, self.otherwise) == (other.by_language, other.otherwise)

    def __hash__(self) -> int:
        return hash((tuple(self.by_language.items()), self.otherwise))

    def __repr__(self) -> str:
        return f"Name({self.by_language!r}, {self.otherwise!r})"


Words = Text | Player | Name | str  # anything a language can say
Say = Callable[[Words], str]  # a language, with the names at one table


class Language:
    """A language, with the catalogues of Brocante and of every game."""

    def __init__(self, code: str) -> None:
        self.code = code
        self._catalogues: dict[str, Mapping[str, Any]] = {}
        self._messages: dict[str, Any] = {}  # cache of what was said before
        self._said: dict[str, str] = {}  # those without blanks, as they are said
        self._remembered = lru_cache(MOST_REMEMBERED)(self._say_anew)  # tables say the same things again and again

    def say(self, text: "Words", names: Sequence[str] = ()) -> str:
        """The text in this language, with the players called by these names.

        >>> language("en").say(Text("list.and", first="bread", last="wine"))
        'bread and wine'
        >>> language("fr").say(Text("list.and", first="pain", last="vin"))
        'pain et vin'
        """
        if not isinstance(text, Text):
            return str(self._fill(text, names))
        if text.args:
            return self._remembered(text, tuple(names))
        said = self._said.get(text.key)
        if said is None:
            said = self._said[text.key] = self._with(text, {})
        return said

    def _say_anew(self, text: Text, names: Sequence[str]) -> str:
        return self._with(text, {name: self._fill(value, names) for name, value in text.args.items()})

    def _with(self, text: Text, blanks: Mapping[str, Any]) -> str:
        said = self._message(text).format(**blanks)
        if self.code == "fr" and ("de " in said or "De " in said):
            return FRENCH_ELISION.sub("\\1’", said)
        return said

    def knows(self, key: str) -> bool:
        return key in self._catalogue(key)

    def _message(self, text: Text) -> str:
        message = self._messages.get(text.key)
        if message is None:
            message = self._messages[text.key] = self._catalogue(text.key)[text.key]
        if isinstance(message, str):
            return message
        return str(message["one" if self._is_one(text.args["n"]) else "other"])

    def typeset(self, message: Any) -> Any:
        """French sets a space before its high punctuation, at which no line may break."""
        if self.code != "fr":
            return message
        if isinstance(message, dict):
            return {form: self.typeset(text) for form, text in message.items()}
        return FRENCH_SPACE.sub("\u00a0", message)

    def _is_one(self, n: int) -> bool:
        return abs(n) < 2 if self.code == "fr" else n == 1

    def _fill(self, value: Any, names: Sequence[str]) -> Any:
        if type(value) is int or type(value) is str:  # as most are
            return value
        if isinstance(value, Text):
            return self.say(value, names)
        if isinstance(value, Player):
            return names[value.seat] if 0 <= value.seat < len(names) else self.say(Text("seat", number=value.seat))
        if isinstance(value, Name):
            return value.by_language.get(self.code, value.otherwise)
        if isinstance(value, list):
            return "".join(f"\n  {self._fill(part, names)}" for part in value)
        if isinstance(value, tuple):
            return self._listed([str(self._fill(part, names)) for part in value])
        return value

    def _listed(self, parts: list[str]) -> str:
        if len(parts) < 2:
            return "".join(parts)
        return self.say(Text("list.and", first=", ".join(parts[:-1]), last=parts[-1]))

    def _catalogue(self, key: str) -> Mapping[str, Any]:
        slug = key.partition(".")[0]
        slug = slug if slug in _folders else ""
        if slug not in self._catalogues:
            messages = read_catalogue(_folders[slug] / f"{self.code}.toml", slug)
            self._catalogues[slug] = {key: self.typeset(message) for key, message in messages.items()}
        return self._catalogues[slug]


def read_catalogue(file: Path, slug: str = "") -> dict[str, Any]:
    """The messages of a catalogue file by their full keys."""
    messages: dict[str, Any] = {}

    def collect(prefix: str, table: Mapping[str, Any]) -> None:
        for name, value in table.items():
            key = f"{prefix}.{name}" if prefix else name
            if isinstance(value, str) or set(value) == PLURAL_FORMS:
                messages[key] = value
            else:
                collect(key, value)

    collect(slug, tomllib.loads(file.read_text("utf-8")))
    return messages


def add_catalogue(slug: str, folder: Path) -> None:
    """Let keys that start with a game's slug be found in the game's own folder."""
    if _folders.get(slug) != folder:
        _folders[slug] = folder
        language.cache_clear()


def catalogue_folders() -> dict[str, Path]:
    return dict(_folders)


@cache
def language(code: str) -> Language:
    if code not in LANGUAGES:
        from brocante.engine.errors import UsageError  # an error is a Text too

        raise UsageError(Text("error.language", code=code, languages=LANGUAGES))
    return Language(code)


def preferred_language() -> str:
    """The reader's language by the environment: `BROCANTE_LANG`, then what the terminal says, then English."""
    for variable in ("BROCANTE_LANG", "LC_ALL", "LC_MESSAGES", "LANG"):
        code = os.environ.get(variable, "")[:2].lower()
        if code:
            return code if code in LANGUAGES else "en"
    return "en"
