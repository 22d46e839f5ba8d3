"""Every speed we claim, measured here in one run: `make bench`.

Random play of whole games on one core, deal included, for every game and player count, against OpenSpiel's C++
`go_fish` and `hearts` (its own loop with its uniform random bots) and against the same rules as plain Python; and how
long a warm start of `brocante simulate` takes. The table is written to results.md beside this file, with what it was
measured on.
"""

import json
import os
import platform
import subprocess
import sys
import time
from importlib.metadata import version
from pathlib import Path
from typing import Any

import brocante
from brocante.arena.bench import PEERS, measure

HERE = Path(__file__).parent
NOTE = """\
Our moves are those of players alone, and one that takes several choices counts once. For OpenSpiel every action counts
as a move, also each card that its chance deals: about half of all actions in these two games.
"""


def main() -> None:
    boxes = [brocante.box(slug) for slug in brocante.GAMES]
    found = measure(boxes, measured=lambda runs, of: sys.stderr.write(f"{runs} of {of} runs\n"))
    found["warm_start_seconds"] = round(min(warm_start() for _ in range(4)), 2)
    (HERE / "results.json").write_text(json.dumps({**found, "measured_with": machine()}, indent=2) + "\n")
    page = as_page(found)
    (HERE / "results.md").write_text(page)
    sys.stdout.write(page)


def warm_start() -> float:
    """From the shell to the result of a hundred games, with the compiled code on disk."""
    began = time.perf_counter()
    program = Path(sys.executable).parent / "brocante"
    subprocess.run([program, "simulate", brocante.GAMES[0], "--games", "100"], check=True, capture_output=True)
    return time.perf_counter() - began


def machine() -> dict[str, str]:
    packages = {name: version(name) for name in ("numba", "numpy", "open_spiel")}
    return {"python": platform.python_version(), **packages, "processor": processor(), "cores": str(os.cpu_count())}


def processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return platform.processor()
    return next((line.partition(": ")[2] for line in lines if line.startswith("model name")), platform.machine())


def as_page(found: dict[str, Any]) -> str:
    rows = "\n".join(row(name, rate, found["ratios"]) for name, rate in found["moves_per_second"].items())
    peers = " | ".join(f"× {peer}" for peer in PEERS)
    about = ", ".join(f"{name} {value}" for name, value in machine().items())
    return f"""\
# Random play on one core

Made by `make bench`; the ratios are what we claim.

| | moves a second | {peers} | × Python |
| --- | --: | {"--: | " * len(PEERS)}--: |
{rows}

A warm start of `brocante simulate` takes {found["warm_start_seconds"]} s.

{NOTE}
Measured with {about}.
"""


def row(name: str, rate: int, ratios: dict[str, float]) -> str:
    others = [*(f"openspiel-{peer}" for peer in PEERS), f"{name}-python"]
    found = [ratios.get(f"{name} / {other}") for other in others]
    return f"| {name} | {rate:,} | " + " | ".join("" if r is None else f"{r:,.1f}" for r in found) + " |"


if __name__ == "__main__":
    main()
