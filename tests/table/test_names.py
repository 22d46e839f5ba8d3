"""A name shows who somebody is: it can be seen, and nobody else at the table could be taken for them."""

import unicodedata

import pytest

from brocante.bots import STALLHOLDERS
from brocante.table import commands as c
from brocante.table.clean_text import clean_text
from brocante.table.lookalikes import LOOKALIKES, look_alike
from tests.table.tables import PEOPLE, Sitting

#: One for each kind of character that takes no room, or only room.
NOTHING_TO_SEE = {
    "Hangul filler": "\u3164",
    "halfwidth Hangul filler": "\uffa0",
    "Hangul fillers of syllables": "\u115f\u1160",
    "empty Braille": "\u2800\u2800",
    "zero width": "\u200b\u200c\u200d\u2060\ufeff",
    "marks of direction": "\u202a\u202e\u2066\u061c\u200f",
    "variation selectors": "\ufe0f\ufe00\U000e0100",
    "selectors of Mongolian": "\u180b\u180e\u180f",
    "joiner of graphemes": "\u034f",
    "tags": "\U000e0041\U000e0042\U000e007f",
    "accents alone": "\u0301\u0308",
    "an accent on a space": " \u0301 ",
    "an enclosing circle alone": "\u20dd",
    "vowels of Khmer that are not written": "\u17b4\u17b5",
    "spaces": "\u00a0\u2003\u3000\u1680\u205f",
    "soft hyphen": "\u00ad",
    "empty note": "\U0001d159",
    "blank hieroglyph": "\U00013441\U00013442",
    "stand-in for an object": "\ufffc",
    "stretch of music": "\U0001d173\U0001d17a",
    "private use": "\ue000",
    "not assigned": "\U000e0fff",
    "control": "\x00\x1b\x7f",
    "several": "\u3164 \u0301\u2800\ufe0f\u200b",
}
ALIKE = [
    ("Ana", "ANA"),
    ("Ana", "\u0410n\u0430"),  # Cyrillic
    ("Ana", "\u0391na"),  # Greek
    ("Ana", "Ａｎａ"),
    ("Ana", "𝐀𝐧𝐚"),
    ("Ana", "Ⓐⓝⓐ"),
    ("ana", "ᴀɴᴀ"),
    ("Ana", "Ana."),
    ("Ana", "Ana\ufe0f"),
    ("Ian", "lan"),
    ("Will", "WiII"),
    ("Ella", "E11a"),
    ("Otto", "0tt0"),
    ("Otto", "\u041e\u0442\u0442\u043e"),
    ("Tom", "\u0422\u043e\u043c"),
    ("Marnie", "Mamie"),
    ("Will", "VVill"),
    ("Zoé", "Zo\u0435\u0301"),
    ("Zoé", "Zoe\u0301"),
    ("O'Neil", "O\u2019Neil"),
    ("Jean-Luc", "Jean\u2011Luc"),
    ("Анна", "АННА"),
    ("Ion\u021b", "Ion\u0163"),
    ("Inci", "\u0130nci"),
    ("Weiß", "WEISS"),
    ("ᎪᏞᎬX", "Alex"),
    ("Ana Maria", "AnaMaria"),
    ("Ana Maria", "Ana_Maria"),
    ("Ana-Maria", "_ana\u2013maria-"),
]
HONEST = [
    ("Zoé", "Zoe"),
    ("Ana", "Anna"),
    ("Ali", "All"),
    ("Jan", "Ján"),
    ("Żak", "Zak"),
    ("Bo", "Bø"),
    ("Mia", "Mio"),
    ("Ana B.", "Ana C."),
    ("Jan 1", "Jan 2"),
    ("Анна", "Инна"),
    ("李", "季"),
    ("さくら", "サクラ"),
    ("محمد", "أحمد"),
    ("🦊", "🐻"),
    ("Nora", "Flora"),
    ("Ian", "Jan"),
    ("...", "---"),
    ("...", "___"),
]


@pytest.mark.parametrize("blank", NOTHING_TO_SEE.values(), ids=NOTHING_TO_SEE)
def test_a_name_that_shows_nothing_is_none_and_a_message_is_silence(blank: str) -> None:
    assert clean_text(blank, 24) == ""
    sitting = Sitting(people=1)
    assert sitting.refusal(c.Sit(blank), PEOPLE[1]) == "name"
    assert sitting.refusal(c.Chat(blank), PEOPLE[0]) == "silence"


@pytest.mark.parametrize("blank", NOTHING_TO_SEE.values(), ids=NOTHING_TO_SEE)
def test_what_is_not_seen_makes_no_other_name(blank: str) -> None:
    sitting = Sitting(people=1)
    for name in (f"Ana{blank}", f"{blank}Ana", f"{blank} Ana {blank}"):
        if not unicodedata.category(blank[0]).startswith("M"):  # an accent on a letter is seen
            assert sitting.refusal(c.Sit(name), PEOPLE[1]) == "name_taken", ascii(name)


@pytest.mark.parametrize(
    "name", ["Zoé", "Łukasz", "Ольга", "Ελένη", "李明", "さくら", "김민준", "محمد", "שרה", "प्रिया", "Nguyễn", "🦊", "❤️"]
)
def test_names_of_the_world_stay_as_they_are(name: str) -> None:
    assert clean_text(name, 24) == name


@pytest.mark.parametrize(("one", "other"), ALIKE)
def test_whoever_looks_like_another_must_choose_another_name(one: str, other: str) -> None:
    for first, second in ((one, other), (other, one)):
        sitting = Sitting(people=0)
        sitting.do(c.Sit(first), PEOPLE[0])
        assert sitting.refusal(c.Sit(second), PEOPLE[1]) == "name_taken"


@pytest.mark.parametrize(("one", "other"), HONEST)
def test_whoever_has_a_name_of_their_own_may_sit(one: str, other: str) -> None:
    sitting = Sitting(people=0)
    sitting.do(c.Sit(one), PEOPLE[0])
    sitting.do(c.Sit(other), PEOPLE[1])
    assert [seat.name for seat in sitting.table.seats[:2]] == [one, other]


def test_a_bot_takes_no_name_that_looks_like_a_players() -> None:
    sitting = Sitting(people=0)
    sitting.do(c.Sit("\u041edette"), PEOPLE[0])
    sitting.do(c.AddBot(), PEOPLE[0])
    assert sitting.table.seats[1].name == STALLHOLDERS[1]
    assert sitting.refusal(c.Sit("MarceI"), PEOPLE[1]) == "name_taken"


def test_the_stallholders_can_be_told_apart() -> None:
    assert not any(look_alike(one, other) for one in STALLHOLDERS for other in STALLHOLDERS if one < other)


def test_every_look_is_listed_once() -> None:
    listed = [other for others in LOOKALIKES.values() for other in others]
    assert len(listed) == len({*listed})
    assert not {*listed} & {*LOOKALIKES}
    assert all(unicodedata.normalize("NFD", other) == other for other in listed)
