"""Addresses in answers: the request's own, or those below `MODELWRIGHT_PUBLIC_URL`."""

from typing import Any

import pytest
from fastapi.testclient import TestClient
from tests.factories import CHURN, ModelSide

from modelwright.core.config.settings import Settings

FILES = {"files": [{"filename": "größe 1.csv", "content_type": "text/csv"}]}


def addresses(api: TestClient, model_side: ModelSide) -> dict[str, str]:
    """Every kind of address that an answer has."""
    model_side.ready("m")
    upload_id = model_side.upload(CHURN, name="churn")
    found: dict[str, Any] = {
        "presigned_url": api.post("/data/upload", json=FILES).json()["files"][0]["presigned_url"],
        "resumed": api.get("/data/upload").json()["uploads"][0]["files"][0]["presigned_url"],
        "preview_url": api.get(f"/uploads/{upload_id}").json()["files"][0]["preview_url"],
        "listed": api.get("/uploads?status=complete").json()["uploads"][0]["files"][0][
            "preview_url"
        ],
        "infer": api.get("/models/m").json()["endpoint"],
        "predict": api.post("/models/m/deploy", json={}).json()["endpoint"],
        "deployed": api.get("/models/m/deployments").json()["deployments"][0]["endpoint"],
    }
    return found


@pytest.mark.parametrize("base", ["http://testserver", "https://testserver", "http://[::1]:8443"])
def test_are_the_request_s_own(api: TestClient, model_side: ModelSide, base: str):
    api.base_url = base
    for kind, address in addresses(api, model_side).items():
        assert address.startswith(f"{base}/"), kind


def test_lead_where_they_say(api: TestClient, anonymous_client: TestClient, model_side: ModelSide):
    found = addresses(api, model_side)
    assert anonymous_client.put(found["presigned_url"], content=b"a\n1\n").status_code == 200
    assert api.get(found["preview_url"]).json()["total_rows"] == 80
    assert found["infer"] == "http://testserver/models/m/v1.0/infer"
    assert api.post(found["predict"], json={}).json()["error"]["code"] == "conflict"


class TestPublic:
    @pytest.fixture(params=["https://ml.example.org", "https://example.org/ml/", "http://h:9/a/b"])
    def public(self, request: pytest.FixtureRequest) -> str:
        return str(request.param)

    @pytest.fixture
    def settings(self, settings: Settings, public: str) -> Settings:
        return settings.model_copy(update={"public_url": public})

    def test_all_are_below_the_public_address(
        self, api: TestClient, model_side: ModelSide, public: str
    ):
        for kind, address in addresses(api, model_side).items():
            assert address.startswith(public.rstrip("/") + "/"), kind
            assert "//" not in address.partition("://")[2], kind

    def test_a_signed_one_works_behind_the_proxy_that_cuts_the_prefix_off(
        self, api: TestClient, anonymous_client: TestClient, model_side: ModelSide, public: str
    ):
        address = addresses(api, model_side)["presigned_url"]
        inside = address.removeprefix(public.rstrip("/"))
        assert anonymous_client.put(inside, content=b"a\n1\n").status_code == 200

    def test_a_host_header_changes_nothing(self, api: TestClient, public: str):
        answer = api.post("/data/upload", json=FILES, headers={"Host": "evil.example"})
        assert "evil.example" not in answer.text


@pytest.mark.parametrize("host", ["evil.example/x", "a b", "x?y", "", "[", "evil.example:99999"])
def test_an_odd_host_header_is_no_fault(api: TestClient, host: str):
    answer = api.post("/data/upload", json=FILES, headers={"Host": host})
    assert answer.status_code < 500, answer.text


def test_the_root_leads_a_browser_to_the_console(anonymous_client: TestClient):
    answer = anonymous_client.get("/")
    assert answer.status_code in {302, 303, 307}
    assert answer.headers["location"].endswith("/console/")
