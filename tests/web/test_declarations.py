"""The types of the wire that the page is checked with are those that the server sends."""

from tests.web.declarations import FILE, declarations


def test_the_types_of_the_page_are_those_of_the_server() -> None:
    assert FILE.read_text() == declarations(), "run: python -m tests.web.declarations"
