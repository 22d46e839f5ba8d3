"""The routing table: every HTTP endpoint, and its handler."""

from typing import Any

from brocante.server.http import Endpoint, Exchange
from brocante.server.http_handlers import games, guests, health, lessons, replays, tables
from brocante.server.openapi import document
from brocante.server.pages import HTML, SVG
from brocante.table import commands as c
from brocante.wire.http import (
    GameInfo,
    Guest,
    Health,
    Join,
    LessonInfo,
    LessonReply,
    Listed,
    Me,
    NewTable,
    Own,
    Replayed,
    ServerInfo,
    TableReply,
)

TEXT, RECORD = "text/plain; charset=utf-8", "application/jsonl"


async def openapi(_: Exchange) -> Any:
    """This description."""
    return document(ROUTES)


ROUTES = (
    Endpoint("GET", "/healthz", health.health, Health, for_anyone=True),
    Endpoint("GET", "/metrics", health.metrics, TEXT, for_anyone=True),
    Endpoint("GET", "/api/server", health.about, ServerInfo, for_anyone=True),
    Endpoint("GET", "/api/openapi.json", openapi, dict[str, Any], for_anyone=True),
    Endpoint("POST", "/api/guests", guests.become_guest, Me, body=Guest, status=201, for_anyone=True),
    Endpoint("GET", "/api/me", guests.me, Me, needs_identity=True),
    Endpoint("DELETE", "/api/me", guests.forget_me, Me, needs_identity=True),
    Endpoint("GET", "/api/games", games.games, list[GameInfo], for_anyone=True),
    Endpoint("GET", "/api/games/{game}/rules", games.rules, TEXT, also=HTML, query=("as",), for_anyone=True),
    Endpoint("GET", "/api/tables", tables.tables, list[Listed], query=("phase",)),
    Endpoint("GET", "/api/me/tables", tables.own_tables, list[Own], needs_identity=True),
    Endpoint("POST", "/api/tables", tables.open_table, TableReply, body=NewTable, status=201, needs_identity=True),
    Endpoint("GET", "/api/tables/{id}", tables.table, TableReply),
    Endpoint("POST", "/api/tables/{id}/join", tables.join, TableReply, body=Join, needs_identity=True),
    Endpoint("POST", "/api/tables/{id}/leave", tables.leave, TableReply, needs_identity=True),
    Endpoint("POST", "/api/tables/{id}/do", tables.do, TableReply, body=c.PlayerCommand, needs_identity=True),
    Endpoint("GET", "/api/tables/{id}/view", tables.view, dict[str, Any] | None),
    Endpoint("GET", "/api/tables/{id}/log", tables.log, list[str]),
    Endpoint("GET", "/api/tables/{id}/qr", tables.qr, SVG, for_anyone=True),
    Endpoint("GET", "/api/tables/{id}/record", tables.record, RECORD, query=("game",)),
    Endpoint("GET", "/api/games/{game}/lesson", lessons.lesson, LessonInfo, for_anyone=True),
    Endpoint(
        "GET", "/api/games/{game}/lesson/{step}", lessons.lesson_step, LessonReply, query=("begun",), for_anyone=True
    ),
    Endpoint("GET", "/api/tables/{id}/games/{number}", replays.replay, Replayed, query=("eyes",)),
    Endpoint(
        "GET", "/api/tables/{id}/games/{number}/views/{step}", replays.replay_view, dict[str, Any], query=("eyes",)
    ),
)
