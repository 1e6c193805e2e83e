"""Every list: newest first, in pages, sorted and filtered as the contract says."""

from collections.abc import Iterator
from datetime import datetime
from typing import Any

import pytest
from fastapi.testclient import TestClient
from tests.contract.ids import Ids, url_of
from tests.contract.walking import Operation, operations, told_of
from tests.contract.world import World

OLDEST_FIRST = {"builds.logs": "timestamp", "jobs.logs": "sequence"}
BY_NAME = {"connections.tables"}
BY_ENVIRONMENT = {"endpoints.list": ["production", "staging", "development"]}
FILTERS = {
    ("keys.list", "status"): ("active", "revoked"),
    ("uploads.list", "status"): ("pending", "processing", "complete", "failed"),
    ("uploads.resume", "status"): ("pending", "processing", "complete", "failed"),
    ("models.list", "status"): ("DRAFT", "BUILDING", "READY", "ERROR"),
    ("jobs.list", "status"): ("PENDING", "RUNNING", "COMPLETED", "FAILED", "CANCELLED"),
    ("jobs.list", "kind"): (
        *("processing", "analysis", "export", "build", "deployment", "ingestion", "scoring"),
    ),
}
"""Every filter with its values."""
SORTS = {
    ("uploads.list", "sort", "order"): ("created_at", "status"),
    ("uploads.resume", "sort", "order"): ("created_at", "status"),
    ("models.list", "sort_by", "sort_dir"): ("created_at", "name"),
}
"""Every list that can be sorted: the parameters, and what to sort by."""


class Listing:
    """One list of the tour's account."""

    def __init__(self, one: Operation, client: TestClient, url: str) -> None:
        self.name, self._client, self._url = one.name, client, url

    def get(self, **query: Any) -> dict[str, Any]:
        answer = self._client.get(self._url, params=query)
        assert answer.status_code == 200, (self.name, answer.text)
        return dict(answer.json())

    def all(self, **query: Any) -> list[dict[str, Any]]:
        return self.items(self.get(limit=100, **query))

    def items(self, told: dict[str, Any]) -> list[dict[str, Any]]:
        [items] = [value for value in told.values() if isinstance(value, list)]
        return list(items)


@pytest.fixture(scope="session")
def lists(world: World, mine: Ids) -> dict[str, Listing]:
    """Every list there is, by its operation."""

    def found() -> Iterator[Listing]:
        paths = told_of(world.anonymous_client.app)["paths"]
        for one in operations(world.anonymous_client.app):
            told = paths[one.path][one.verb].get("parameters", [])
            if "limit" in {each["name"] for each in told} and one.name != "datasets.preview":
                client = (
                    world.admin
                    if one.name in {"audit.list", "machines.list", "users.list"}
                    else world.api
                )
                ids = mine | {"job_id": mine["build_id"]}
                yield Listing(one, client, url_of(one.path, ids))

    return {one.name: one for one in found()}


def bare(item: dict[str, Any]) -> dict[str, Any]:
    """An item without what changes from one look to the next."""
    moving = {"expires_at", "last_used_at", "presigned_url"}
    return {
        key: [bare(one) if isinstance(one, dict) else one for one in value]
        if isinstance(value, list)
        else value
        for key, value in item.items()
        if key not in moving
    }


class TestPages:
    def test_every_list_has_something_to_page_through(self, lists: dict[str, Listing]):
        short = {name for name, one in lists.items() if one.get(limit=1)["pagination"]["total"] < 2}
        assert short == set()

    def test_follow_one_another_without_gap_or_repetition(self, lists: dict[str, Listing]):
        for name, one in lists.items():
            whole = [bare(item) for item in one.all()]
            total = one.get(limit=1)["pagination"]["total"]
            seen = []
            for offset in range(0, min(total, 9), 3):
                told = one.get(limit=3, offset=offset)
                seen += [bare(item) for item in one.items(told)]
                assert told["pagination"] == {
                    "total": total,
                    "limit": 3,
                    "offset": offset,
                    "has_more": offset + 3 < total,
                }, name
            assert seen == whole[: len(seen)], name

    def test_beyond_the_end_are_empty(self, lists: dict[str, Listing]):
        for name, one in lists.items():
            for offset in (1000, 2**40):
                told = one.get(offset=offset)
                assert one.items(told) == [], name
                assert told["pagination"]["has_more"] is False, name
                assert told["pagination"]["total"] > 1, name

    @pytest.mark.parametrize(
        "query",
        ["limit=-1", "limit=1.5", "limit=", "limit=ten", "offset=-1", "offset=x", "offset="],
    )
    def test_of_no_number_are_422(self, lists: dict[str, Listing], query: str):
        for name, one in lists.items():
            error = one._client.get(f"{one._url}?{query}").json()["error"]
            code = "validation_error" if one._url.startswith(("/models", "/jobs")) else None
            assert (error["status"], error["code"]) == (422, code or "validation_failed"), name
            assert error["details"][0]["field"] == query.partition("=")[0], name


