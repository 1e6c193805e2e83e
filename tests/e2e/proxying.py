"""The proxy before several machines: Debian's nginx with the configuration that is shipped."""

import shutil
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import pytest

SHIPPED = Path(__file__).parents[2] / "deploy" / "docker" / "nginx.conf"
STOP_SECONDS = 20.0


@contextmanager
def proxied(folder: Path, hosts: Mapping[str, str], port: int) -> Iterator[None]:
    """Runs nginx with the shipped rules on a port of loopback until the end of the block.

    Names of hosts become addresses of this machine, as told; nothing else of what nginx does with
    a request is changed.
    """
    nginx = shutil.which("nginx")
    if nginx is None:
        pytest.skip("nginx is not installed")
    told = SHIPPED.read_text("utf-8")
    for host, address in hosts.items():
        told = told.replace(host, address)
    folders = "".join(
        f"{name}_temp_path {folder}/{name};\n"
        for name in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    told = told.replace("listen 8000;", f"listen 127.0.0.1:{port};")
    told = told.replace("http {", f"http {{\n{folders}").replace("worker_processes auto;", "")
    config = folder / "nginx.conf"
    more = f"daemon off; master_process off; pid {folder}/nginx.pid;\n"
    config.write_text(more + told)
    words = [nginx, "-e", str(folder / "error.log"), "-c", str(config)]
    with subprocess.Popen(words) as process:
        try:
            yield
        finally:
            process.terminate()
            process.wait(STOP_SECONDS)
