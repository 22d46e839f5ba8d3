"""Metrics for the operator, as Prometheus' text at `/metrics`."""

import logging
from collections.abc import Iterator

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from prometheus_client.core import CounterMetricFamily
from prometheus_client.registry import Collector

from brocante.server.storage import Storage

SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5)
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
        self.errors = Counter("brocante_errors", "What went wrong in the server itself", ["where"], registry=of)
        self.latency = Histogram(
            "brocante_command_seconds", "From a command read to everyone told", buckets=SECONDS, registry=of
        )

        self._by_outcome: dict[tuple[str, str], Counter] = {}

    def count_command(self, do: str, outcome: str) -> None:
        """Count what became of a command. Looking up a labelled counter takes longer than counting."""
        counter = self._by_outcome.get((do, outcome))
        if counter is None:
            counter = self._by_outcome[do, outcome] = self.commands.labels(do, outcome)
        counter.inc()

    def watch(self, storage: Storage) -> None:
        """Include what the storage counts itself."""
        self._registry.register(Written(storage))

    def failed(self, where: str, error: BaseException) -> None:
        """Count and log an error of our own."""
        self.errors.labels(where).inc()
        log.error("failed", extra={"where": where}, exc_info=error)

    def text(self) -> bytes:
        return generate_latest(self._registry)


class Written(Collector):
    """What has been written, read from the storage when somebody asks."""

    def __init__(self, storage: Storage) -> None:
        self._storage = storage

    def collect(self) -> Iterator[CounterMetricFamily]:
        yield CounterMetricFamily("brocante_entries", "Entries on disk", value=self._storage.appended)
        yield CounterMetricFamily("brocante_commits", "Transactions that they took", value=self._storage.batches)
