"""Every operation's answer, field by field, after each was carried out for real."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from tests.contract.formats import FORMATS, IDS, MOMENT, faults, is_address
from tests.contract.shapes import ANSWERS, ELSEWHERE, NO_JSON, PAGINATION
from tests.contract.walking import operations
from tests.contract.world import World

LEADING = {"users.leave", "users.arrive"}
"""What leads a browser to the identity provider and back."""


def leaves(value: Any, name: str = "") -> Iterator[tuple[str, Any]]:
    """Every value that is neither object nor array, with the name of its member."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from leaves(inner, key)
    elif isinstance(value, list):
        for inner in value:
            yield from leaves(inner, name)
    else:
        yield name, value


@pytest.fixture(scope="session")
def told(world: World) -> list[tuple[str, Any]]:
    """Every JSON answer, with its operation."""
    return [
        (name, answer.json())
        for name, answers in world.answers.items()
        if name not in NO_JSON
        for answer in answers
    ]


class TestFields:
    def test_the_tour_goes_through_every_operation(self, world: World):
        every = {one.name for one in operations(world.anonymous_client.app)}
        assert every - set(world.answers) == set()

    def test_every_operation_has_a_shape(self, world: World):
        named = {name for name in world.answers if not name.startswith(ELSEWHERE)}
        assert named - NO_JSON == set(ANSWERS)

    @pytest.mark.parametrize("name", ANSWERS)
    def test_an_answer_holds_just_the_fields_it_should(self, world: World, name: str):
        for answer in world.answers[name]:
            found = [list(faults(shape, answer.json(), name)) for shape in ANSWERS[name]]
            assert [] in found, (min(found, key=len), answer.text)

    def test_success_is_200_and_json_but_where_a_browser_is_led_on(self, world: World):
        for name, answers in world.answers.items():
            for answer in answers:
                assert answer.status_code == (303 if name in LEADING else 200), name
                if name not in NO_JSON:
                    assert answer.headers["content-type"] == "application/json", name

    def test_a_replica_refuses_what_it_cannot_read(self, world: World):
        for answer in world.unreadable:
            error = answer.json()["error"]
            assert (answer.status_code, error["code"]) == (400, "invalid_request"), answer.text


class TestFormats:
    def test_ids_are_prefixed_and_of_one_form(self, told: list[tuple[str, Any]]):
        seen = set()
        for name, answer in told:
            for member, value in leaves(answer):
                if member.endswith("_id") and value is not None and member != "request_id":
                    prefix = value.split("_")[0] + "_"
                    seen.add(prefix)
                    assert prefix in IDS, (name, member, value)
                    assert FORMATS[prefix](value), (name, member, value)
        assert seen == set(IDS) - {"req_"}

    def test_times_are_utc_to_the_millisecond_at_most(self, told: list[tuple[str, Any]]):
        times = ("_at", "timestamp", "estimated_completion", "last_updated")
        for name, answer in told:
            for member, value in leaves(answer):
                if member.endswith(times) and value is not None:
                    assert MOMENT.fullmatch(value), (name, member, value)

    def test_addresses_are_absolute_and_the_request_s_own(
        self, world: World, told: list[tuple[str, Any]]
    ):
        seen = set()
        for name, answer in told:
            for member, value in leaves(answer):
                if member.endswith(("_url", "endpoint")) and value is not None:
                    seen.add(member)
                    assert is_address(value), (name, member, value)
                    assert value.startswith(world.origins), (name, member, value)
        assert seen >= {"endpoint", "presigned_url", "preview_url", "download_url", "data_url"}

    def test_every_list_carries_the_envelope(self, told: list[tuple[str, Any]]):
        for name, answer in told:
            lists = (
                [key for key, value in answer.items() if isinstance(value, list)]
                if isinstance(answer, dict)
                else []
            )
            if name.endswith((".list", ".logs", ".versions", ".tables", ".verified")) or (
                name in {"uploads.resume", "analysis.visualizations"}
            ):
                assert lists, name
                assert list(faults(PAGINATION, answer["pagination"], name)) == []

    def test_secrets_and_signed_addresses_come_only_where_they_are_asked_for(
        self, told: list[tuple[str, Any]]
    ):
        shown = {
            (name, member)
            for name, answer in told
            for member, value in leaves(answer)
            if member in {"key", "password", "presigned_url", "download_url", "csrf_token"}
            and value
        }
        assert shown == {
            ("keys.create", "key"),
            ("keys.rotate", "key"),
            ("uploads.create", "presigned_url"),
            ("uploads.missing_parts", "presigned_url"),
            ("uploads.resume", "presigned_url"),
            ("exports.read", "download_url"),
            ("users.sign_in", "csrf_token"),
            ("users.session", "csrf_token"),
            ("users.change_password", "csrf_token"),
        }

    def test_events_carry_what_the_job_and_its_lines_say(self, world: World):
        [answer] = world.answers["jobs.follow"]
        assert answer.headers["content-type"].startswith("text/event-stream")
        events = [block.split("\n") for block in answer.text.strip().split("\n\n")]
        kinds = [lines[0].removeprefix("event: ") for lines in events]
        assert (set(kinds), kinds[-1]) == ({"log", "end"}, "end")
        for kind, lines in zip(kinds, events, strict=True):
            data = json.loads(lines[2].removeprefix("data: "))
            shape = ANSWERS["jobs.read"] if kind == "end" else ANSWERS["jobs.logs"][0]["logs"]
            assert list(faults(shape[0], data, kind)) == []
