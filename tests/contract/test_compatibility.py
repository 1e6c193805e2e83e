"""Programs written for the first release go on working: what it described is still described.

`openapi_0_1.json` is its document without descriptions, titles and examples. Members, parameters,
operations and values may be added; none goes, and none changes its meaning.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

FIRST = Path(__file__).with_name("openapi_0_1.json")
MAY_BE_LEFT_OUT = {
    "/components/schemas/CreateSession/properties/upload_id/type is gone",
    "/components/schemas/CreateSession/required is gone",
}
"""Members of requests that may be left out now: a program that sends them goes on as before."""
MAY_BE_TEXT = {
    f"/components/schemas/Summary/properties/{place}/type was 'null' and is 'string'"
    for place in (
        "min/anyOf/2",
        "max/anyOf/2",
        "mean/anyOf/1",
        "median/anyOf/1",
        "quantiles/additionalProperties/anyOf/1",
    )
}
"""Statistics that are digits where no double holds them, as decimals are in all answers: they were
other numbers. All that doubles hold are numbers as before, and null stands behind both."""
NOW = Path(__file__).parents[2] / "docs" / "openapi.json"


def named(reference: str) -> Any:
    """Looks a schema up in the present document."""
    found = json.loads(NOW.read_text("utf-8"))
    for step in reference.removeprefix("#/").split("/"):
        found = found[step]
    return found


def changes(old: Any, new: Any, place: str = "") -> Iterator[str]:
    """Lists what the old document says and the new one does not.

    A schema that stood in its place and has a name now says the same.
    """
    if isinstance(new, dict) and "$ref" in new and "$ref" not in old:
        new = named(new["$ref"])
    if isinstance(old, dict) and isinstance(new, dict):
        for name, value in old.items():
            if name not in new:
                yield f"{place}/{name} is gone"
            else:
                yield from changes(value, new[name], f"{place}/{name}")
    elif isinstance(old, list) and isinstance(new, list):
        yield from _changes_of_list(old, new, place)
    elif isinstance(new, list) and old in new and place.endswith("/type"):
        return  # it may be null too
    elif old != new:
        yield f"{place} was {old!r} and is {new!r}"


def _changes_of_list(old: list[Any], new: list[Any], place: str) -> Iterator[str]:
    named = {one["name"]: one for one in new if isinstance(one, dict) and "name" in one}
    for number, value in enumerate(old):
        if isinstance(value, dict) and "name" in value:
            if value["name"] not in named:
                yield f"{place}/{value['name']} is gone"
            else:
                yield from changes(value, named[value["name"]], f"{place}/{value['name']}")
        elif isinstance(value, dict) and number < len(new):
            yield from changes(value, new[number], f"{place}/{number}")
        elif value not in new:
            yield f"{place}: {value!r} is gone"


class TestFirstRelease:
    def test_all_that_it_described_is_described_still(self) -> None:
        old, new = (json.loads(path.read_text("utf-8")) for path in (FIRST, NOW))
        assert set(changes(old, new)) - MAY_BE_LEFT_OUT - MAY_BE_TEXT == set()

    @pytest.mark.parametrize(
        ("old", "new"),
        [
            ({"a": 1}, {}),
            ({"operationId": "keys.amend"}, {"operationId": "keys.update"}),
            ({"type": "string"}, {"type": "integer"}),
            ({"enum": ["a", "b"]}, {"enum": ["a"]}),
            ([{"name": "limit", "in": "query"}], [{"name": "offset", "in": "query"}]),
        ],
    )
    def test_what_breaks_a_program_is_seen(self, old: Any, new: Any) -> None:
        assert list(changes(old, new))

    @pytest.mark.parametrize(
        ("old", "new"),
        [
            ({"a": 1}, {"a": 1, "b": 2}),
            ({"type": "object"}, {"type": ["object", "null"]}),
            ({"enum": ["a"]}, {"enum": ["a", "b"]}),
            ([{"name": "limit"}], [{"name": "offset"}, {"name": "limit", "x": 1}]),
        ],
    )
    def test_what_is_added_breaks_nothing(self, old: Any, new: Any) -> None:
        assert not list(changes(old, new))
