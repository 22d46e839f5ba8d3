"""One server for the tests of the client that need nothing special of theirs."""

from collections.abc import Iterator

import pytest

from tests.server.serving import served


@pytest.fixture(scope="package")
def url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with served(tmp_path_factory.mktemp("tables")) as url:
        yield url
