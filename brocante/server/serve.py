"""Running the server: uvicorn, one process or several, logs, and an orderly end."""

import asyncio
import contextlib
import json
import logging
import multiprocessing
import os
import signal
import socket as sockets
import sys
import threading
from collections.abc import Callable
from functools import partial
from pathlib import Path
from types import FrameType
from typing import Any

import msgspec
import uvicorn
from uvicorn.config import STARTUP_FAILURE
from uvicorn.supervisors import Multiprocess

from brocante.engine.errors import BrocanteError, UsageError
from brocante.engine.text import LANGUAGES, Text
from brocante.files import leave_to_owner
from brocante.server.app import SHUTDOWN_SECONDS, Server, application
from brocante.server.config import Config
from brocante.server.connections import most_connections, most_files
from brocante.server.garbage import collect_young_objects_only
from brocante.server.hosts import hosts_at
from brocante.server.http_protocol import HttpProtocol
from brocante.server.storage import StorageError, database_at
from brocante.server.storage.database import said
from brocante.server.storage.sqlite import SQLite
from brocante.server.websocket import WebSocketProtocol
from brocante.version import VERSION

log = logging.getLogger("brocante.server")
USUAL_PORT = 8000
#: Connections for a household, or a club: with room for fewer, somebody may have to stay out.
FEW_CONNECTIONS = 500
#: Seconds for which a thread keeps Python to itself while another waits for it. The one that writes to the disk gives
#: it up a dozen times a commit, and on a busy server would wait five milliseconds each time.
SWITCH_AFTER = 0.001
#: Addresses that stand for all of the machine's, each with an outside address at which nobody answers.
EVERYWHERE = {"0.0.0.0": "192.0.2.1", "::": "2001:db8::1", "": "192.0.2.1"}
#: What every log record has, and no line repeats.
ORDINARY = frozenset([*vars(logging.makeLogRecord({})), "message", "asctime", "taskName", "color_message"])


class App:
    """The application, made in the process that runs it."""

    def __init__(self, config: Config, *, json_logs: bool) -> None:
        self._config = config
        self._json_logs = json_logs
        self._app: Any = None

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        if self._app is None:
            set_up_logs(self._json_logs)
            collect_young_objects_only()
            sys.setswitchinterval(SWITCH_AFTER)
            server = Server(self._config)
            stop_in_order(server)
            stop_with_the_parent()
            log.info("started", extra={"pid": os.getpid()})  # one of several, perhaps in place of one that died
            self._app = application(server)
        await self._app(scope, receive, without_traceback(send) if scope["type"] == "lifespan" else send)


def without_traceback(send: Any) -> Any:
    """Why a server cannot start is said in a sentence, for an operator to mend: Starlette would show a traceback."""

    async def send_sentence(message: dict[str, Any]) -> None:
        error = sys.exc_info()[1]
        if message["type"] == "lifespan.startup.failed" and isinstance(error, BrocanteError):
            problem = error.problem if isinstance(error, StorageError) else error.say(LANGUAGES[0])
            message = {**message, "message": f"cannot start: {problem}"}
        await send(message)

    return send_sentence


def stop_in_order(server: Server) -> None:
    """When the process is told to stop, tell all clients to come back before uvicorn hangs up."""
    loop = asyncio.get_running_loop()

    async def shut_down(number: int, then: Any) -> None:
        log.info("stopping", extra={"signal": signal.Signals(number).name})
        await server.shut_down()
        if callable(then):
            then(number, None)

    def stop(number: int, frame: FrameType | None, then: Any) -> None:
        asyncio.run_coroutine_threadsafe(shut_down(number, then), loop)

    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, partial(stop, then=signal.getsignal(number)))


def stop_with_the_parent() -> None:
    """Have a worker process stop when the one that started it ends, however it ends."""
    parent = multiprocessing.parent_process()
    if parent is None:
        return

    def watch() -> None:
        parent.join()
        os.kill(os.getpid(), signal.SIGTERM)

    threading.Thread(target=watch, name="brocante-parent", daemon=True).start()


def serve(
    config: Config,
    *,
    host: str,
    port: int,
    workers: int = 1,
    json_logs: bool = False,
    announce: Callable[[str, str], None] = lambda url, database: None,
) -> None:
    """Serve until told to stop; `announce` gets the address, and where the tables are kept."""
    database = database_at(config.database)
    if workers > 1 and isinstance(database, SQLite):
        raise UsageError(Text("error.serve.workers"))
    if isinstance(database, SQLite):
        lock_file(database.path)
    set_up_logs(json_logs)
    database.make_schema()  # so that a problem with it is reported here, in words
    signal.signal(signal.SIGTERM, stop_on_signal)
    listening = listen(host, port)
    there, number, *_ = listening.getsockname()
    announce(address(host, number), database.name)
    log.info("listening", extra={"host": there, "port": number, "workers": workers, "version": VERSION})
    warn_of_few_connections(config)
    app = App(msgspec.structs.replace(config, hosts=hosts_at(there, config.hosts)), json_logs=json_logs)
    uvicorn_config = uvicorn.Config(
        app, workers=workers, timeout_graceful_shutdown=SHUTDOWN_SECONDS, **uvicorn_settings(config)
    )
    try:
        with contextlib.suppress(KeyboardInterrupt):
            if workers > 1:
                run_workers(Multiprocess(uvicorn_config, sockets=[listening]))
            else:
                uvicorn.Server(uvicorn_config).run(sockets=[listening])
    finally:
        log.info("stopped")


