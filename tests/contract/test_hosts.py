"""The `Host` header: only known names of the server, where answers point to what it says."""

from typing import Any

import pytest
from fastapi.testclient import TestClient

from modelwright.core.config.load import SettingsError, read_settings
from modelwright.core.config.settings import Settings
from modelwright.core.errors import ApiError
from modelwright.core.http.allowed_hosts import AllowedHosts

FILES = {"files": [{"filename": "a.csv", "content_type": "text/csv"}]}
FOREIGN = [
    "evil.example",
    "evil.example:80",
    "testserver.evil.example",
    "localhost.evil.example",
    "testserver@evil.example",
    "evil.example#testserver",
    "127.0.0.1.evil.example",
    "8.8.8.8",
    "[2001:db8::1]:80",
    "",
    "a b",
    "testserver:port",
    "testserver:80, evil.example",
]
OWN = ["testserver", "TESTSERVER:9000", "localhost:8000", "127.0.0.1", "127.8.8.8:1", "[::1]:8443"]


def refused(answer: Any) -> str:
    assert answer.status_code == 400, answer.text
    message = answer.json()["error"]["message"]
    assert "MODELWRIGHT_ALLOWED_HOSTS" in message
    assert "MODELWRIGHT_PUBLIC_URL" in message
    return str(message)


class TestWithoutAPublicAddress:
    @pytest.mark.parametrize("host", FOREIGN)
    def test_a_foreign_name_is_refused_before_anything_is_made(self, api: TestClient, host: str):
        before = api.get("/uploads").json()["pagination"]["total"]
        refused(api.post("/data/upload", json=FILES, headers={"Host": host}))
        assert api.get("/uploads").json()["pagination"]["total"] == before

    @pytest.mark.parametrize("host", OWN)
    def test_own_names_lead_back_here(self, api: TestClient, host: str):
        answer = api.post("/data/upload", json=FILES, headers={"Host": host})
        assert answer.json()["files"][0]["presigned_url"].startswith(f"http://{host}/")

    @pytest.mark.parametrize("path", ["/", "/console/", "/data/health", "/console/oidc", "/no"])
    def test_strangers_get_no_redirect_either(self, anonymous_client: TestClient, path: str):
        answer = anonymous_client.get(path, headers={"Host": "evil.example"})
        refused(answer)
        assert "location" not in answer.headers

    @pytest.mark.parametrize("header", ["X-Forwarded-Host", "Forwarded", "X-Original-Host"])
    def test_no_other_header_names_the_server(self, api: TestClient, header: str):
        answer = api.post("/data/upload", json=FILES, headers={header: "host=evil.example"})
        assert "evil.example" not in answer.text

    def test_two_names_are_none(self, api: TestClient):
        headers = [("Host", "testserver"), ("Host", "evil.example")]
        refused(api.get("/models", headers=headers))


class TestListed:
    @pytest.fixture
    def settings(self, settings: Settings) -> Settings:
        listed = "ml.example.org, 192.0.2.7, 2001:db8:0::7"
        return settings.model_copy(update={"allowed_hosts": listed})

    @pytest.mark.parametrize(
        "host",
        [
            "ml.example.org",
            "ML.example.org:8443",
            "ml.example.org.",
            "192.0.2.7:80",
            "[2001:DB8::7]:8443",
            "[2001:db8:0:0:0:0:0:7]",
        ],
    )
    def test_names_are_taken_with_any_port(self, api: TestClient, host: str):
        answer = api.post("/data/upload", json=FILES, headers={"Host": host})
        assert answer.status_code == 200

    @pytest.mark.parametrize(
        "host",
        ["example.org", "[2001:db8::8]", "2001:db8::7", "[::ffff:192.0.2.8]", "192.0.2.7.nip.io"],
    )
    def test_others_are_refused(self, api: TestClient, host: str):
        refused(api.get("/models", headers={"Host": host}))


class TestAny:
    @pytest.mark.parametrize(
        "changes", [{"allowed_hosts": "*"}, {"public_url": "https://ml.example.org"}]
    )
    def test_may_call_where_that_is_meant_or_changes_nothing(
        self, settings: Settings, changes: dict[str, str]
    ):
        hosts = AllowedHosts(
            [one for one in (changes.get("allowed_hosts"),) if one],
            has_public_url="public_url" in changes,
        )
        hosts.check({"type": "http", "headers": [(b"host", b"evil.example")], "server": None})


class TestAddressOfTheConnection:
    @pytest.mark.parametrize(
        ("host", "local", "is_own"),
        [
            (b"192.0.2.7:8000", "192.0.2.7", True),
            (b"[2001:db8::7]:8000", "2001:db8:0::7", True),
            (b"192.0.2.7", "::ffff:192.0.2.7", True),
            (b"192.0.2.8", "192.0.2.7", False),
        ],
    )
    def test_is_a_name_of_the_server(self, host: bytes, local: str, is_own: bool):
        hosts = AllowedHosts([], has_public_url=False)
        scope = {"type": "http", "headers": [(b"host", host)], "server": (local, 8000)}
        for _ in range(2):
            if is_own:
                hosts.check(scope)
            else:
                with pytest.raises(ApiError, match="MODELWRIGHT_ALLOWED_HOSTS"):
                    hosts.check(scope)


class TestSetting:
    @pytest.mark.parametrize("given", ["https://a.example", "a.example:80", "a b", "a/b"])
    def test_what_is_no_name_is_refused_by_its_setting(
        self, given: str, monkeypatch: pytest.MonkeyPatch
    ):
        monkeypatch.setenv("MODELWRIGHT_ALLOWED_HOSTS", given)
        with pytest.raises(SettingsError, match="MODELWRIGHT_ALLOWED_HOSTS"):
            read_settings()
