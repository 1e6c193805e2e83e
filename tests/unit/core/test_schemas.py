"""What every request body shares."""

import pytest
from fastapi.testclient import TestClient
from pydantic import ValidationError

from modelwright.core.http.schemas import RequestBody, Text


class Order(RequestBody):
    """A body with a member of each kind that is converted, or not."""

    count: int
    name: Text = "a"


class TestWholeNumbers:
    def test_a_whole_number_may_be_written_with_a_point(self):
        assert Order.model_validate({"count": 3.0}).count == 3
        assert isinstance(Order.model_validate({"count": 3.0}).count, int)

    @pytest.mark.parametrize("count", [3.5, "3", True, None, float("inf")])
    def test_nothing_else_is_converted(self, count: object):
        with pytest.raises(ValidationError):
            Order.model_validate({"count": count})


class TestKeys:
    def test_null_is_no_name(self, api: TestClient):
        body = {"name": None, "permission_level": "read_only"}
        assert api.post("/auth/api-keys", json=body).json()["error"]["status"] == 422

    @pytest.mark.parametrize("name", ["", "a\0b", 7])
    def test_a_name_that_is_none_is_refused(self, api: TestClient, name: object):
        body = {"name": name, "permission_level": "read_only"}
        assert api.post("/auth/api-keys", json=body).json()["error"]["status"] == 422
        key_id = api.get("/auth/api-keys").json()["keys"][0]["key_id"]
        answer = api.patch(f"/auth/api-keys/{key_id}", json={"name": name})
        assert answer.json()["error"]["status"] == 422


class TestDays:
    @pytest.mark.parametrize("day", ["0", "1772409600", "2026-3-2", "2026-02-30", "today"])
    def test_only_a_day_of_the_calendar_is_one(self, api: TestClient, day: str):
        answer = api.get("/usage", params={"start": day})
        assert answer.status_code == 422
        assert "start" in answer.json()["error"]["message"]
        assert api.get("/usage", params={"start": "2026-03-02"}).status_code == 200
