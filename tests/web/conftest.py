"""A server and a browser for the tests of the page, one of each for all tests of a process."""

from collections.abc import AsyncIterator, Callable, Coroutine, Iterator
from typing import Any

import pytest
import pytest_asyncio
from playwright.async_api import Browser

from tests.server.serving import served
from tests.web.browsing import Visitor, running_browser, visiting

#: Opens a browser: `await visit(lang="fr", viewport="phone")`.
Visit = Callable[..., Coroutine[Any, Any, Visitor]]


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a server whose bots do not dawdle."""
    with served(tmp_path_factory.mktemp("site"), grace=300.0) as url:
        yield url


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def browser() -> AsyncIterator[Browser]:
    async with running_browser() as running:
        yield running


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def workbench(browser: Browser, site: str) -> AsyncIterator[Visitor]:
    """A page for tests of single functions, which leave it as it was."""
    visitor = await visiting(browser, site)
    await visitor.go("/rules/vinto")
    await visitor.find("main").wait_for()
    yield visitor
    await visitor.context.close()
    assert visitor.troubles == []


@pytest_asyncio.fixture(loop_scope="session")
async def visit(browser: Browser, site: str) -> AsyncIterator[Visit]:
    """People at the page, each with a browser of their own; nothing may have gone wrong in any of them."""
    visitors: list[Visitor] = []

    async def opened(**more: Any) -> Visitor:
        visitors.append(await visiting(browser, **{"url": site, **more}))
        return visitors[-1]

    yield opened
    for visitor in visitors:
        await visitor.context.close()
    assert [trouble for visitor in visitors for trouble in visitor.troubles] == []
