"""Every operation of the client refuses unknown keywords and values of another shape, by walking.

An operation that is added is walked too; what it takes is read from its signature.
"""

import inspect
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints, is_typeddict

import pyarrow as pa
import pytest
from tests.unit.client.scripted import Answer, Scripted, serving

from modelwright_client import Client

FRAME = pa.table({"age": [1, 2]})
NO_LISTS = ["text", {"a": 1}, FRAME, 7]
NO_MAPPINGS = ["text", [("a", 1)], FRAME, 7]
Operation = tuple[str, str]


def operations() -> Iterator[Operation]:
    with Client("http://127.0.0.1:1", "mw_key") as client:
        for name, group in vars(client).items():
            if type(group).__module__.startswith("modelwright_client.") and name[0] != "_":
                for verb, _ in inspect.getmembers(group, inspect.ismethod):
                    if verb[0] != "_":
                        yield name, verb


ALL = list(operations())


def parameters(call: Callable[..., Any]) -> dict[str, tuple[inspect.Parameter, list[Any]]]:
    """Gives each parameter with the kinds of value that it takes; keywords of options too."""
    hints = get_type_hints(call)
    found = {}
    for name, one in inspect.signature(call).parameters.items():
        if one.kind is inspect.Parameter.VAR_KEYWORD:
            keyword = one.replace(kind=inspect.Parameter.KEYWORD_ONLY, default=None)
            (options,) = hints[name].__args__
            for member, kind in get_type_hints(options).items():
                found[member] = (keyword.replace(name=member), kinds_of(kind))
        else:
            found[name] = (one, kinds_of(hints[name]))
    return found


def kinds_of(hint: Any) -> list[Any]:
    told = get_args(hint) if get_origin(hint) in (Union, UnionType) else (hint,)
    return [one for one in told if one is not NoneType]


def is_list(kind: Any) -> bool:
    return get_origin(kind) in (list, Sequence)


def is_mapping(kind: Any) -> bool:
    return is_typeddict(kind) or get_origin(kind) in (dict, Mapping)


def plausible(kinds: list[Any], file: Path) -> Any:
    kind = kinds[0]
    if Path in kinds:
        return str(file)
    if is_list(kind):
        return []
    if is_mapping(kind):
        return {}
    if get_origin(kind) is Literal:
        return get_args(kind)[0]
    return {int: 1, float: 1.0, bool: True}.get(kind, "x")


class TestEveryOperation:
    @pytest.fixture
    def app(self) -> Scripted:
        return Scripted(Answer.refusal(404))

    @pytest.fixture
    def call(self, app: Scripted, request: pytest.FixtureRequest) -> Iterator[Callable[..., Any]]:
        name, verb = request.param
        with serving(app) as url, Client(url, "mw_key") as client:
            yield getattr(getattr(client, name), verb)

    @pytest.fixture
    def needed(self, call: Callable[..., Any], tmp_path: Path) -> dict[str, Any]:
        file = tmp_path / "a.csv"
        file.write_text("a,b\n1,2\n")
        return {
            name: plausible(kinds, file)
            for name, (one, kinds) in parameters(call).items()
            if one.default is inspect.Parameter.empty
        }

    @pytest.mark.parametrize("call", ALL, indirect=True, ids=map(".".join, ALL))
    def test_refuses_a_keyword_that_it_does_not_know(
        self, call: Callable[..., Any], needed: dict[str, Any], app: Scripted
    ):
        with pytest.raises(TypeError, match="tarject"):
            call(**needed, tarject="q")
        assert app.asked == []

    @pytest.mark.parametrize("call", ALL, indirect=True, ids=map(".".join, ALL))
    def test_refuses_values_of_another_shape(
        self, call: Callable[..., Any], needed: dict[str, Any], app: Scripted
    ):
        for name, (_, kinds) in parameters(call).items():
            wrong: list[Any] = []
            if kinds and all(map(is_list, kinds)):
                wrong = NO_LISTS
            if kinds and all(map(is_mapping, kinds)):
                wrong = NO_MAPPINGS
            for value in wrong:
                with pytest.raises(TypeError, match=rf"\b({name}|row)\b"):
                    started(call(**{**needed, name: value}))
                assert app.asked == [], f"{name}={value!r} was sent"


def started(answer: Any) -> Any:
    """Asks for the first of what comes bit by bit."""
    return next(answer) if inspect.isgenerator(answer) else answer


def test_the_walk_sees_them_all():
    assert len(ALL) > 70
    assert ("models", "build") in ALL
    assert ("deployments", "many") in ALL
