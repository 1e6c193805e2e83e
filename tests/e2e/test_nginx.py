"""Behind Debian's nginx under a path prefix: addresses, a large PUT, server-sent events."""

import re
import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import httpx
import pytest
from tests.e2e.server import Server
from tests.ports import free_port

CONFIG = """
daemon off; master_process off; pid {folder}/nginx.pid; error_log {folder}/error.log;
events {{}}
http {{
  access_log off; client_body_temp_path {folder}/body; proxy_temp_path {folder}/proxy;
  fastcgi_temp_path {folder}/f; uwsgi_temp_path {folder}/u; scgi_temp_path {folder}/s;
  server {{
    listen 127.0.0.1:{port};
    client_max_body_size 0;
    location /mw/ {{
      proxy_pass http://127.0.0.1:{upstream}/;
      proxy_http_version 1.1; proxy_buffering off; proxy_request_buffering off;
      proxy_set_header Connection ""; proxy_set_header Host $http_host;
      proxy_set_header X-Forwarded-For $remote_addr; proxy_set_header X-Forwarded-Proto $scheme;
    }}
  }}
}}
"""


@pytest.fixture
def behind(tmp_path: Path, new_server: Callable[..., Server]) -> Iterator[tuple[str, Server]]:
    """The address that clients use, and the server behind it."""
    if shutil.which("nginx") is None:
        pytest.skip("nginx is not installed")
    port = free_port()
    public = f"http://127.0.0.1:{port}/mw"
    server = new_server(public_url=public, trusted_proxies="127.0.0.1", build_seconds=5).start()
    config = tmp_path / "nginx.conf"
    config.write_text(CONFIG.format(folder=tmp_path, port=port, upstream=server.port))
    process = subprocess.Popen(["nginx", "-e", str(tmp_path / "error.log"), "-c", str(config)])
    try:
        httpx.Client(transport=httpx.HTTPTransport(retries=10)).get(f"{public}/data/health")
        server.client()
        yield public, server
    finally:
        process.terminate()
        process.wait(20)


class TestBehindNginx:
    def test_the_documents_tell_the_directives_that_are_tried_here(self):
        told = (Path(__file__).parents[2] / "docs" / "how-to" / "proxy-and-tls.md").read_text()
        tried = re.findall(r"(?:proxy_(?!pass|temp)|client_max)[^;]+;", CONFIG)
        assert [one for one in tried if one not in told] == []

    def test_large_puts_addresses_and_events_go_through(
        self, behind: tuple[str, Server], tmp_path: Path
    ):
        public, server = behind
        client = httpx.Client(headers={"x-api-key": server.key}, timeout=60)
        table = tmp_path / "large.csv"
        with table.open("w") as file:
            file.write("number,word\n")
            file.writelines(f"{number},word {number % 977}\n" for number in range(300_000))
        files = [{"filename": "large.csv", "content_type": "text/csv"}]
        made = client.post(f"{public}/data/upload", json={"files": files}).json()
        address = made["files"][0]["presigned_url"]
        assert address.startswith(f"{public}/storage/")
        with table.open("rb") as content:
            assert httpx.put(address, content=content, timeout=60).status_code == 200
        listed = [{"filename": "large.csv", "object_key": made["files"][0]["object_key"]}]
        told = {"upload_id": made["upload_id"], "status": "complete", "files": listed}
        assert client.post(f"{public}/uploads/status", json=told).status_code == 200
        [job] = client.get(f"{public}/jobs").json()["jobs"]
        with client.stream("GET", f"{public}/jobs/{job['job_id']}/events") as events:
            lines = list(events.iter_lines())
        assert "event: end" in lines
        detail = client.get(f"{public}/uploads/{made['upload_id']}").json()
        assert detail["status"] == "complete"
        assert detail["files"][0]["rows"] == 300_000
        assert detail["files"][0]["preview_url"].startswith(public)
        assert client.get(detail["files"][0]["preview_url"]).status_code == 200
