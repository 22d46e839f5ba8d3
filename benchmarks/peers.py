"""The peers of our game server under the same load: `python benchmarks/peers.py`, with Node.js and npm.

Two clients at each table take turns placing cards on boardgame.io and on Colyseus, with everything in memory: their
moves are not on disk when they are told. The rules are a handful of lines (peers/), so the server is what is measured.
A move counts when both clients have been told of it; its time runs from the moment it was sent. First there are 200
tables at which everyone moves as soon as it is their turn, then 1,000 at human pace.
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Literal, get_args

Peer = Literal["boardgame.io", "colyseus"]

NAMES: tuple[Peer, ...] = get_args(Peer)
PEERS = Path(__file__).parent / "peers"
PACKAGES = PEERS / "node_modules"
NODE = PACKAGES / ".bin" / "node"  # in the version that the peers require, whatever is installed
#: Seconds that people think about a move.
THINKING = (2.0, 6.0)
#: Seconds after which a run is given up.
PATIENCE = 300.0


def measure(peer: Peer, tables: int, seconds: float, pause: tuple[float, float] | None) -> dict[str, float]:
    """Play at a number of tables and measure `seconds` of it; `pause`: the shortest and longest time players think."""
    install()
    with server(peer) as (process, port):
        asked = {
            "port": port,
            "pid": process,
            "tables": tables,
            "seconds": seconds,
            "warm_up": pause[1] + 2.0 if pause else 3.0,  # until everyone has moved
            "pause": pause,
        }
        load = subprocess.run(
            [NODE, PEERS / f"{peer}-load.js", json.dumps(asked)],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            env=environment(),
            timeout=PATIENCE,
            check=True,
        )
    found: dict[str, float] = json.loads(load.stdout)
    return found


def install() -> None:
    """Install what package.json names, unless it is installed."""
    done = PACKAGES / "installed"
    wanted = (PEERS / "package.json").read_text()
    if done.exists() and done.read_text() == wanted:
        return
    npm = shutil.which("npm")
    if npm is None:
        raise SystemExit("The peers are installed with npm, which is not here; install Node.js, and try again.")
    command = [npm, "install", "--no-package-lock", "--no-audit", "--no-fund", "--loglevel=error"]
    subprocess.run(command, cwd=PEERS, stdout=subprocess.DEVNULL, check=True)
    done.write_text(wanted)


@contextmanager
def server(peer: Peer) -> Iterator[tuple[int, int]]:
    """A running server: its process and its port. It ends when its input does, so it cannot outlive us."""
    command = [NODE, PEERS / f"{peer}-server.js"]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment())
    try:
        assert process.stdout is not None
        line = process.stdout.readline()
        if not line:
            raise RuntimeError(f"the server of {peer} did not start")
        yield process.pid, json.loads(line)["port"]
    finally:
        process.kill()  # there is nothing to save
        process.communicate()


def environment() -> dict[str, str]:
    return {**os.environ, "NODE_ENV": "production"}


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--seconds", type=float, default=10.0, help="how long each run is measured")
    seconds = options.parse_args().seconds
    write("peer", "tables", "pace", *FIGURES)
    for peer in NAMES:
        for tables, pause in ((200, None), (1000, THINKING)):
            found = measure(peer, tables, seconds, pause)
            figures = (found[name] for name in FIGURES)
            write(peer, tables, "people" if pause else "flat out", *map(shown, figures))


FIGURES = ("moves_per_second", "p50_ms", "p99_ms", "server_cpu_us", "load_cpu_us", "server_mb")


def write(*cells: object) -> None:
    sys.stdout.write("".join(f"{cell!s:>18}" for cell in cells) + "\n")
    sys.stdout.flush()


def shown(figure: float) -> str:
    return f"{figure:,.0f}" if figure >= 100 else f"{figure:.2f}"


if __name__ == "__main__":
    main()
