"""What every store does with rows."""

from dataclasses import dataclass

from fastapi.testclient import TestClient
from sqlalchemy import select

from modelwright.api_keys.orm import ApiKeyRecord
from modelwright.bootstrap.container import Container
from modelwright.core.clock import FrozenClock
from modelwright.core.db.database import ALL_ACCOUNTS
from modelwright.core.db.queries import insert_if_absent, paginate, to_dataclass
from modelwright.core.http.paging import Page
from modelwright.core.ids import AccountId
from modelwright.users.orm import DeletedAccountRecord


@dataclass(frozen=True)
class Shown:
    """A few members of a key, and one more."""

    name: str
    key_id: str
    note: str


class TestPageOf:
    def test_neither_shows_nor_counts_what_another_account_has(
        self, container: Container, api: TestClient, other_account_client: TestClient
    ):
        accounts = [
            client.get("/auth/user").json()["user_id"] for client in (api, other_account_client)
        ]
        for scope, number in [(AccountId(one), 1) for one in accounts] + [(ALL_ACCOUNTS, 2)]:
            with container.database.transaction(scope, write=False) as db:
                rows, total = paginate(
                    db, select(ApiKeyRecord), Page(1, 0), ApiKeyRecord.key_id.asc()
                )
                assert (len(rows), total) == (1, number)


class TestAddIfFree:
    def test_says_no_where_the_place_is_taken_and_what_was_added_before_stays(
        self, container: Container, clock: FrozenClock
    ):
        with container.database.transaction(ALL_ACCOUNTS) as db:
            for account, is_free in (("user_1", True), ("user_1", False), ("user_2", True)):
                row = DeletedAccountRecord(account_id=account, until=clock.now())
                assert insert_if_absent(db, row) is is_free
            assert set(db.scalars(select(DeletedAccountRecord.account_id))) == {"user_1", "user_2"}


class TestFactsOf:
    def test_takes_members_by_name_and_what_is_told_besides(self):
        row = ApiKeyRecord(key_id="key_1", name="a")
        assert to_dataclass(row, Shown, note="new") == Shown("a", "key_1", "new")
