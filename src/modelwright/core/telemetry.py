"""Traces and metrics for an OpenTelemetry collector, by the official SDK; off unless it is named.

The attributes of a request are its route as in the document, its operation, method and status;
of a job its kind and how it ended. No path, query, id, address, name or message is: these could be
somebody's.
"""

from collections.abc import Callable, Mapping
from contextlib import suppress
from http import HTTPStatus
from importlib.util import find_spec
from threading import Thread
from time import perf_counter
from typing import TYPE_CHECKING, Any

from modelwright import __version__
from modelwright.core.config.settings import Settings, listed

if TYPE_CHECKING:
    from opentelemetry.context import Context
    from opentelemetry.exporter.otlp.proto.http.metric_exporter import OTLPMetricExporter
    from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
    from opentelemetry.sdk.metrics import MeterProvider
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.trace import Span, SpanKind
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

SCOPE = "modelwright"
METRIC_SECONDS = 15.0
"""How often metrics are exported."""
EXPORT_SECONDS = 10.0
"""How long the collector may take over one export."""
FLUSH_SECONDS = 2.0
"""How long the end of a process waits for the last export."""
SECONDS_BUCKETS = (
    0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 1800,
)  # fmt: skip
"""Upper ends of the buckets of durations, from requests to builds."""
METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})


class TelemetryMissingError(Exception):
    """A collector is named, but what speaks with it is not installed."""

    def __init__(self) -> None:
        super().__init__(
            "MODELWRIGHT_OTLP_ENDPOINT needs what is not installed:"
            ' pip install "modelwright-platform[server,telemetry]".'
        )


def start(settings: Settings, part: str, machine_id: str) -> "Telemetry | None":
    """Begins to export what this process does; None where no collector is named.

    Raises TelemetryMissingError where the SDK is not installed.
    """
    if not settings.otlp_endpoint:
        return None
    if find_spec("opentelemetry") is None or find_spec("opentelemetry.sdk") is None:
        raise TelemetryMissingError
    return Telemetry(settings, part, machine_id)


class Telemetry:
    """The traces and metrics of one process."""

    def __init__(self, settings: Settings, part: str, machine_id: str) -> None:
        from opentelemetry.sdk.resources import Resource  # noqa: PLC0415 - an extra, slow to load

        about = {
            "service.name": "modelwright",
            "service.version": __version__,
            "service.instance.id": f"{machine_id}/{part}",
        }
        resource = Resource(about)
        headers = _headers(settings)
        spans, numbers = _exporters(settings, headers)
        self._exporters = (spans, numbers)
        self._traces = _tracer_provider(settings, resource, spans)
        self._metrics = _meter_provider(resource, numbers)
        self._tracer = self._traces.get_tracer(SCOPE, __version__)
        meter = self._metrics.get_meter(SCOPE, __version__)
        self._requests = meter.create_histogram(
            "http.server.request.duration", "s", "Seconds from a request to its answer's end."
        )
        self._jobs = meter.create_histogram(
            "modelwright.job.duration", "s", "Seconds of one attempt at a job."
        )

    def request(self, method: str, headers: "Mapping[str, str]") -> "Observation":
        """Begins the span of a request, as a part of the caller's trace where it has one."""
        from opentelemetry.trace import SpanKind  # noqa: PLC0415 - an extra
        from opentelemetry.trace.propagation.tracecontext import (  # noqa: PLC0415
            TraceContextTextMapPropagator,
        )

        carried = {name: headers[name] for name in ("traceparent",) if name in headers}
        parent = TraceContextTextMapPropagator().extract(carried)
        return self._observe(method, SpanKind.SERVER, self._requests, parent)

    def job(self, kind: str) -> "Observation":
        """Begins the span of an attempt at a job."""
        from opentelemetry.trace import SpanKind  # noqa: PLC0415 - an extra

        observed = self._observe(f"job {kind}", SpanKind.CONSUMER, self._jobs, None)
        observed.attributes["modelwright.job.kind"] = kind
        return observed

    def _observe(
        self, name: str, kind: "SpanKind", histogram: Any, parent: "Context | None"
    ) -> "Observation":
        return Observation(self._tracer.start_span(name, parent, kind), histogram)

    def stop(self) -> None:
        """Exports what is left, and gives up on a collector that is away or slow."""
        parts = (self._traces, self._metrics)
        endings = [Thread(target=_end, args=(part.shutdown,), daemon=True) for part in parts]
        for ending in endings:  # each on its own: neither waits for the other's export
            ending.start()
        until = perf_counter() + FLUSH_SECONDS  # the SDK keeps to no time that it is given
        for ending in endings:
            ending.join(max(0.0, until - perf_counter()))
        spans, numbers = self._exporters
        for ending, give_up in zip(endings, (spans.shutdown, numbers.shutdown), strict=True):
            if ending.is_alive():
                _end(give_up)  # which ends its tries


