"""Keywords that nobody knows and rows that would be misread are refused before anything is sent."""

import os
from collections.abc import Callable
from pathlib import Path, PurePath
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from tests.unit.client.scripted import Answer, Scripted, serving

from modelwright_client import Client
from modelwright_client.arguments import checked_paths, refuse_misread
from modelwright_client.errors import MisreadError

CALLS = [
    ("build", {"model_name": "m", "intent": "Predict q", "dataset_id": "d"}),
    ("create", {"model_name": "m", "intent": "Predict q", "dataset_id": "d"}),
    ("plan", {"model_name": "m", "intent": "Predict q", "dataset_id": "d"}),
    ("retrain", {"model_name": "m"}),
    ("create_version", {"model_name": "m", "dataset_id": "d"}),
]


@pytest.mark.parametrize(("verb", "members"), CALLS)
def test_a_keyword_that_is_mistyped_is_refused_by_its_name(
    verb: str, members: dict[str, Any]
) -> None:
    app = Scripted(Answer({}))
    with serving(app) as url, Client(url, "mw_key") as client:
        said = rf"{verb}\(\) got an unexpected keyword argument 'tarject'; did you mean 'target'"
        with pytest.raises(TypeError, match=said):
            getattr(client.models, verb)(**members, tarject="q")
    assert app.asked == []


@pytest.mark.parametrize(
    "rows", [{"age": [1, 2]}, pa.table({"age": [1, 2]}), "age", [{"age": 1}, "age"], [[1]]]
)
def test_rows_that_would_be_misread_are_refused(rows: Any) -> None:
    app = Scripted(Answer([]))
    with serving(app) as url, Client(url, "mw_key") as client:
        with pytest.raises(TypeError, match="to_dict"):
            client.predictions.many("m", "v1.0", rows)
        with pytest.raises(TypeError, match="to_dict"):
            client.predictions.infer("m", "v1.0", [rows])  # type: ignore[arg-type] # on purpose
    assert app.asked == []


@pytest.mark.parametrize(
    ("row", "said"),
    [
        ({1: "a", "age": 2}, r"rows\[0\] has the name 1, a int; .* give '1'"),
        ({None: "a"}, r"rows\[0\] has the name None"),
        ({"user": {True: 3}}, r"rows\[0\].user has the name True, a bool"),
        ({"seen": [{2.5: 1}]}, r"rows\[0\].seen\[0\] has the name 2.5"),
    ],
)
def test_names_that_are_no_texts_are_refused(row: Any, said: str) -> None:
    app = Scripted(Answer([]))
    with serving(app) as url, Client(url, "mw_key") as client:
        with pytest.raises(TypeError, match=said):
            client.predictions.many("m", "v1.0", [row])
        with pytest.raises(TypeError, match="names of fields are texts"):
            client.predictions.infer("m", "v1.0", row)
    assert app.asked == []


