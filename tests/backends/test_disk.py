"""What was compiled is on disk, whole or not at all."""

import os
from pathlib import Path

import pytest

from brocante.backends import disk


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("BROCANTE_CACHE_DIR", str(tmp_path / "compiled"))
    return tmp_path / "compiled"


def test_what_is_kept_is_read_again() -> None:
    path = disk.path_of("port.rules.apply", "abc")
    assert disk.read_kept(path) is None
    disk.keep(path, b"code")
    assert disk.read_kept(path) == b"code"


@pytest.mark.parametrize("damage", [b"", b"short", b"\0" * 40])
def test_a_damaged_file_is_as_good_as_none(damage: bytes) -> None:
    path = disk.path_of("port.rules.apply", "abc")
    disk.keep(path, b"code")
    path.write_bytes(damage)
    assert disk.read_kept(path) is None
    assert not path.exists()


def test_of_one_rule_the_versions_used_last_are_kept(folder: Path) -> None:
    disk.keep(disk.path_of("port.rules.legal", "other"), b"code")
    for age in range(disk.KEPT + 5):
        path = disk.path_of("port.rules.apply", f"{age}")
        path.write_bytes(b"")
        os.utime(path, (1e9 - age, 1e9 - age))
    disk.keep(disk.path_of("port.rules.apply", "new"), b"code")
    left = {path.name for path in folder.iterdir()}
    newest = {f"port.rules.apply-{age}.compiled" for age in range(disk.KEPT - 1)}
    assert left == newest | {"port.rules.apply-new.compiled", "port.rules.legal-other.compiled"}


def test_what_older_versions_have_kept_in_folders_is_removed(folder: Path) -> None:
    old = folder / ("0123456789abcdef" * 2)
    old.mkdir(parents=True)
    (old / "rules.nbi").write_bytes(b"code")
    disk.keep(disk.path_of("port.rules.apply", "abc"), b"code")
    assert [path.name for path in folder.iterdir()] == ["port.rules.apply-abc.compiled"]


def test_what_others_keep_in_the_same_folder_stays(folder: Path) -> None:
    theirs = folder / ("0123456789abcdef" * 2)
    theirs.mkdir(parents=True)
    (theirs / "photograph.webp").write_bytes(b"Grandmother")
    disk.keep(disk.path_of("port.rules.apply", "abc"), b"code")
    assert (theirs / "photograph.webp").read_bytes() == b"Grandmother"


def test_what_one_user_has_kept_another_can_read() -> None:
    path = disk.path_of("port.rules.apply", "abc")
    disk.keep(path, b"code")
    assert path.stat().st_mode & 0o444 == 0o444


def test_nothing_is_left_of_what_could_not_be_written(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", full)
    with pytest.raises(OSError, match="No space left"):
        disk.keep(disk.path_of("port.rules.apply", "abc"), b"code")
    assert list(folder.iterdir()) == []


def test_a_folder_that_cannot_be_written_is_noticed_before_anything_is_compiled(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("in the way")
    monkeypatch.setenv("BROCANTE_CACHE_DIR", str(tmp_path / "file" / "compiled"))
    with pytest.raises(OSError, match="Not a directory"):
        disk.check_it_can_be_written()
