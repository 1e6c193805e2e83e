"""What a proxy in front says of the caller counts only where that proxy is trusted."""

from collections.abc import Callable

import httpx
import pytest
from tests.e2e.server import Server

SAID = {"X-Forwarded-For": "192.0.2.7", "X-Forwarded-Proto": "https"}
BODY = {"name": "a", "permission_level": "read_only"}


class TestForwarded:
    @pytest.mark.parametrize(
        ("trusted", "address"), [("127.0.0.1", "192.0.2.7"), ("", "127.0.0.1")]
    )
    def test_only_a_trusted_proxy_names_the_caller(
        self, new_server: Callable[..., Server], trusted: str, address: str
    ):
        server = new_server(trusted_proxies=trusted).start()
        with server.client():
            headers = {"x-api-key": server.key, **SAID}
            answer = httpx.post(f"{server.url}/auth/api-keys", json=BODY, headers=headers)
        assert answer.status_code == 200
        assert ("strict-transport-security" in answer.headers) is bool(trusted)
        newest = server.command("audit", "--limit", "1").split("  ")
        assert (newest[2], newest[-1].strip()) == ("keys.create", address)
