"""Keywords that nobody knows and rows that would be misread are refused before anything is sent."""

from typing import Any

import pyarrow as pa
import pytest
from tests.unit.client.scripted import Answer, Scripted, serving

from modelwright_client import Client

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
