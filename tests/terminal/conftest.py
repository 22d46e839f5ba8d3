"""Games that tests play are kept in a folder of their own."""

from pathlib import Path

import pytest


@pytest.fixture(autouse=True)
def own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BROCANTE_DATA_DIR", str(tmp_path))
