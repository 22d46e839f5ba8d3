"""Whether two names look the same to people who read them: one who sits down with another's name could play a trick.

Unicode lists thousands of such letters; here are those of the scripts in which one could write a whole name. Accents
are told apart: Zoé and Zoe may play together. What stands between the parts of a name is not: AnaMaria is Ana Maria.
"""

import unicodedata

#: By letter or sign, what looks like it: of other scripts, of its own, and digits.
LOOKALIKES = {
    "A": "ΑАᎪᴀꓮ",
    "B": "ΒВвᏴʙꓐ",
    "C": "ϹСᏟᴄꓚⲤ",
    "D": "Ꭰᴅꓓ",
    "E": "ΕЕᎬᴇꓰ",
    "F": "ϜꓝҒ",
    "G": "ԌᏀɢꓖ",
    "H": "ΗНнᎻʜꓧⲎ",
    "J": "ЈᎫᴊꓙͿ",
    "K": "ΚКκкᏦᴋꓗⲔ",
    "L": "ᏞʟꓡԼ",
    "M": "ΜМмᎷᴍꓟϺⲘ",
    "N": "ΝɴꓠⲚ",
    "O": "0ΟОՕᴏꓳⲞ",
    "P": "ΡРᏢᴘꓑⲢ",
    "Q": "Ԛ",
    "R": "ᎡᏒʀꓣ",
    "S": "ЅՏᏕᏚꓢ",
    "T": "ΤТтᎢᴛꓔⲦ",
    "U": "Սꓴᴜ",
    "V": "ѴᏙᴠꓦ",
    "W": "ԜᏔᎳᴡꓪ",
    "X": "ΧХꓫⲬ",
    "Y": "ΥҮꓬʏⲨ",
    "Z": "ΖᏃᴢꓜ",
    "a": "αаɑ",
    "b": "ЬьᏏƄ",
    "c": "сϲⲥ",
    "d": "ԁᏧ",
    "e": "еєҽ",
    "g": "ɡցԍ",
    "h": "һհᏂ",
    "i": "іıɩιӏᎥ",
    "j": "јϳյ",
    "l": "1I|ΙІӀᏆꓲǀ∣ⵏⲒ",
    "n": "ոպп",
    "o": "οоօσⲟ",
    "p": "ρрⲣ",
    "q": "ԛզ",
    "r": "гⲅ",
    "s": "ѕꜱ",
    "u": "υսʋ",
    "v": "νѵ",
    "w": "ԝѡωա",
    "x": "хⲭ",
    "y": "уүγყ",
    "3": "ЗзӠƷȜ",
    "4": "Ꮞ",
    "6": "бϬ",
    "Đ": "ÐƉ",
    "Γ": "Г",
    "Π": "П",
    "Λ": "Л",
    "Φ": "Ф",
    "'": "\u2018\u2019\u02bc\u02b9\u0060\u2032\u05f3",
    "-": "\u2010\u2012\u2013\u2014\u2212\u30fc\u4e00\u2500",
    ".": "\u00b7\u2022\u2219\u22c5\u30fb",
}
#: Accents that differ by a hair: caron and breve, comma below and cedilla, overline and macron.
MARKS = {"\u0306": "\u030c", "\u0327": "\u0326", "\u0304": "\u0305"}
#: What looks like one letter, side by side or with a dot that it has anyway.
PAIRS = {"rn": "m", "vv": "w", "i\u0307": "i", "j\u0307": "j"}
#: What is hardly noticed at the end of a name, and what only stands between its parts.
TRIFLES, BETWEEN = " .,:;'-_", str.maketrans("", "", " -_")
#: Marks that choose one look of a sign or another.
SELECTORS = [*map(chr, range(0xFE00, 0xFE10)), *map(chr, range(0xE0100, 0xE01F0))]

ONE_LOOK = str.maketrans(
    {other: letter for letter, others in (LOOKALIKES | MARKS).items() for other in others}
    | dict.fromkeys(SELECTORS, "")
)


def look_alike(one: str, other: str) -> bool:
    """Whether two names could be taken for each other.

    >>> look_alike("Ana", "\u0410n\u0430"), look_alike("Ian", "lan"), look_alike("Zoé", "Zoe")
    (True, True, False)
    """
    return not looks(one).isdisjoint(looks(other))


def looks(name: str) -> set[str]:
    """How a name looks, as it is written and in small letters."""
    plain = unicodedata.normalize("NFKC", name)
    return {*map(seen, (plain, plain.casefold()))}


def seen(name: str) -> str:
    """The one spelling of everything that looks like a name."""
    letters = unicodedata.normalize("NFD", name).translate(ONE_LOOK).casefold()
    for pair, letter in PAIRS.items():
        letters = letters.replace(pair, letter)
    return unicodedata.normalize("NFC", letters.strip(TRIFLES).translate(BETWEEN) or letters)