def _end(end: Callable[[], object]) -> None:
    with suppress(Exception):  # the process is to end, whatever the collector does
        end()


class Observation:
    """Something under way: its span and its attributes."""

    def __init__(self, span: "Span", histogram: Any) -> None:
        self.attributes: dict[str, str | int] = {}
        self._span, self._histogram = span, histogram
        self._started = perf_counter()

    def rename(self, name: str) -> None:
        """Names the span by what it has turned out to be."""
        self._span.update_name(name)

    def end(self, *, is_error: bool) -> None:
        """Ends the span and counts its seconds."""
        from opentelemetry.trace import StatusCode  # noqa: PLC0415 - an extra

        self._span.set_attributes(self.attributes)
        if is_error:
            self._span.set_status(StatusCode.ERROR)
        self._span.end()
        self._histogram.record(perf_counter() - self._started, self.attributes)


class TelemetryMiddleware:
    """Tells of every request: its route, method, status and time."""

    def __init__(self, app: "ASGIApp", telemetry: Telemetry) -> None:
        self.app = app
        self._telemetry = telemetry

    async def __call__(self, scope: "Scope", receive: "Receive", send: "Send") -> None:
        """Handles one connection's event."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        method = scope["method"] if scope["method"] in METHODS else "_OTHER"
        headers = {key.decode("latin-1"): it.decode("latin-1") for key, it in scope["headers"]}
        observed = self._telemetry.request(method, headers)
        status = HTTPStatus.INTERNAL_SERVER_ERROR

        async def send_on(message: "Message") -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        try:
            await self.app(scope, receive, send_on)
        finally:
            matched = _route_of(scope)
            route = getattr(matched, "path", None)
            operation = getattr(matched, "operation_id", None)
            observed.attributes |= {
                "http.request.method": method,
                "http.response.status_code": status,
            }
            if route:
                observed.attributes["http.route"] = route
                observed.rename(f"{method} {route}")
            if operation:
                observed.attributes["modelwright.operation"] = operation
            observed.end(is_error=status >= HTTPStatus.INTERNAL_SERVER_ERROR)


def _route_of(scope: "Scope") -> Any:
    """Finds the route that answered; of plain ones the framework tells the endpoint alone."""
    if "route" in scope or "endpoint" not in scope:
        return scope.get("route")
    routes = scope["app"].routes
    found = (one for one in routes if getattr(one, "endpoint", None) is scope["endpoint"])
    return next(found, None)


def _headers(settings: Settings) -> dict[str, str]:
    pairs = listed(settings.otlp_headers.get_secret_value())
    return {name.strip(): it.strip() for name, _, it in (one.partition("=") for one in pairs)}


def _exporters(
    settings: Settings, headers: dict[str, str]
) -> "tuple[OTLPSpanExporter, OTLPMetricExporter]":
    from opentelemetry.exporter.otlp.proto.http.metric_exporter import (  # noqa: PLC0415 - an extra
        OTLPMetricExporter,
    )
    from opentelemetry.exporter.otlp.proto.http.trace_exporter import (  # noqa: PLC0415
        OTLPSpanExporter,
    )

    url = settings.otlp_endpoint
    return (
        OTLPSpanExporter(f"{url}/v1/traces", headers=headers, timeout=EXPORT_SECONDS),
        OTLPMetricExporter(f"{url}/v1/metrics", headers=headers, timeout=EXPORT_SECONDS),
    )


def _tracer_provider(
    settings: Settings, resource: Any, exporter: "OTLPSpanExporter"
) -> "TracerProvider":
    from opentelemetry.sdk.trace import TracerProvider  # noqa: PLC0415 - an extra
    from opentelemetry.sdk.trace.export import BatchSpanProcessor  # noqa: PLC0415
    from opentelemetry.sdk.trace.sampling import ParentBased, TraceIdRatioBased  # noqa: PLC0415

    sampler = ParentBased(TraceIdRatioBased(settings.otlp_share))
    provider = TracerProvider(sampler, resource, shutdown_on_exit=False)
    provider.add_span_processor(BatchSpanProcessor(exporter))
    return provider


def _meter_provider(resource: Any, exporter: "OTLPMetricExporter") -> "MeterProvider":
    from opentelemetry.sdk.metrics import MeterProvider  # noqa: PLC0415 - an extra
    from opentelemetry.sdk.metrics.export import PeriodicExportingMetricReader  # noqa: PLC0415
    from opentelemetry.sdk.metrics.view import (  # noqa: PLC0415
        ExplicitBucketHistogramAggregation,
        View,
    )

    reader = PeriodicExportingMetricReader(exporter, METRIC_SECONDS * 1000)
    buckets = ExplicitBucketHistogramAggregation(SECONDS_BUCKETS)
    views = [View(instrument_name="*.duration", aggregation=buckets)]
    return MeterProvider([reader], resource, shutdown_on_exit=False, views=views)
