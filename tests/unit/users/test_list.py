"""Operators see all accounts with their tiers and what each used."""

from collections.abc import Callable

import pytest
from fastapi.testclient import TestClient

from modelwright.bootstrap.container import Container
from modelwright.core.db.database import ALL_ACCOUNTS
from modelwright.core.http.context import Level
from modelwright.usage.domain import Kind
from modelwright.usage.service import Usage
from modelwright.users.service import Users

MakeKey = Callable[..., str]


@pytest.fixture
def admin(as_key: Callable[[str], TestClient], make_key: MakeKey) -> TestClient:
    return as_key(make_key("ops@example.org", Level.ADMIN))


def test_lists_accounts_with_their_tiers_and_consumption(
    container: Container, admin: TestClient, make_key: MakeKey
):
    make_key("ann@example.org")
    users, usage = container.service(Users), container.service(Usage)
    with container.database.transaction(ALL_ACCOUNTS) as db:
        users.amend(db, "ann@example.org", credits=7)
        ann = users.deactivate(db, "ann@example.org")
    usage.record(ann.user_id, Kind.PREDICTIONS, 3_000)
    usage.flush()
    usage.record(ann.user_id, Kind.PREDICTIONS, 1_000)
    told = {one["email"]: one for one in admin.get("/users").json()["users"]}
    members = ("tier", "credits", "consumption", "is_active", "is_operator")
    assert [told["ann@example.org"][name] for name in members] == ["enterprise", 7, 4, False, False]
    assert told["ops@example.org"]["consumption"] == 0


def test_lists_them_in_pages_newest_first(admin: TestClient, make_key: MakeKey):
    make_key("zoe@example.org")
    whole = [one["email"] for one in admin.get("/users").json()["users"]]
    page = admin.get("/users", params={"limit": 1, "offset": 1}).json()
    assert [one["email"] for one in page["users"]] == whole[1:2]
    assert page["pagination"]["total"] == len(whole)
    assert whole.index("zoe@example.org") < whole.index("ops@example.org")


def test_is_for_operators_alone(api: TestClient):
    answer = api.get("/users")
    assert (answer.status_code, answer.json()["error"]["code"]) == (403, "insufficient_permissions")
