"""What people who play notice of somebody who wants nobody to: `make bench-floods`. The table is written to floods.md
beside this file.

A server with its limits as they are, and people at some tables of Collection who make a move every 40 ms. Then come the
attacks of tests/server/attacks.py, one after the other, each from an address and a process of its own.
"""

import argparse
import asyncio
import os
import sys
import tempfile
from pathlib import Path
from typing import Any

from benchmarks.random_play import processor
from tests.server.attacks import ATTACKS
from tests.server.besieged import LIMITS, besieged, memory, processor_time, quantile
from tests.server.processes import ServerProcess

HERE = Path(__file__).parent
TABLES = 4
PAGE = """\
# Floods

Written by `make bench-floods`: {cores} cores, {processor}. Attackers (at a low priority), players and server are on the
same machine, so whatever else it does shows in all rows, the first one too. {tables} tables of Collection, a move every
40 ms; every attack goes on for {seconds:.0f} seconds. *Processor* is the share of one that the server takes, attack and
players together, and *refused* how often the attacker was refused, dropped or hung up on.

{rows}
"""
COLUMNS = ("", "moves", "p50 ms", "p99 ms", "processor", "MB", "refused")
#: What counts as refused of what an attacker has counted.
REFUSED = ("dropped", "refused")


async def measured(seconds: float, only: str) -> list[tuple[str, ...]]:
    with tempfile.TemporaryDirectory() as folder:
        server = ServerProcess(str(Path(folder) / "tables.db"), Path(folder) / "log", **LIMITS)
        await server.start()
        try:
            async with besieged(server, TABLES) as siege:
                await siege.quiet(1.0)
                used = processor_time(server.pid)
                rows = [row("nothing", await siege.quiet(seconds), 0.0, server.pid, {})]
                quiet = (processor_time(server.pid) - used) / seconds
                rows = [(*rows[0][:4], f"{quiet:.2f}", *rows[0][5:])]
                for attack in ATTACKS:
                    if only in attack:
                        moves, busy, came_to = await siege.attacked(attack, seconds)
                        rows.append(row(attack, moves, busy, server.pid, came_to))
                        sys.stderr.write(" ".join(rows[-1]) + "\n")
        finally:
            server.be_gone()
    return rows


def row(name: str, moves: list[float], busy: float, pid: int, came_to: dict[str, Any]) -> tuple[str, ...]:
    refused = sum(came_to.get(how, 0) for how in REFUSED) or came_to.get("codes", {}).get("429", 0)
    latencies = [f"{1000 * quantile(share, moves):.1f}" for share in (0.5, 0.99)]
    return name, f"{len(moves)}", *latencies, f"{busy:.2f}", f"{memory(pid) / 2**20:.0f}", f"{refused:,}"


def grid(rows: list[tuple[str, ...]]) -> str:
    lines = [COLUMNS, ("---", *["---:"] * (len(COLUMNS) - 1)), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--seconds", type=float, default=3.0, help="how long each attack goes on")
    options.add_argument("--only", default="", help="only attacks whose name contains this, and no page is written")
    chosen = options.parse_args()
    rows = grid(asyncio.run(measured(chosen.seconds, chosen.only)))
    if chosen.only:
        sys.stdout.write(rows + "\n")
        return
    page = PAGE.format(cores=os.cpu_count(), processor=processor(), tables=TABLES, seconds=chosen.seconds, rows=rows)
    (HERE / "floods.md").write_text(page)
    sys.stdout.write(page)


if __name__ == "__main__":
    main()
