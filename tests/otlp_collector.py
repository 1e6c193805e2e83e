"""An OpenTelemetry collector that takes OTLP over HTTP and keeps what it is sent."""

import gzip
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from opentelemetry.proto.collector.metrics.v1.metrics_service_pb2 import (
    ExportMetricsServiceRequest,
)
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest


class Collector:
    """An OTLP receiver that keeps what it is sent."""

    def __init__(self) -> None:
        self.bodies: dict[str, list[bytes]] = {"/v1/traces": [], "/v1/metrics": []}
        self.headers: list[Any] = []
        self.answers = {path: threading.Event() for path in self.bodies}
        """Set for the paths that are answered."""
        for answered in self.answers.values():
            answered.set()
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["content-length"]))
                if self.headers.get("content-encoding") == "gzip":
                    body = gzip.decompress(body)
                outer.bodies[self.path].append(body)
                outer.headers.append(self.headers)
                outer.answers[self.path].wait()
                self.send_response(200)
                self.end_headers()

            def log_message(self, *_: object) -> None:
                """Says nothing."""

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}"

    def spans(self) -> list[Any]:
        """Every span there is."""
        return [
            span
            for body in self.bodies["/v1/traces"]
            for resource in ExportTraceServiceRequest.FromString(body).resource_spans
            for scope in resource.scope_spans
            for span in scope.spans
        ]

    def instances(self, operation: str) -> set[str]:
        """The processes that told of spans whose name begins so."""
        return {
            attributes(resource.resource)["service.instance.id"]
            for body in self.bodies["/v1/traces"]
            for resource in ExportTraceServiceRequest.FromString(body).resource_spans
            for scope in resource.scope_spans
            for span in scope.spans
            if span.name.startswith(operation)
        }

    def histograms(self) -> dict[str, int]:
        """How often each histogram was recorded to, by the last export."""
        told: dict[str, int] = {}
        for body in self.bodies["/v1/metrics"]:
            for resource in ExportMetricsServiceRequest.FromString(body).resource_metrics:
                for metric in (one for scope in resource.scope_metrics for one in scope.metrics):
                    told[metric.name] = sum(int(at.count) for at in metric.histogram.data_points)
        return told


@contextmanager
def collecting() -> Iterator[Collector]:
    """Runs a collector until the end of the block."""
    made = Collector()
    thread = threading.Thread(target=made.server.serve_forever, args=(0.02,))
    thread.start()
    try:
        yield made
    finally:
        for answered in made.answers.values():
            answered.set()
        made.server.shutdown()
        made.server.server_close()
        thread.join()


def attributes(told: Any) -> dict[str, Any]:
    """The attributes of a span or a resource, by name."""
    return {one.key: one.value.string_value or one.value.int_value for one in told.attributes}
