"""Backends run the same rules side by side, and nothing is compiled that nobody asked for."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import brocante
from brocante.backends import BACKENDS, backend
from brocante.backends.numba import NotCompiled, Numba
from brocante.bots import Bot
from brocante.engine.backend import PYTHON, Running
from brocante.engine.errors import UsageError
from brocante.engine.rule import rule
from tests.backends.stall import DOUBLE

pytestmark = pytest.mark.usefixtures("plain_python")

COLLECTION = brocante.box("collection")


def test_importing_brocante_and_every_game_imports_no_compiler() -> None:
    program = (
        "import sys, brocante, brocante.backends.numba, brocante.compiling.queue, brocante.arena.simulate\n"
        "for game in brocante.GAMES: brocante.deal(game, seed=1).legal_moves\n"
        "sys.exit('numba' in sys.modules or 'llvmlite' in sys.modules)"
    )
    subprocess.run([sys.executable, "-c", program], check=True)


def test_there_is_a_backend_of_every_name_and_no_other() -> None:
    assert [backend(name).name for name in BACKENDS] == list(BACKENDS)
    with pytest.raises(UsageError, match='There is no backend called "fortran"; the backends are python and numba'):
        backend("fortran")


def test_two_backends_play_side_by_side() -> None:
    plain, compiled = (brocante.deal(brocante.box("collection", name), players=3, seed=8) for name in BACKENDS)
    assert (plain.box.backend.name, compiled.box.backend.name) == BACKENDS
    bots = Bot(plain.box, "greedy"), Bot(compiled.box, "greedy")
    while not plain.is_over:
        plain.play(bots[0].choose(plain))
        compiled.play(bots[1].choose(compiled))
        assert plain.state.tobytes() == compiled.state.tobytes()
    assert compiled.is_over
    assert COLLECTION.backend is PYTHON  # which nobody asked for anything else


@pytest.mark.parametrize("slug", brocante.GAMES)
def test_a_game_goes_over_to_compiled_rules_in_the_middle_and_nobody_can_tell(slug: str) -> None:
    """Every byte of every state, every view and every line is what it would have been."""
    box = brocante.box(slug)
    staying, going = (brocante.deal(box.on(PYTHON), seed="over") for _ in range(2))
    bots = Bot(staying.box, "greedy", 1), Bot(going.box, "greedy", 1)
    for number in range(60):
        if staying.is_over:
            break
        if number == 20:
            going.box.switch_to(Running(box.entry_points, backend("numba")))
        staying.play(bots[0].choose(staying))
        going.play(bots[1].choose(going))
        assert going.state.tobytes() == staying.state.tobytes()
        assert going.legal_moves == staying.legal_moves
        seat = max(0, staying.actor)
        assert going.view(seat) == staying.view(seat)
        assert going.can_undo(seat) == staying.can_undo(seat)
        assert going.observation(seat).tobytes() == staying.observation(seat).tobytes()
    assert [step.line for step in going.steps] == [step.line for step in staying.steps]
    assert (staying.box.backend.name, going.box.backend.name) == BACKENDS


@pytest.fixture
def empty_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("BROCANTE_CACHE_DIR", str(tmp_path / "compiled"))
    return tmp_path / "compiled"


def test_a_rule_is_compiled_once_and_loaded_ever_after(empty_cache: Path) -> None:
    first, second = Numba(), Numba(compiles=False)
    assert not first.is_kept(DOUBLE)
    with pytest.raises(NotCompiled, match="double"):
        second.run(DOUBLE)
    assert first.run(DOUBLE)(21) == 42
    [file] = empty_cache.iterdir()
    assert file.name.startswith("backends.stall.double-")
    assert second.is_kept(DOUBLE)
    assert second.run(DOUBLE)(np.int8(21)) == 42


def test_what_was_damaged_on_disk_is_compiled_anew(empty_cache: Path) -> None:
    Numba().run(DOUBLE)
    [file] = empty_cache.iterdir()
    whole = file.read_bytes()
    file.write_bytes(whole[:-1] + bytes([whole[-1] ^ 1]))
    assert Numba().load(DOUBLE) is None
    assert not Numba().is_kept(DOUBLE)
    assert Numba().run(DOUBLE)(4) == 8
    assert Numba().load(DOUBLE)


def test_where_nothing_can_be_kept_it_is_compiled_all_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("in the way")
    monkeypatch.setenv("BROCANTE_CACHE_DIR", str(tmp_path / "file"))
    numba = Numba()
    assert numba.run(DOUBLE)(4) == 8
    assert isinstance(numba.not_kept, OSError)


def test_what_is_to_be_compiled_is_told_rule_by_rule(empty_cache: Path) -> None:
    told: list[tuple[int, int]] = []
    entries = COLLECTION.entry_points
    numba = Numba()
    estimate = numba.seconds_to_compile(entries)
    rules = numba.compile(entries, lambda done, of: told.append((done, of)))
    assert estimate > numba.seconds_to_compile(entries)
    assert {of for _, of in told} == {rules}
    assert [done for done, _ in told] == sorted(done for done, _ in told)
    assert told[-1] == (rules, rules)
    assert len(told) >= rules
    assert numba.compile(entries) == 0


def test_code_for_another_processor_is_not_run(empty_cache: Path) -> None:
    """A home directory, or an image, that is shared between machines."""
    Numba().run(DOUBLE)
    environment = {**os.environ, "NUMBA_CPU_NAME": "generic", "NUMBA_CPU_FEATURES": ""}
    program = (
        "from brocante.backends.numba import Numba\n"
        "from tests.backends.stall import DOUBLE\n"
        "assert not Numba().is_kept(DOUBLE)\n"
        "assert Numba().run(DOUBLE)(4) == 8\n"
    )
    subprocess.run([sys.executable, "-c", program], check=True, env=environment)
    assert len(list(empty_cache.iterdir())) == 2


def test_a_rule_typed_at_a_prompt_is_a_plain_function() -> None:
    @rule
    def triple(n: int) -> int:
        return 3 * n

    assert triple(3) == 9
