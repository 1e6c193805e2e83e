"""Numbers for Prometheus, on a port of their own so that no client ever sees them.

Numbers of all accounts stand together in them.
"""

from collections import Counter as Counts
from collections.abc import Callable, Iterable
from contextlib import suppress
from time import perf_counter

from prometheus_client import CollectorRegistry, Counter, Histogram, start_http_server
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.registry import Collector
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from modelwright.bootstrap.container import Container
from modelwright.core.db.database import ALL_ACCOUNTS
from modelwright.core.errors import Unavailable
from modelwright.core.process import heartbeat
from modelwright.deployments.service import Deployments
from modelwright.jobs.service import Jobs
from modelwright.language_models.service import LanguageModels
from modelwright.machines.domain import MachinePart
from modelwright.machines.service import Machines

BUCKETS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30)
"""Upper ends of the buckets of durations, in seconds."""


class JobGauge(Collector):
    """How many jobs there are of each kind and status, counted when asked."""

    def __init__(self, container: Container) -> None:
        self._container = container

    def collect(self) -> Iterable[Metric]:
        """Counts the jobs; none while the database is away, so that the rest is told."""
        gauge = GaugeMetricFamily("modelwright_jobs", "Jobs there are.", labels=["kind", "status"])
        due = GaugeMetricFamily(
            "modelwright_jobs_oldest_due_seconds",
            "Seconds that the oldest job of a lane has waited that is due.",
            labels=["lane"],
        )
        with (
            suppress(Unavailable),
            self._container.database.transaction(ALL_ACCOUNTS, write=False) as db,
        ):
            for kind, status, count in self._container.service(Jobs).counts(db):
                gauge.add_metric([kind, status], count)
            for lane, seconds in self._container.service(Jobs).oldest_due(db):
                due.add_metric([lane], seconds)
        yield gauge
        yield due


class ProcessMetrics(Collector):
    """How the processes of this server live; nothing where no supervisor looks after them."""

    def collect(self) -> Iterable[Metric]:
        """Tells how long each is silent, and how often it was replaced for that."""
        silence = GaugeMetricFamily(
            "modelwright_process_silent_seconds",
            "Seconds since a process last gave a sign of life.",
            labels=["process"],
        )
        replaced = CounterMetricFamily(
            "modelwright_process_replacements",
            "Times a process was killed and started again because it gave no sign of life.",
            labels=["process"],
        )
        board = heartbeat.board()
        for pulse in board.pulses() if board else ():
            silence.add_metric([pulse.part], pulse.silent_seconds)
            replaced.add_metric([pulse.part], pulse.replaced)
        return (silence, replaced)


class MachineGauges(Collector):
    """Which machines are there, what each runs, and how replicas stand, read when asked."""

    def __init__(self, container: Container) -> None:
        self._container = container

    def collect(self) -> Iterable[Metric]:
        """Tells of machines and replicas; of none while the database is away."""
        up = GaugeMetricFamily(
            "modelwright_machine_up",
            "Whether a part of a machine gives signs of life.",
            labels=["machine", "part"],
        )
        draining = GaugeMetricFamily(
            "modelwright_machine_draining", "Whether a machine is drained.", labels=["machine"]
        )
        standing = GaugeMetricFamily(
            "modelwright_replicas", "Replicas there are.", labels=["machine", "status"]
        )
        machines = self._container.service(Machines)
        with (
            suppress(Unavailable),
            self._container.database.transaction(ALL_ACCOUNTS, write=False) as db,
        ):
            now = machines.now(db)
            for one in machines.list_(db):
                draining.add_metric([one.machine_id], one.is_draining)
                for part in MachinePart:
                    if one.until(part) is not None:
                        up.add_metric([one.machine_id, part], one.has(part, now))
            replicas = self._container.service(Deployments).replicas(db)
            counts = Counts((one.machine_id, one.status.value) for one in replicas)
            for labels, number in sorted(counts.items()):
                standing.add_metric(labels, number)
        return (up, draining, standing)


class LanguageModelMetrics(Collector):
    """How the language models of this process fare."""

    def __init__(self, models: LanguageModels) -> None:
        self._models = models

    def collect(self) -> Iterable[Metric]:
        """Counts their calls, failures, tokens and seconds."""
        labels = ["model"]
        calls = CounterMetricFamily(
            "modelwright_language_model_calls", "Times a model was asked.", labels=labels
        )
        failures = CounterMetricFamily(
            "modelwright_language_model_failures",
            "Times it could not be asked, was too slow, or answered nonsense.",
            labels=labels,
        )
        seconds = CounterMetricFamily(
            "modelwright_language_model_seconds", "Seconds spent waiting for it.", labels=labels
        )
        tokens = CounterMetricFamily(
            "modelwright_language_model_tokens",
            "Tokens it read (prompt) and wrote (completion).",
            labels=["model", "kind"],
        )
        for one in self._models.standings():
            calls.add_metric([one.name], one.calls)
            failures.add_metric([one.name], one.failures)
            seconds.add_metric([one.name], one.seconds)
            tokens.add_metric([one.name, "prompt"], one.prompt_tokens)
            tokens.add_metric([one.name, "completion"], one.completion_tokens)
        return (calls, failures, seconds, tokens)


class MetricsMiddleware:
    """Counts and times every request by feature and verb."""

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


def expose(container: Container, registry: CollectorRegistry) -> Callable[[], None]:
    """Serves the numbers at the metrics port; returns how to stop."""
    registry.register(JobGauge(container))
    registry.register(ProcessMetrics())
    registry.register(MachineGauges(container))
    registry.register(LanguageModelMetrics(container.service(LanguageModels)))
    settings = container.settings
    server, thread = start_http_server(settings.metrics_port, settings.metrics_host, registry)

    def stop() -> None:
        server.shutdown()
        server.server_close()
        thread.join()

    return stop
