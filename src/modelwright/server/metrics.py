"""Numbers for Prometheus, on a port of their own so that no client ever sees them."""

from collections.abc import Callable, Iterable
from contextlib import suppress
from time import perf_counter

from prometheus_client import CollectorRegistry, Counter, Histogram, start_http_server
from prometheus_client.core import GaugeMetricFamily, Metric
from prometheus_client.registry import Collector
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from modelwright.bootstrap.container import Container
from modelwright.core.db.database import ALL_ACCOUNTS
from modelwright.core.errors import Unavailable
from modelwright.jobs.service import Jobs

BUCKETS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30)


class Queue(Collector):
    """How many jobs there are of each kind and status, counted when asked."""

    def __init__(self, house: Container) -> None:
        self._house = house

    def collect(self) -> Iterable[Metric]:
        """Counts the jobs; none while the database is away, so that the rest is told."""
        gauge = GaugeMetricFamily("modelwright_jobs", "Jobs there are.", labels=["kind", "status"])
        with (
            suppress(Unavailable),
            self._house.database.transaction(ALL_ACCOUNTS, write=False) as db,
        ):
            for kind, status, count in self._house.service(Jobs).counts(db):
                gauge.add_metric([kind, status], count)
        yield gauge


class Metered:
    """Counts and times every request by room and verb."""

    def __init__(self, app: ASGIApp, registry: CollectorRegistry) -> None:
        self.app = app
        self.requests = Counter(
            "modelwright_requests",
            "Requests answered.",
            ["operation", "status"],
            registry=registry,
        )
        self.seconds = Histogram(
            "modelwright_request_seconds",
            "Seconds from a request to its answer's first byte.",
            ["operation"],
            buckets=BUCKETS,
            registry=registry,
        )

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handles one connection's event."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        started = perf_counter()

        async def send_on(message: Message) -> None:
            if message["type"] == "http.response.start":
                operation = _operation(scope)
                self.seconds.labels(operation).observe(perf_counter() - started)
                self.requests.labels(operation, str(message["status"])).inc()
            await send(message)

        await self.app(scope, receive, send_on)


def _operation(scope: Scope) -> str:
    route = scope.get("route")
    return getattr(route, "operation_id", None) or getattr(route, "path", None) or "none"


def expose(house: Container, registry: CollectorRegistry) -> Callable[[], None]:
    """Serves the numbers at the metrics port; returns how to stop."""
    registry.register(Queue(house))
    settings = house.settings
    server, thread = start_http_server(settings.metrics_port, settings.metrics_host, registry)

    def stop() -> None:
        server.shutdown()
        server.server_close()
        thread.join()

    return stop
