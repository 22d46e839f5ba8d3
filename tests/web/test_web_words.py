"""Every word of the page is in its catalogues, in every language, and every word in them is used."""

import re
import string
from pathlib import Path

import brocante
from brocante.engine.text import LANGUAGES, read_catalogue
from tests.web.javascript import HOLE, Literal, literals

PACKAGE = Path(brocante.__file__).parent
MODULES = sorted([*PACKAGE.glob("web/**/*.js"), *PACKAGE.glob("games/*/web/**/*.js")])
SHELL = (PACKAGE / "web/index.html").read_text()
#: Whose arguments people read, and from which argument on.
SHOWING = {"h": 2, "s": 2, "fill": 1, "append": 0, "prepend": 0, "replaceChildren": 0, "announce": 0}
#: What people read or hear of an element besides its text.
READ_OUT = (
    "aria-label",
    "title",
    "alt",
    "placeholder",
    "aria-description",
    "aria-roledescription",
    "label",
    "textContent",
)


def messages(code: str) -> dict[str, object]:
    return read_catalogue(PACKAGE / f"web/words/{code}.toml", "")


def forms(message: object) -> list[str]:
    return [message] if isinstance(message, str) else list(message.values())  # type: ignore[attr-defined]


def blanks(message: object) -> set[str]:
    return {name for form in forms(message) for _, name, _, _ in string.Formatter().parse(form) if name}


def texts_in(module: Path) -> list[Literal]:
    return literals(module.read_text())


def keys_in_code() -> tuple[set[str], list[re.Pattern[str]]]:
    """The keys that stand in the code, whole ones and those put together from parts."""
    texts = {found.text for module in MODULES for found in texts_in(module) if not is_tag(found)}
    texts |= set(re.findall(r"\{([a-z_]+(?:\.[a-z_]+)+)\}", SHELL))
    keys = {text for text in texts if re.fullmatch(r"[a-z_]+\.(?:[a-z0-9_.]|\{\})+", text)}
    parts = [re.compile(re.escape(key).replace(re.escape(HOLE), r"[\w.-]+") + "$") for key in keys if HOLE in key]
    return {key for key in keys if HOLE not in key}, parts


def test_every_language_says_the_same_things() -> None:
    english = messages("en")
    for code in LANGUAGES:
        other = messages(code)
        assert set(other) == set(english)
        for key, message in english.items():
            assert blanks(other[key]) == blanks(message), key
            assert isinstance(other[key], str) == isinstance(message, str), key


def test_french_is_spaced_as_french_is() -> None:
    for key, message in messages("fr").items():
        for form in forms(message):
            assert not re.search(r"[^\s ][;?!»](\s|$)", form), key
            assert not re.search(r"«\S", form), key


def test_every_key_in_the_code_is_in_the_catalogues() -> None:
    whole, parts = keys_in_code()
    known = set(messages("en"))
    prefixes = {key.partition(".")[0] for key in known}
    asked = {key for key in whole if key.partition(".")[0] in prefixes and not key.endswith((".js", ".svg", ".json"))}
    assert asked - known == set()
    assert [
        part.pattern for part in parts if part.pattern.split("\\.")[0] in prefixes and not any(map(part.match, known))
    ] == []


def test_every_blank_is_filled_where_a_key_is_said() -> None:
    """Only a look at the names: that something is given for each blank of a sentence."""
    missing = [
        f"{module.name}: {key} lacks {name}"
        for module in MODULES
        for key, given in re.findall(r'\bsay\("([\w.]+)"((?:[^()]|\((?:[^()]|\([^()]*\))*\))*)\)', module.read_text())
        for name in blanks(messages("en").get(key, ""))
        if not re.search(rf"\b{name}\b", given) and "..." not in given
    ]
    assert missing == []


def test_no_message_is_left_over() -> None:
    whole, parts = keys_in_code()
    unused = {key for key in messages("en") if key not in whole and not any(part.match(key) for part in parts)}
    assert unused == set()


def is_tag(found: Literal) -> bool:
    """As in h("table.points"): an element, not a key."""
    return found.call in ("h", "s") and found.argument == 0


def is_shown(found: Literal) -> bool:
    if found.before in ("===", "!==", "case", "in"):
        return False  # compared, not shown
    function = re.split(r"\W", found.call)[-1]
    argument = function in SHOWING and found.argument >= SHOWING[function]
    name = found.before.removesuffix(":").strip("\"'") if found.before.endswith(":") else ""
    return argument or name in READ_OUT


def test_nothing_that_people_read_is_written_in_the_code() -> None:
    said = [
        f"{module.relative_to(PACKAGE)}:{found.line}: {found.text}"
        for module in MODULES
        for found in texts_in(module)
        if is_shown(found) and re.search(r"[^\W\d_]{2}", found.text.replace(HOLE, "").replace("Brocante", ""))
    ]
    assert said == []


def test_nothing_that_people_read_is_written_in_the_shell() -> None:
    """But for what is said to a browser that can say nothing else."""
    text = re.sub(r"<(title|noscript)\b.*?</\1>|<[^>]*>|\{[^}]*\}|<!--.*?-->", "", SHELL, flags=re.DOTALL)
    assert text.split() == []
    assert not re.search(r'(aria-label|title|alt|placeholder)="[^"{]*[a-z]', SHELL)


def test_the_texts_in_code_are_found() -> None:
    """What the other tests rely on."""
    source = """
    // h("p", null, "no comment")
    const it = h("button.card", { title: "Take it", class: "no" }, kind === "bot" ? "Yes" : `${n} times`, say("a.b"));
    const pattern = /["'`]/g;
    fill(box, [h("i", null), "No"], ["draw", "discard"].map((pile) => laid(pile)));
    """
    assert [found.text for found in literals(source) if is_shown(found)] == ["Take it", "Yes", "{} times", "No"]
