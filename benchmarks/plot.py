"""A plot for the documents: lines over a number that grows, as a picture that reads well in light and dark."""

from collections.abc import Mapping, Sequence
from pathlib import Path

import matplotlib as mpl

mpl.use("svg")

from matplotlib import pyplot

Points = Sequence[tuple[float, float]]
#: Inks of Brocante's palette that stay apart for every kind of colour blindness, and what else tells lines apart.
LOOKS = (("#1f7a78", "o", "-"), ("#c8553d", "s", "--"), ("#8a6d1c", "^", ":"), ("#3b4a7a", "D", "-."))
INK = "#7a7f87"  # to be read on white and on black


def draw(file: Path, lines: Mapping[str, Points], across: str, up: str, limit: float | None = None) -> None:
    """Draw lines on logarithmic scales, with their names at their ends; `limit`: what they ought not to exceed."""
    with mpl.rc_context({"svg.hashsalt": "brocante", "svg.fonttype": "none", "font.family": "sans-serif"}):
        figure, axes = pyplot.subplots(figsize=(8, 4.2))
        for (name, points), (ink, mark, dash) in zip(lines.items(), LOOKS, strict=False):
            axes.plot(*zip(*points, strict=True), color=ink, marker=mark, linestyle=dash)
            axes.annotate(name, points[-1], color=ink, xytext=(8, 0), textcoords="offset points", va="center")
        if limit is not None:
            axes.axhline(limit, color=INK, linewidth=0.8, linestyle=(0, (2, 3)))
        axes.set(xscale="log", yscale="log", xlabel=across, ylabel=up)
        ticks = sorted({x for points in lines.values() for x, _ in points})
        axes.set_xticks(ticks, [f"{tick:,.0f}" for tick in ticks])
        axes.minorticks_off()
        axes.yaxis.set_major_formatter(lambda value, _: f"{value:g}")
        axes.grid(visible=True, color=INK, alpha=0.25)
        axes.margins(x=0.18)
        axes.tick_params(colors=INK)
        axes.xaxis.label.set_color(INK)
        axes.yaxis.label.set_color(INK)
        axes.spines[:].set_visible(False)
        figure.savefig(file, format="svg", transparent=True, bbox_inches="tight", metadata={"Date": None})
        pyplot.close(figure)
