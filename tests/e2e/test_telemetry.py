"""What a real server and its worker tell a collector of OpenTelemetry."""

from pathlib import Path

from tests.e2e.cluster import until
from tests.e2e.server import Server
from tests.otlp_collector import attributes, collecting

from modelwright.machines.identity import machine_id
from modelwright_client.demo.table import PENGUINS

TOLD = {"GET /uploads/{upload_id}", "job processing"}
MEASURED = {"http.server.request.duration", "modelwright.job.duration"}


class TestServer:
    def test_tells_of_requests_and_jobs_by_the_processes_that_did_them(self, tmp_path: Path):
        with collecting() as collector:
            server = Server(tmp_path, otlp_endpoint=collector.url).start()
            try:
                with server.client() as client:
                    upload = client.uploads.send(PENGUINS)
                    client.uploads.read(upload["upload_id"])
                # What runs at the end has two seconds to tell of it, so it is waited for before.
                until(lambda: {span.name for span in collector.spans()} >= TOLD, within=90)
                until(lambda: set(collector.histograms()) >= MEASURED, within=90)
            finally:
                assert server.stop() == 0
        spans = {span.name: span for span in collector.spans()}
        told = attributes(spans["GET /uploads/{upload_id}"])
        assert told["modelwright.operation"] == "uploads.read"
        assert told["http.response.status_code"] == 200
        job = attributes(spans["job processing"])
        assert job["modelwright.job.outcome"] == "COMPLETED"
        name = machine_id(server.data)
        assert collector.instances("GET /uploads") == {f"{name}/api"}
        assert collector.instances("job ") == {f"{name}/worker"}
        sent = b"".join(body for bodies in collector.bodies.values() for body in bodies)
        for secret in (server.key, upload["upload_id"], "penguins"):
            assert secret.encode() not in sent
