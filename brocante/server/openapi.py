"""The OpenAPI description of the HTTP endpoints, made from the routing table."""

import re
from functools import cache
from typing import Any

import msgspec

from brocante.server.http import Endpoint
from brocante.server.pages import JSON
from brocante.version import VERSION
from brocante.wire.http import Failure

REFERENCE = "#/components/schemas/{name}"
#: How a request can be refused.
REFUSALS = {400: "It cannot be read, or asks for what cannot be.", 401: "A bad token, or none where one is needed.",
            403: "Not for you.", 404: "There is no such thing.", 409: "Not as things stand.",
            413: "Too long.", 429: "Too much, too often.", 500: "The server failed.", 503: "Not now."}  # fmt: skip
LANG = {
    "name": "lang",
    "in": "query",
    "schema": {"type": "string"},
    "description": "en or fr; otherwise what Accept-Language prefers of these.",
}
QUERY = {
    "phase": {"enum": ["open", "playing", "over"]},
    "game": {"type": "integer", "minimum": 1},
    "as": {"enum": ["html"]},
    "eyes": {"type": "string", "description": "open, watching, or the number of a seat"},
    "begun": {"type": "string", "description": "numbers, with commas between them"},
}


@cache
def document(endpoints: tuple[Endpoint, ...]) -> dict[str, Any]:
    """The whole description (OpenAPI 3.1)."""
    kinds = [kind for endpoint in endpoints for kind in (endpoint.answer, endpoint.body) if is_schema(kind)]
    schemas, components = msgspec.json.schema_components([*kinds, Failure], ref_template=REFERENCE)
    schema_of = dict(zip(map(str, [*kinds, Failure]), schemas, strict=True))
    paths: dict[str, Any] = {}
    for endpoint in endpoints:
        paths.setdefault(endpoint.path, {})[endpoint.method.lower()] = operation(endpoint, schema_of)
    security = {"token": {"type": "http", "scheme": "bearer"}}
    return {
        "openapi": "3.1.0",
        "info": {"title": "Brocante", "version": VERSION, "description": "Live tables. The socket is in docs/api.md."},
        "paths": paths,
        "components": {"schemas": components, "securitySchemes": security},
    }


def is_schema(kind: Any) -> bool:
    return kind is not None and not isinstance(kind, str)


def operation(endpoint: Endpoint, schema_of: dict[str, Any]) -> dict[str, Any]:
    media = [JSON if is_schema(endpoint.answer) else endpoint.answer, *filter(None, [endpoint.also])]
    schema = schema_of[str(endpoint.answer)] if is_schema(endpoint.answer) else {"type": "string"}
    content = {kind: {"schema": schema} for kind in media}
    failures = {"application/json": {"schema": schema_of[str(Failure)]}}
    described: dict[str, Any] = {
        "operationId": endpoint.handler.__name__,
        "summary": endpoint.summary,
        "parameters": [*parameters(endpoint)],
        "responses": {str(endpoint.status): {"description": "Done.", "content": content}}
        | {str(status): {"description": why, "content": failures} for status, why in REFUSALS.items()},
    }
    if endpoint.body is not None:
        described["requestBody"] = {"required": True, "content": {JSON: {"schema": schema_of[str(endpoint.body)]}}}
    if endpoint.needs_identity:
        described["security"] = [{"token": []}]
    return described


def parameters(endpoint: Endpoint) -> list[dict[str, Any]]:
    path = [
        {"name": name, "in": "path", "required": True, "schema": {"type": "string"}}
        for name in re.findall(r"{(\w+)}", endpoint.path)
    ]
    query = [{"name": name, "in": "query", "schema": QUERY[name]} for name in endpoint.query]
    return [*path, *query, LANG]