def warn_of_few_connections(config: Config) -> None:
    """Where the system allows a process hardly any files, people are dropped: whoever starts it should know why."""
    room = max(0, most_connections(config))
    if room < FEW_CONNECTIONS:
        log.warning("room for few connections", extra={"connections": room, "files": most_files()})


def run_workers(supervisor: Multiprocess) -> None:
    """Run them until told to stop, or until one cannot start: then this process must not seem to have ended well."""
    supervisor.run()
    if any(process.exitcode == STARTUP_FAILURE for process in supervisor.processes):
        sys.exit(STARTUP_FAILURE)


def address(host: str, port: int) -> str:
    """The address at which others find a server."""
    if host in EVERYWHERE:
        host = seen_from(EVERYWHERE[host])
    return f"http://{f'[{host}]' if ':' in host else host}:{port}"


def seen_from(outside: str) -> str:
    """This machine's address in the network that leads to another; nothing is sent there."""
    inet6 = ":" in outside
    with sockets.socket(sockets.AF_INET6 if inet6 else sockets.AF_INET, sockets.SOCK_DGRAM) as way:
        try:
            way.connect((outside, 9))
        except OSError:  # there is no network
            return "::1" if inet6 else "127.0.0.1"
        return str(way.getsockname()[0])


def uvicorn_settings(config: Config) -> dict[str, Any]:
    """Uvicorn's settings, chosen by measurement (docs/architecture.md)."""
    return {
        "loop": "uvloop" if sys.platform != "win32" else "asyncio",
        "http": HttpProtocol,
        "ws": WebSocketProtocol,
        "ws_max_size": config.message_bytes,
        "ws_per_message_deflate": False,
        "lifespan": "on",
        "log_config": None,
        "access_log": False,
        "server_header": False,
    }


def stop_on_signal(number: int, frame: FrameType | None) -> None:
    """Uvicorn raises the signal again once it has stopped; by then all is well."""
    sys.exit(0)


def lock_file(file: Path) -> None:
    """Lock a SQLite file: a second server would not hear what the first one writes, so none runs without a lock."""
    if sys.platform == "win32":
        return
    import fcntl

    path = Path(f"{file}.lock")
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        lock = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)  # held until the process ends
        leave_to_owner(path, file)
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise UsageError(Text("error.serve.in_use", file=str(file))) from None
    except OSError as error:
        raise UsageError(Text("error.serve.lock", lock=str(path), problem=said(error))) from None


def listen(host: str, port: int) -> sockets.socket:
    """Bind the port, or say in words why that is impossible."""
    family = sockets.AF_INET6 if ":" in host else sockets.AF_INET
    listening = sockets.socket(family)
    listening.setsockopt(sockets.SOL_SOCKET, sockets.SO_REUSEADDR, 1)
    try:
        listening.bind((host, port))
        listening.listen(2048)
    except (OSError, OverflowError) as error:
        listening.close()
        problem = str(getattr(error, "strerror", None) or error).rstrip(".")
        raise UsageError(Text("error.serve.port", host=host, port=port, problem=problem)) from None
    listening.set_inheritable(True)
    return listening


# --- logs -------------------------------------------------------------------------------------------------------------


class JsonLines(logging.Formatter):
    """One JSON object a line, for programs that gather logs."""

    def format(self, record: logging.LogRecord) -> str:
        line = {"at": round(record.created, 3), "level": record.levelname.lower(), "event": record.getMessage()}
        line |= extras(record)
        if record.exc_info:
            line["traceback"] = self.formatException(record.exc_info)
        return json.dumps(line, ensure_ascii=False, default=str)


class PlainLines(logging.Formatter):
    """The same for people."""

    def __init__(self) -> None:
        super().__init__("%(asctime)s %(levelname)s %(message)s")

    def format(self, record: logging.LogRecord) -> str:
        more = " ".join(f"{name}={value}" for name, value in extras(record).items())
        return f"{super().format(record)} {more}".rstrip()


def extras(record: logging.LogRecord) -> dict[str, Any]:
    return {name: value for name, value in vars(record).items() if name not in ORDINARY}


def set_up_logs(json_logs: bool) -> None:
    """Log to the error output, line by line."""
    handler = logging.StreamHandler()
    handler.setFormatter(JsonLines() if json_logs else PlainLines())
    for name in ("brocante", "uvicorn"):
        logger = logging.getLogger(name)
        logger.handlers, logger.propagate = [handler], False
        logger.setLevel(logging.INFO if name == "brocante" else logging.WARNING)
