"""Metrics for the operator, as Prometheus' text at `/metrics`; deploy/alerts.yaml says which are worth an alert."""

import asyncio
import logging
import time
from collections.abc import Iterator

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, ProcessCollector, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from brocante.server.storage import Sizes, Storage, StorageError

SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5)
#: Seconds between two looks at how late the event loop is.
SAMPLE_EVERY = 0.25
#: Seconds that the database may take to say how large it is; without an answer the other metrics come alone.
SIZES_WITHIN = 1.0
log = logging.getLogger("brocante.server")


class Metrics:
    def __init__(self) -> None:
        self._registry = CollectorRegistry()
        of = self._registry
        self.tables = Gauge("brocante_tables", "Tables in memory", registry=of)
        self.connections = Gauge("brocante_connections", "Open sockets", registry=of)
        self.moves = Counter("brocante_moves", "Moves made, by people and bots", registry=of)
        self.commands = Counter("brocante_commands", "Commands of people", ["do", "outcome"], registry=of)
        self.requests = Counter("brocante_requests", "HTTP requests", ["route", "status"], registry=of)
        self.refusals = Counter("brocante_refusals", "Clients refused, dropped or hung up on", ["how"], registry=of)
        self.errors = Counter("brocante_errors", "What went wrong in the server itself", ["where"], registry=of)
        self.latency = Histogram(
            "brocante_command_seconds", "From a command read to everyone told", buckets=SECONDS, registry=of
        )
        self.append_seconds = Histogram(
            "brocante_append_seconds", "From an entry handed over to its being on disk", buckets=SECONDS, registry=of
        )
        self.loop_lag = Histogram(
            "brocante_loop_lag_seconds", "How late the event loop wakes who waits", buckets=SECONDS, registry=of
        )
        #: To be counted wherever the log of a table cannot be read, or does not hold.
        self.unreadable = Counter("brocante_unreadable_tables", "Times that a table's log was no good", registry=of)
        self.bots_waiting = Gauge("brocante_bots_waiting", "Bots whose turn is being thought about", registry=of)
        ProcessCollector(registry=of)  # memory, processor time, files; on Linux
        self._stored: Stored | None = None
        self._by_outcome: dict[tuple[str, str], Counter] = {}

    def count_command(self, do: str, outcome: str) -> None:
        """Count what became of a command. Looking up a labelled counter takes longer than counting."""
        counter = self._by_outcome.get((do, outcome))
        if counter is None:
            counter = self._by_outcome[do, outcome] = self.commands.labels(do, outcome)
        counter.inc()

    def watch(self, storage: Storage) -> None:
        """Include what the storage knows."""
        storage.timed = self.append_seconds.observe
        self._stored = Stored(storage)
        self._registry.register(self._stored)

    def failed(self, where: str, error: BaseException) -> None:
        """Count and log an error of our own. What the database says tells more than where we were when it failed."""
        self.errors.labels(where).inc()
        if isinstance(error, StorageError):
            log.error("failed", extra={"where": where, "problem": error.problem})
        else:
            log.error("failed", extra={"where": where}, exc_info=error)

    async def sample_loop_lag(self) -> None:
        """Note for ever how late the event loop is. What holds it up for long is noted as often as it was due
        meanwhile: everyone else waited that often too."""
        due = time.monotonic()
        while True:
            due += SAMPLE_EVERY
            await asyncio.sleep(due - time.monotonic())
            self.loop_lag.observe(max(0.0, time.monotonic() - due))

    async def text(self) -> bytes:
        """All metrics. They are put together in a thread: counting ten thousand open files takes some milliseconds."""
        if self._stored:
            await self._stored.look()
        return await asyncio.to_thread(generate_latest, self._registry)


class Stored(Collector):
    """What the storage knows, looked at when somebody asks."""

    def __init__(self, storage: Storage) -> None:
        self._storage = storage
        self._oldest = 0.0
        self._sizes: Sizes | None = None

    async def look(self) -> None:
        self._oldest = self._storage.oldest_append
        try:
            self._sizes = await asyncio.wait_for(self._storage.sizes(), SIZES_WITHIN)
        except (StorageError, TimeoutError):
            self._sizes = None

    def collect(self) -> Iterator[Metric]:
        storage = self._storage
        yield CounterMetricFamily("brocante_entries", "Entries on disk", value=storage.appended)
        yield CounterMetricFamily("brocante_commits", "Transactions that they took", value=storage.batches)
        yield GaugeMetricFamily("brocante_damaged_tables", "Tables whose log was found damaged", len(storage.damaged))
        yield GaugeMetricFamily("brocante_damaged_database", "1 if the database says that it is", storage.is_broken)
        yield GaugeMetricFamily(
            "brocante_oldest_append_seconds", "How long the oldest entry has been on its way to disk", self._oldest
        )
        if sizes := self._sizes:
            yield GaugeMetricFamily("brocante_database_bytes", "The database", sizes.database)
        if sizes and sizes.wal is not None and sizes.free is not None:
            yield GaugeMetricFamily("brocante_wal_bytes", "Its write-ahead log", sizes.wal)
            yield GaugeMetricFamily("brocante_free_bytes", "Room for both on their disk", sizes.free)
