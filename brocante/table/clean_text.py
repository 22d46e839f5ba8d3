"""What people write, as it is kept: in one line, without marks that nobody sees or that change how others are read."""

import unicodedata
from collections.abc import Iterator

#: Controls, marks that change the direction, tags, halves of characters, and what Unicode has not assigned.
LEFT_OUT = ("Cc", "Cf", "Cs", "Co", "Cn")
#: Letters and marks without any width: fillers of Hangul and Khitan, vowels of Khmer that are not written, selectors
#: of Mongolian, and the joiner of graphemes.
UNSEEN = "\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\U00016fe4"
#: Letters and signs that are an empty space: other fillers of Hangul, the empty cell of Braille, what stands for an
#: object, the empty note, and blanks of hieroglyphs.
BLANK = "\u3164\uffa0\u2800\ufffc\U0001d159\U00013441\U00013442"
AS_SEEN = str.maketrans({**dict.fromkeys(UNSEEN, ""), **dict.fromkeys(BLANK, " ")})


def clean_text(text: str, longest: int) -> str:
    """Text in one line that shows something; or nothing, if it does not."""
    spaced = "".join(" " if mark.isspace() else mark for mark in text.translate(AS_SEEN))
    seen = "".join(mark for mark in spaced if unicodedata.category(mark) not in LEFT_OUT)
    held = "".join(without_loose_marks(unicodedata.normalize("NFC", seen)))
    return " ".join(held.split())[:longest].strip()


def without_loose_marks(text: str) -> Iterator[str]:
    """Accents, and marks that choose the look of a letter, belong to a letter; alone they show nothing, or lie on what
    stands beside them."""
    before = " "
    for mark in text:
        if before != " " or not unicodedata.category(mark).startswith("M"):
            before = mark
            yield mark
