"""What has changed of a view since the one before, and the view that follows from it.

Most of a table stays as it is when somebody moves. So a client that has a view is sent only the parts that differ, by
their paths (`table.places.1.zones.0`), and what may be touched now. Both views are what the viewer was shown, so what
differs between them tells nothing else.
"""

from collections.abc import Mapping
from typing import Any

import msgspec
from msgspec.structs import astuple

from brocante.engine.perspective import Perspective
from brocante.engine.text import Language, Text
from brocante.engine.view import Place, Race, Stack, Table, View, Zone, encoder, remembered

#: What is compared field by field, with these fields. Everything else is sent as a whole where it differs.
COMPARED = {kind: kind.__struct_fields__ for kind in (View, Table, Place, Zone, Stack, Race)}
NESTED: set[type[Any]] = {*COMPARED, tuple}
#: What is often made anew although it looks the same.
MOSTLY_EQUAL = (Stack, Race)


class Changes(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """What has changed of a view, and all that may be touched now (nothing else may)."""

    since: int  # the number of the last event that the client was told before
    parts: dict[str, Any] = {}  # by path; "" is the view itself
    lists: dict[str, list[Any]] = {}  # that are longer or shorter, by path: what was in them before, by its place there
    touch: dict[str, list[int]] = {}  # the numbers of the offers that touching makes, by path in the table
    why: dict[str, list[str]] = {}  # the paths in the table at which touching does nothing, by the reason


def encoded_changes(
    before: Perspective, after: Perspective | None, since: int, language: Language, names: tuple[str, ...]
) -> msgspec.Raw | None:
    """What has changed, as JSON in a language; None if nothing has."""
    if after is None:
        return msgspec.Raw(msgspec.json.encode(Changes(since, {"": None})))
    parts: dict[str, Any] = {}
    lists: dict[str, list[Any]] = {}
    compare(before.view, after.view, "", parts, lists)
    if not parts and not lists and before.touches == after.touches:
        return None
    if "offers" in parts:
        parts["offers"] = [msgspec.structs.replace(offer, move=offer.move.encoded()) for offer in after.view.offers]
    touch, why = touches_told(after, language, names)
    return msgspec.Raw(encoder(language, names).encode(Changes(since, parts, lists, touch, why)))


def touches_told(
    seen: Perspective, language: Language, names: tuple[str, ...]
) -> tuple[dict[str, list[int]], dict[str, list[str]]]:
    """What may be touched and why other things may not, as it is told. Many things share a reason."""
    numbers = {offer.move: number for number, offer in enumerate(seen.view.offers)}
    touch: dict[str, list[int]] = {}
    reasons: dict[Text, list[str]] = {}
    for path, found in seen.touches.items():
        if found.moves:
            touch[path] = [numbers[move] for move in found.moves]
        if found.why:
            reasons.setdefault(found.why, []).append(path)
    why: dict[str, list[str]] = {}
    for reason, paths in reasons.items():
        why.setdefault(language.say(reason, names), []).extend(paths)
    return touch, why


def compare(before: Any, after: Any, path: str, parts: dict[str, Any], lists: dict[str, list[Any]]) -> None:
    """Find the smallest parts in which two views differ. What looks the same is mostly the same object, so that is
    what is looked at first."""
    kind = type(after)
    if type(before) is not kind or kind not in NESTED:
        if before != after:
            parts[path] = after
    elif kind is tuple:
        compare_tuples(before, after, path, parts, lists)
    elif kind is Zone:
        inside, longer_or_shorter = changes_of_zone(before, after)
        for name, part in inside:
            parts[f"{path}.{name}"] = part
        for name, places in longer_or_shorter:
            lists[f"{path}.{name}"] = places
    elif kind not in MOSTLY_EQUAL or before != after:
        compare_fields(before, after, f"{path}." if path else "", parts, lists)


def compare_tuples(
    before: tuple[Any, ...], after: tuple[Any, ...], path: str, parts: dict[str, Any], lists: dict[str, list[Any]]
) -> None:
    """Those of what is compared field by field are lists, whose members stay apart."""
    if not (before and after and type(before[0]) in COMPARED and type(after[0]) in COMPARED):
        if before != after:
            parts[path] = after
    elif len(before) == len(after):
        for number, old in enumerate(before):
            if old is not (new := after[number]):
                compare(old, new, f"{path}.{number}", parts, lists)
    else:
        places = {part: place for place, part in enumerate(before)}
        lists[path] = [places.get(part, part) for part in after]


def compare_fields(before: Any, after: Any, path: str, parts: dict[str, Any], lists: dict[str, list[Any]]) -> None:
    for name, old, new in zip(COMPARED[type(after)], astuple(before), astuple(after), strict=True):
        if old is new:
            continue
        if type(new) in NESTED:
            compare(old, new, path + name, parts, lists)
        elif old != new:
            parts[path + name] = new


@remembered
def changes_of_zone(before: Zone, after: Zone) -> tuple[tuple[tuple[str, Any], ...], tuple[tuple[str, list[Any]], ...]]:
    """The parts and the lists that differ. At most tables, zones change in ways that were seen before."""
    parts: dict[str, Any] = {}
    lists: dict[str, list[Any]] = {}
    compare_fields(before, after, "", parts, lists)
    return tuple(parts.items()), tuple(lists.items())


def changed(view: Mapping[str, Any], changes: Changes) -> Any:
    """The view, as plain data, that follows from one and from what has changed of it. Nothing of the first one is
    changed."""
    found: Any = view
    for path, part in changes.parts.items():
        found = replaced(found, path, part)
    for path, parts in changes.lists.items():
        before = part_at(view, path)
        found = replaced(found, path, [before[part] if isinstance(part, int) else part for part in parts])
    return found and {**found, "table": touched(found["table"], found["offers"], changes)}


def part_at(whole: Any, path: str) -> Any:
    for step in path.split("."):
        whole = whole[int(step) if isinstance(whole, list) else step]
    return whole


def replaced(whole: Any, path: str, part: Any) -> Any:
    """The same with another part at a path."""
    if not path:
        return part
    step, _, beyond = path.partition(".")
    at: Any = int(step) if isinstance(whole, list) else step
    copied = whole.copy()
    copied[at] = replaced(whole[at], beyond, part)
    return copied


def touched(table: Mapping[str, Any], offers: list[Any], changes: Changes) -> Any:
    """A table on which that may be touched, and nothing else."""
    moves = {path: [offers[number]["move"] for number in numbers] for path, numbers in changes.touch.items()}
    why = {path: words for words, paths in changes.why.items() for path in paths}

    def touch(thing: Mapping[str, Any], path: str) -> dict[str, Any]:
        return {**thing, "moves": moves.get(path, []), "why": why.get(path)}

    def zones(some: list[Any], path: str) -> list[Any]:
        found = [touch(zone, f"{path}.{number}") for number, zone in enumerate(some)]
        for number, zone in enumerate(found):
            stacks = enumerate(zone["stacks"])
            zone["stacks"] = [touch(stack, f"{path}.{number}.stacks.{at}") for at, stack in stacks]
        return found

    places = enumerate(table["places"])
    return {
        **table,
        "centre": zones(table["centre"], "centre"),
        "places": [{**place, "zones": zones(place["zones"], f"places.{number}.zones")} for number, place in places],
        "board": zones(table["board"], "board"),
    }
