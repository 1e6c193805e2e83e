"""HTTPS of the server's own, and the refusal to show keys and data to a network in clear."""

import shutil
import ssl
import subprocess
import urllib.request
from pathlib import Path

import pytest
from tests.e2e.fork_server import COMMAND
from tests.ports import free_port

from modelwright.core.config.settings import Settings
from modelwright.core.http.allowed_hosts import is_loopback
from modelwright.processes.listener import CannotListenError, listen


@pytest.fixture
def certificate(tmp_path: Path) -> tuple[Path, Path]:
    if shutil.which("openssl") is None:
        pytest.skip("openssl, which makes the certificate, is not installed")
    cert, key = tmp_path / "cert.pem", tmp_path / "key.pem"
    subprocess.run(
        [
            "openssl",
            "req",
            "-x509",
            "-newkey",
            "ec",
            "-pkeyopt",
            "ec_paramgen_curve:P-256",
            "-nodes",
            "-days",
            "2",
            "-subj",
            "/CN=localhost",
            "-addext",
            "subjectAltName=DNS:localhost",
            "-keyout",
            str(key),
            "-out",
            str(cert),
        ],
        check=True,
        capture_output=True,
    )
    return cert, key


class TestServeOverTls:
    def test_answers_https_with_hsts(self, certificate: tuple[Path, Path], tmp_path: Path):
        cert, key = certificate
        port = free_port()
        command = [str(COMMAND), "serve", "--port", str(port), "--tls-cert", str(cert)]
        command += ["--tls-key", str(key)]
        environment = {"MODELWRIGHT_DATA_DIR": str(tmp_path / "data"), "PATH": "/usr/bin:/bin"}
        process = subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True)
        try:
            assert process.stdout is not None
            lines = iter(process.stdout.readline, "")
            answers = next(line for line in lines if "answers on" in line)
            assert f"https://127.0.0.1:{port}" in answers
            context = ssl.create_default_context(cafile=str(cert))
            url = f"https://localhost:{port}/data/health"
            with urllib.request.urlopen(url, context=context, timeout=30) as answer:
                assert answer.status == 200
                assert answer.headers["strict-transport-security"].startswith("max-age=")
        finally:
            process.terminate()
            process.communicate(timeout=40)


class TestListen:
    def test_refuses_another_machines_address_in_clear(self, tmp_path: Path):
        with pytest.raises(CannotListenError, match="--tls-cert"):
            listen(Settings(data_dir=tmp_path), "0.0.0.0", 0)

    def test_opens_it_where_a_proxy_ends_tls(self, tmp_path: Path):
        listen(Settings(data_dir=tmp_path, tls_by_proxy=True), "0.0.0.0", 0).close()

    def test_refuses_half_a_pair_and_what_is_no_certificate(self, tmp_path: Path):
        nothing = tmp_path / "nothing.pem"
        nothing.write_text("nothing")
        for key in (None, nothing):
            with pytest.raises(CannotListenError):
                listen(Settings(data_dir=tmp_path, tls_cert=nothing, tls_key=key), "127.0.0.1", 0)

    def test_asks_nobody_for_a_keys_passphrase(
        self, certificate: tuple[Path, Path], tmp_path: Path
    ):
        cert, key = certificate
        sealed = tmp_path / "sealed.pem"
        subprocess.run(
            ["openssl", "ec", "-in", key, "-aes256", "-passout", "pass:words", "-out", sealed],
            check=True,
            capture_output=True,
        )
        with pytest.raises(CannotListenError, match="passphrase"):
            listen(Settings(data_dir=tmp_path, tls_cert=cert, tls_key=sealed), "127.0.0.1", 0)

    def test_names_a_taken_address(self, tmp_path: Path):
        with (
            listen(Settings(data_dir=tmp_path), "127.0.0.1", 0) as first,
            pytest.raises(CannotListenError, match="already in use; choose another"),
        ):
            listen(Settings(data_dir=tmp_path), "127.0.0.1", first.getsockname()[1])

    @pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "::1", "127.8.8.8"])
    def test_knows_loopback(self, host: str):
        assert is_loopback(host)
        assert not is_loopback("192.0.2.1")