MISREAD: list[tuple[Callable[[Any], Any], str]] = [
    (
        lambda client: client.uploads.reparse("u", "a.csv", delimeter=";"),
        r"reparse\(\) got .* 'delimeter'; did you mean 'delimiter'",
    ),
    (
        lambda client: client.uploads.reparse("u", "a.csv", types={1: "string"}),
        "types has the name 1, a int; names of fields are texts: give '1'",
    ),
    (
        lambda client: client.uploads.send("a.csv", options={"delimeter": ";"}),
        "options has no member 'delimeter'; did you mean 'delimiter'",
    ),
    (
        lambda client: client.uploads.create(
            [{"filename": "a", "content_type": "text/csv", "options": {"encodng": "gbk"}}]
        ),
        r"files\[0\].options has no member 'encodng'; did you mean 'encoding'",
    ),
    (
        lambda client: client.uploads.confirm("u", [{"filename": "a", "objectkey": "k"}]),
        r"files\[0\] has no member 'objectkey'; did you mean 'object_key'",
    ),
    (
        lambda client: client.models.plan(
            "m", intent="Predict q", dataset_id="d", split={"by": "time", "columm": "day"}
        ),
        "split has no member 'columm'; did you mean 'column'",
    ),
    (
        lambda client: client.models.retrain(
            "m", costs={"false_positive": 1, "false_negative": 2, "true_positive": 3}
        ),
        "costs has no member 'true_positive'; did you mean 'false_positive'",
    ),
    (
        lambda client: client.models.create("m", intent="i", dataset_id="d", tags="red"),
        r"tags must be a list, not one text; give \['red'\]",
    ),
    (
        lambda client: client.uploads.reparse("u", "a.csv", null_values="NA"),
        r"null_values must be a list, not one text; give \['NA'\]",
    ),
    (
        lambda client: client.catalog.update("d", tables={"t": {"colums": {}}}),
        "tables.t has no member 'colums'; did you mean 'columns'",
    ),
    (
        lambda client: client.catalog.update("d", tables={"t": {"columns": {"a": {"unti": "m"}}}}),
        "tables.t.columns.a has no member 'unti'; did you mean 'unit'",
    ),
    (
        lambda client: client.catalog.update(
            "d", metrics={"m": {"table": "t", "expression": "1", "synonyms": "sales"}}
        ),
        "metrics.m.synonyms must be a list",
    ),
    (lambda client: client.catalog.update("d", take_back="metrics"), "take_back must be a list"),
    (lambda client: client.sessions.create(dataset_ids="sales"), "dataset_ids must be a list"),
    (lambda client: client.keys.create("k", "read_only", scopes="models"), "scopes must be a list"),
    (
        lambda client: client.keys.create("k", "read_only", allowed_networks="10.0.0.0/8"),
        "allowed_networks must be a list",
    ),
    (lambda client: client.predictions.infer("m", "v1.0", {}, include="warnings"), "include must"),
    (lambda client: client.predictions.many("m", "v1.0", [], include="warnings"), "include must"),
    (lambda client: client.predictions.score("m", "v1.0", "u", include="warnings"), "include must"),
    (lambda client: client.exports.create("u", files="a.csv"), "files must be a list"),
    (lambda client: client.analysis.create("u", files="a.csv"), "files must be a list"),
    (lambda client: client.models.amend("m", tags="red"), "tags must be a list"),
    (
        lambda client: client.monitoring.feedback("m", "v1.0", [("req_1", 1)]),
        "truths must map each request_id to what is so, not be a list",
    ),
]
"""What would be passed over, or read letter by letter, at any depth of an argument."""


@pytest.mark.parametrize(("call", "said"), MISREAD, ids=[said for _, said in MISREAD])
def test_a_member_that_would_be_passed_over_is_refused_by_its_name(
    call: Callable[[Any], Any], said: str
) -> None:
    app = Scripted(Answer({}))
    with (
        serving(app) as url,
        Client(url, "mw_key") as client,
        pytest.raises(TypeError, match=said),
    ):
        call(client)
    assert app.asked == []


def test_what_an_operation_takes_is_sent_as_it_is() -> None:
    app = Scripted(*[Answer({})] * 3)
    columns: Any = {"a": {"unit": "m", "synonyms": ["length"]}, "b": None}
    with serving(app) as url, Client(url, "mw_key") as client:
        client.catalog.update("d", tables={"t": {"columns": columns}, "s": None})
        client.uploads.reparse("u", "a.csv", types={"code": "string"}, null_values=["NA"])
        client.models.plan(
            "m", intent="i", dataset_id="d", split={"by": "group", "column": "g"}, tags=("red",)
        )
    assert [one.method for one in app.asked] == ["PATCH", "POST", "POST"]


def test_what_is_no_path_is_refused_by_its_type(tmp_path: Path) -> None:
    written = tmp_path / "a.csv"
    written.write_text("a\n1\n")
    app = Scripted(Answer({}))
    with serving(app) as url, Client(url, "mw_key") as client, written.open() as opened:
        given: Any
        for given, kind in (
            (pa.table({"a": [1]}), "Table"),
            (opened, "TextIOWrapper"),
            (b"a.csv", "bytes"),
            ([b"a.csv"], "bytes"),
            (np.array([1.5]), "float64"),
            ({"a": [1]}, "dict"),
            (None, "NoneType"),
        ):
            said = (
                f"paths must be a path or a list of paths, not a value of type {kind};"
                " write what it holds to a file first"
            )
            with pytest.raises(MisreadError) as refused:
                client.uploads.send(given)
            assert str(refused.value) == said
    assert app.asked == []


class _Named:
    """A path of another library."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def __fspath__(self) -> str:
        return str(self._path)


def test_whatever_names_paths_is_taken(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.touch()
    for one in (str(path), PurePath(path), _Named(path), *os.scandir(tmp_path)):
        assert checked_paths(one) == [path]
    given: Any
    for given in (
        np.array([str(path)]),
        {"a": path}.values(),
        (path,),
        iter([path]),
        {str(path)},
    ):
        assert checked_paths(given) == [path]


def test_what_is_no_list_is_refused_by_its_type() -> None:
    with pytest.raises(MisreadError) as refused:
        refuse_misread("tags", 7, list[str])
    assert str(refused.value) == "tags must be a list, not a value of type int"