def _read(value: Any) -> Any:
    """Reads a moment, whose milliseconds may be absent; versions and numbers stay as they are."""
    try:
        return datetime.fromisoformat(value)
    except (TypeError, ValueError):
        return value


def _sorted_by(value: str) -> Any:
    """A moment, or a text without its case."""
    moment = _read(value)
    return moment if isinstance(moment, datetime) else value.lower()


class TestOrder:
    def test_is_newest_first_unless_said_otherwise(self, lists: dict[str, Listing]):
        for name, one in lists.items():
            items = one.all()
            if name in BY_NAME:
                moments = [item["name"] for item in items][::-1]
            elif name in BY_ENVIRONMENT:
                order = BY_ENVIRONMENT[name]
                moments = [order.index(item["environment"]) for item in items][::-1]
            elif name in OLDEST_FIRST:
                moments = [_read(item[OLDEST_FIRST[name]]) for item in items][::-1]
            else:
                members = (
                    "version",
                    "created_at",
                    "executed_at",
                    "verified_at",
                    "deleted_at",
                    "at",
                    "since",
                )
                member = next(key for key in members if key in items[0])
                moments = [_read(item[member]) for item in items]
            assert moments == sorted(moments, reverse=True), name

    @pytest.mark.parametrize(("place", "keys"), SORTS.items(), ids=lambda it: it[0])
    def test_is_as_asked(
        self, lists: dict[str, Listing], place: tuple[str, str, str], keys: tuple[str, ...]
    ):
        name, by, direction = place
        one = lists[name]
        for key in keys:
            rising, falling = (one.all(**{by: key, direction: way}) for way in ("asc", "desc"))
            values = [_sorted_by(item[key]) for item in rising]
            assert values == sorted(values)
            assert [bare(item) for item in rising] == [bare(item) for item in falling][::-1]
        assert [bare(i) for i in one.all(**{by: "created_at"})] == [bare(i) for i in one.all()]
        for query in ({by: "size"}, {direction: "up"}, {by: ""}):
            error = one._client.get(one._url, params=query).json()["error"]
            assert error["status"] == 422
            assert error["details"][0]["field"] in query

    def test_every_sorted_list_has_a_case(self, world: World):
        found = parameters(world, lambda name: name.startswith("sort"))
        assert found == {(name, by) for name, by, way in SORTS} | {
            (name, way) for name, _, way in SORTS if way.startswith("sort")
        }


class TestFilters:
    @pytest.mark.parametrize(("place", "values"), FILTERS.items(), ids=lambda it: ".".join(it[:2]))
    def test_keep_just_what_fits(
        self, lists: dict[str, Listing], place: tuple[str, str], values: tuple[str, ...]
    ):
        name, member = place
        one = lists[name]
        whole = [bare(item) for item in one.all()]
        found = 0
        for value in values:
            fitting = [item for item in whole if item.get(member) == value]
            told = one.get(limit=100, **{member: value})
            assert [bare(item) for item in one.items(told)] == fitting, value
            assert told["pagination"]["total"] == len(fitting), value
            found += len(fitting)
        assert found == len(whole)

    @pytest.mark.parametrize("place", FILTERS, ids=".".join)
    def test_of_unknown_words_are_422(self, lists: dict[str, Listing], place: tuple[str, str]):
        name, member = place
        for word in ("", "nonsense", "ACTIVE "):
            answer = lists[name]._client.get(lists[name]._url, params={member: word})
            error = answer.json()["error"]
            assert (error["status"], error["details"][0]["field"]) == (422, member)

    def test_every_status_filter_has_a_case(self, world: World):
        assert parameters(world, {"status", "kind"}.__contains__) == set(FILTERS)

    def test_one_upload_is_paged_and_filtered_like_the_rest(
        self, lists: dict[str, Listing], mine: Ids
    ):
        one, asked = lists["uploads.resume"], {"upload_id": mine["upload_id"]}
        assert one.get(**asked)["pagination"]["total"] == 1
        assert one.all(**asked, status="complete") != []
        assert one.get(**asked, status="failed")["uploads"] == []
        assert one.get(**asked, status="failed")["pagination"]["total"] == 0
        assert one.get(**asked, offset=1)["uploads"] == []


def parameters(world: World, wanted: Any) -> set[tuple[str, str]]:
    """Operations with those of their query parameters that are wanted by name."""
    return {
        (told["operationId"], each["name"])
        for verbs in told_of(world.anonymous_client.app)["paths"].values()
        for told in verbs.values()
        for each in told.get("parameters", [])
        if each["in"] == "query" and wanted(each["name"])
    }
