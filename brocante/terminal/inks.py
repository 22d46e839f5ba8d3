"""The inks of the terminal, in two themes: a printed poster by day, the same poster by lamplight.

Every ink is readable as text on its paper (contrast 4.5 to 1 or more; tests/terminal checks it).
"""

from textual.theme import Theme

PAPER = {
    "paper": "#F4EBDD",
    "ink": "#211C17",
    "faint": "#6B6056",
    "teal": "#17736F",
    "tomato": "#B5361F",
    "mustard": "#805700",
    "midnight": "#24345A",
    "wine": "#7B1E3A",
    "river": "#2F5A75",
    "olive": "#55611A",
    "pink": "#A32B66",
}
LAMPLIGHT = {
    "paper": "#1E1B18",
    "ink": "#F1E7D8",
    "faint": "#A89C8D",
    "teal": "#5FC2BC",
    "tomato": "#F0785F",
    "mustard": "#E2A72E",
    "midnight": "#9DB2E4",
    "wine": "#E58AA5",
    "river": "#86B5D3",
    "olive": "#B6C46A",
    "pink": "#F29CC3",
}
INKS = {"paper": PAPER, "lamplight": LAMPLIGHT}


def theme(name: str) -> Theme:
    inks = INKS[name]
    return Theme(
        name=name,
        dark=name == "lamplight",
        primary=inks["teal"],
        secondary=inks["midnight"],
        accent=inks["tomato"],
        warning=inks["mustard"],
        error=inks["tomato"],
        success=inks["olive"],
        foreground=inks["ink"],
        background=inks["paper"],
        surface=inks["paper"],
        panel=inks["paper"],
        variables={"faint": inks["faint"], "footer-background": inks["paper"]},
    )
