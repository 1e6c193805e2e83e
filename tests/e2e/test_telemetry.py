"""What a real server and its worker tell a collector of OpenTelemetry."""

from pathlib import Path

from tests.e2e.server import Server
from tests.otlp_collector import attributes, collecting

from modelwright.machines.identity import machine_id
from modelwright_client.demo.table import PENGUINS


class TestServer:
    def test_tells_of_requests_and_jobs_by_the_processes_that_did_them(self, tmp_path: Path):
        with collecting() as collector:
            server = Server(tmp_path, otlp_endpoint=collector.url).start()
            try:
                with server.client() as client:
                    upload = client.uploads.send(PENGUINS)
                    client.uploads.read(upload["upload_id"])
            finally:
                assert server.stop() == 0  # what is left is exported then
        spans = {span.name: span for span in collector.spans()}
        told = attributes(spans["GET /uploads/{upload_id}"])
        assert told["modelwright.operation"] == "uploads.read"
        assert told["http.response.status_code"] == 200
        job = attributes(spans["job processing"])
        assert job["modelwright.job.outcome"] == "COMPLETED"
        name = machine_id(server.data)
        assert collector.instances("GET /uploads") == {f"{name}/api"}
        assert collector.instances("job ") == {f"{name}/worker"}
        assert {"http.server.request.duration", "modelwright.job.duration"} <= set(
            collector.histograms()
        )
        sent = b"".join(body for bodies in collector.bodies.values() for body in bodies)
        for secret in (server.key, upload["upload_id"], "penguins"):
            assert secret.encode() not in sent
