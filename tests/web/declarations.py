"""Writes brocante/web/base/wire.d.ts, the types of the wire for the page, from the Python types that the server sends:
`python -m tests.web.declarations`. A test checks that the file is up to date."""

import sys
import types
from collections.abc import Iterable
from inspect import cleandoc
from pathlib import Path
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

import msgspec

import brocante
from brocante.engine import view
from brocante.engine.moves import Move
from brocante.engine.text import Name, Player, Text
from brocante.table.facts import Clock
from brocante.wire import changes, events, http, socket_codec

FILE = Path(brocante.__file__).parent / "web/base/wire.d.ts"
#: What the server sends to the page, and is declared for it.
SENT: tuple[type[msgspec.Struct], ...] = (
    *(view.Mark, view.Card, view.Stack, view.Zone, view.Place, view.Race, view.Table),
    *(view.Offer, view.Result, view.Award, view.Moment, view.Gesture, view.View),
    *(Clock, events.SeatInfo, events.TableInfo, events.Now, events.Event),
    *(changes.Changes, socket_codec.You, socket_codec.Welcome, socket_codec.News, socket_codec.Done),
    *(socket_codec.NotDone, socket_codec.Seen, socket_codec.Frame, socket_codec.Recapped),
    *(socket_codec.Announcement, socket_codec.Bye),
    *(http.OptionInfo, http.GameInfo, http.Listed, http.Own),
    *(http.LessonInfo, http.LessonReply, http.Replayed),
)
#: Fields whose content is encoded before it is put into a message; Python does not know its type then.
ENCODED = {"pictures": dict[str, view.Card], "moments": tuple[view.Moment, ...], "view": view.View}
HEAD = """\
/** What the server sends. Written by `python -m tests.web.declarations` from the Python types; do not edit. */

/** A move as in a record (docs/record.md); of a move of several choices, the next choice as a number (`action`). */
export type Move = { seat: number; move: string; action?: number; [argument: string]: any };
"""
PLAIN = {str: "string", int: "number", float: "number", bool: "boolean", type(None): "null", Any: "any"}
WORDS = (Text, Player, Name)  # sent as strings, in the viewer's language


def declarations() -> str:
    messages = [sent for sent in SENT if issubclass(sent, socket_codec.Message)]
    union = f"export type Message = {' | '.join(message.__name__ for message in messages)};\n"
    return "\n".join([HEAD, *map(declared, SENT), union])


def declared(sent: type[msgspec.Struct]) -> str:
    """A struct as a type of TypeScript. A field that is left out at its default is optional."""
    config, hints = sent.__struct_config__, get_type_hints(sent, include_extras=True)
    lines = [f"{config.tag_field}: {quoted(config.tag)}"] if config.tag_field else []
    for field in msgspec.structs.fields(sent):
        mark = "?" if config.omit_defaults and not field.required else ""
        hint = ENCODED.get(field.name, hints[field.name])
        lines.append(f"{field.name}{mark}: {written(hint | None if field.default is None else hint)}")
    body = "".join(f"  {line};\n" for line in lines)
    return f"{comment(sent)}export type {sent.__name__} = {{\n{body}}};\n"


def comment(sent: type) -> str:
    text = cleandoc(vars(sent).get("__doc__") or "").split("\n\n")[0].replace("\n", " ")
    return f"/** {text} */\n" if text else ""


def written(hint: Any) -> str:
    """A type of Python as TypeScript writes it."""
    origin, inside = get_origin(hint), get_args(hint)
    if hint in PLAIN:
        return PLAIN[hint]
    if origin is Annotated:
        return written(inside[0])
    if origin is Literal:
        return " | ".join(map(quoted, inside))
    if origin in (Union, types.UnionType):
        return " | ".join(unique(map(written, inside)))
    if origin in (tuple, list):
        element = written(inside[0])
        return f"({element})[]" if " | " in element else f"{element}[]"
    if origin is dict:
        return f"Record<{written(inside[0])}, {written(inside[1])}>"
    if hint in WORDS:
        return "string"
    if hint is Move or hint in SENT:
        return str(hint.__name__)
    raise TypeError(f"{hint} is sent to the page, and not declared for it")


def unique(parts: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(parts))


def quoted(value: object) -> str:
    return f'"{value}"'


if __name__ == "__main__":
    FILE.write_text(declarations())
    sys.stdout.write(f"{FILE} is written\n")
