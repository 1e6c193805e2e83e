"""Every refusal says what to do: each class that any feature raises, in each of its states."""

import inspect
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import fields, is_dataclass
from datetime import UTC, datetime
from enum import Enum
from importlib import import_module
from itertools import product
from pathlib import Path
from types import NoneType, UnionType
from typing import Any, Union, get_args, get_origin, get_type_hints

import pytest
from tests.error_catalogue import CALL, DOCUMENT, request_fields

import modelwright
from modelwright.core.errors import LISTINGS, ApiError, missing, not_found

ROOT = Path(modelwright.__file__).parent
REMEDY = re.compile(
    r"(?:^|[;:.,] |\b(?:and|or|else|operator) )(?:then )?"
    r"(?:ask|cancel|choose|close|confirm|declare|delete|deploy|end|export|give|have|leave|let|look"
    r"|make|mend|must|name|open|plan|promote|put|puts|PUT|query|restore|retrain|send|start|starts"
    r"|tell|try|undeploy|upload|use|wait)\b"
    r"|\blists what\b",
    re.IGNORECASE,
)
"""A clause that begins with what the caller, or the operator, is to do."""
SAYS_ITSELF = "Try again."
"""What stands for a sentence that whoever raises a refusal says."""
SAID_BY_OTHERS = {"why", "error", "message", "fault"}
"""Arguments that are whole sentences of other parts, which have tests of their own."""
STANDS_FOR: dict[Any, Any] = {
    str: "named",
    int: 7,
    float: 7.0,
    bool: True,
    datetime: datetime(2026, 1, 1, tzinfo=UTC),
}
NEVER_RAISED = {"The upload named is complete."}
"""What the class would say of a state in which nobody raises it."""


def refusals() -> Iterator[type[ApiError]]:
    """All classes of refusals that make their own sentence."""
    for path in sorted(ROOT.rglob("errors.py")):
        module = import_module(
            ".".join(("modelwright", *path.relative_to(ROOT).with_suffix("").parts))
        )
        for _, one in inspect.getmembers(module, inspect.isclass):
            is_own = one.__module__ == module.__name__ and "__init__" in vars(one)
            if is_own and issubclass(one, ApiError) and one is not ApiError:
                yield one


def examples(hint: Any, name: str = "") -> list[Any]:
    """Gives what an argument may be: all members of an enumeration, else one value."""
    told = [one for one in get_args(hint) if one is not NoneType]
    if get_origin(hint) in (Sequence, list, tuple):
        return [[one] for one in examples(told[0], name)]
    kind: Any = told[0] if get_origin(hint) in (Union, UnionType) else hint
    if inspect.isclass(kind) and issubclass(kind, Enum):
        return list(kind)
    if is_dataclass(kind):
        hints = get_type_hints(kind)
        choices = product(
            *(examples(hints[one.name], one.name) for one in fields(kind) if one.init)
        )
        names = [one.name for one in fields(kind) if one.init]
        make: Callable[..., Any] = kind  # type: ignore[assignment]
        return [make(**dict(zip(names, values, strict=True))) for values in choices]
    if name in SAID_BY_OTHERS:
        return [SAYS_ITSELF]
    return [STANDS_FOR.get(kind, {})]


def made(refusal: type[ApiError]) -> Iterator[ApiError]:
    """Makes a refusal in each of its states."""
    hints = get_type_hints(refusal.__init__)
    names = [
        name
        for name, one in inspect.signature(refusal.__init__).parameters.items()
        if name != "self" and one.kind not in (one.VAR_KEYWORD, one.VAR_POSITIONAL)
    ]
    for values in product(*(examples(hints[name], name) for name in names)):
        yield refusal(**dict(zip(names, values, strict=True)))


REFUSALS = {f"{one.__module__}.{one.__name__}": one for one in refusals()}


@pytest.mark.parametrize("refusal", REFUSALS.values(), ids=REFUSALS)
def test_every_refusal_says_what_to_do(refusal: type[ApiError]) -> None:
    for one in made(refusal):
        if one.message.strip() in NEVER_RAISED:
            continue
        assert REMEDY.search(one.message), one.message
        assert one.message.rstrip().endswith((".", '"', "?")), one.message
        assert not re.search(r"\s\s|\{\}|\bNone\b|[;:.,] *$(?<![.])", one.message), one.message


def test_enough_of_them_are_looked_at() -> None:
    assert len(REFUSALS) > 60


@pytest.mark.parametrize("field", sorted({*LISTINGS, "filename", "machine_id"}))
def test_what_names_nothing_says_where_the_names_are(field: str) -> None:
    refused = not_found(field, "x")
    assert REMEDY.search(refused.message)
    assert [one.field for one in refused.details] == [field]
    calls = CALL.findall(refused.message)
    paths = DOCUMENT.read_text()
    assert all(f'"{call.partition(" ")[2]}"' in paths for call in calls)
    assert bool(calls) == (field in LISTINGS)


def test_every_id_in_a_path_that_can_be_listed_says_where() -> None:
    ids = {name for names in request_fields().values() for name in names if name.endswith("_id")}
    unlisted = {"account_id", "choice_id", "export_id", "item_id", "plan_id", "request_id"}
    """Ids that one answer alone tells, or that say where they are listed by themselves."""
    assert ids - LISTINGS.keys() - unlisted == set()


def test_what_is_missing_is_named() -> None:
    assert missing("intent").message == "intent is required."


@pytest.mark.parametrize(
    "said", ["It is broken.", "Too many tries.", "The name is used up; it was made before."]
)
def test_a_sentence_without_a_remedy_is_seen(said: str) -> None:
    assert not REMEDY.search(said)
