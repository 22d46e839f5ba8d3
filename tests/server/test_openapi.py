"""The description of the HTTP side is true: whatever is asked, the answer is one that it describes."""

from collections.abc import Iterator
from typing import Any

import httpx
import pytest
import schemathesis
from hypothesis import HealthCheck, settings
from schemathesis.specs.openapi import checks

from brocante.server.openapi import document
from brocante.server.routes import ROUTES
from tests.server.asking import listening


class Described:
    """A server that runs, somebody who asks, and a table that there is."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.ana = self.newcomer()
        asked = {"game": "collection", "options": {"players": 2}}
        self.table = httpx.post(f"{url}/api/tables", headers=self.ana, json=asked).json()["id"]

    def newcomer(self) -> dict[str, str]:
        answer = httpx.post(f"{self.url}/api/guests", json={"name": "Ana", "token": True})
        return {"Authorization": f"Bearer {answer.json()['token']}"}


@pytest.fixture(scope="module")
def described(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Described]:
    with listening(tmp_path_factory.mktemp("server"), tables=1_000_000) as (url, server):
        yield Described(url)
        assert not [family for family in server.metrics.errors.collect() if family.samples]


#: What is well formed may still be refused: there is no such game, or it is not one's turn. And queries that nobody has
#: asked for are passed over, as a request without a token is not made here; bodies are in test_nobody_gets_in.py.
NOT_PROMISED: list[Any] = [checks.positive_data_acceptance, checks.negative_data_rejection]
every_endpoint = schemathesis.openapi.from_dict(document(ROUTES))


@every_endpoint.parametrize()
@settings(max_examples=15, deadline=None, derandomize=True, database=None, suppress_health_check=list(HealthCheck))
def test_every_answer_is_as_described(case: schemathesis.Case[Any], described: Described) -> None:
    is_last_wish = (case.method, case.path) == ("DELETE", "/api/me")
    by = described.newcomer() if is_last_wish else described.ana
    if "id" in case.path_parameters and len(case.path_parameters["id"]) % 3:
        case.path_parameters["id"] = described.table
    case.call_and_validate(base_url=described.url, headers=by, excluded_checks=NOT_PROMISED)


def test_every_endpoint_is_described_with_how_it_can_be_refused() -> None:
    paths = document(ROUTES)["paths"]
    assert {(path, method.upper()) for path, methods in paths.items() for method in methods} == {
        (endpoint.path, endpoint.method) for endpoint in ROUTES
    }
    for methods in paths.values():
        for operation in methods.values():
            assert operation["summary"]
            assert {"400", "401", "403", "404", "409", "413", "429", "500", "503"} <= set(operation["responses"])
