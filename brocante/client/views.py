"""What a server sends of a table, turned back into views: the words are in the reader's language already."""

import unicodedata
from collections.abc import Mapping
from typing import Any, get_args

import msgspec

from brocante.engine.box import Box
from brocante.engine.moves import Move, Part, read_move
from brocante.engine.view import Moment, View


def read_view(box: Box, plain: Mapping[str, Any]) -> View:
    """The view that `View.plain` wrote."""
    view: View = _read(box, View, plain)
    return view


def read_moment(box: Box, plain: Mapping[str, Any]) -> Moment:
    moment: Moment = _read(box, Moment, plain)
    return moment


def clean(text: str) -> str:
    """Words of a server, without anything that would steer a terminal.

    >>> clean("Ana\\x1b[2J wins.")
    'Ana[2J wins.'
    """
    return "".join(mark for mark in text if mark == "\n" or unicodedata.category(mark) != "Cc")


def _read(box: Box, kind: Any, plain: Any) -> Any:
    """Plain data as what the fields of a view say that it is."""
    if isinstance(plain, str):
        return clean(plain)
    if isinstance(plain, list):
        part = get_args(kind)[0]
        return tuple(_read(box, part, value) for value in plain)
    if not isinstance(plain, dict):
        return plain
    if kind is Move:
        return read_move((*box.moves, Part), plain)
    kind = next(one for one in (kind, *get_args(kind)) if isinstance(one, type) and issubclass(one, msgspec.Struct))
    fields = [field for field in msgspec.structs.fields(kind) if field.name in plain]
    return kind(**{field.name: _read(box, field.type, plain[field.name]) for field in fields})
