"""Days that no calendar has are gaps for questions and models, and refused in a prediction."""

from collections.abc import Callable
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
from fastapi.testclient import TestClient
from tests.unit.engines.automl.conftest import build

from modelwright.engines.ingest.converting import convert
from modelwright.engines.ingest.table import Bounds
from modelwright_runtime.errors import RowError
from modelwright_runtime.predictor import Predictor

NO_DAYS = ("0000-00-00", "2023-02-30", "2023-13-01")
ROWS = 400
EVERY = 25
"""Of so many rows, one has no day."""


def table(no_days: tuple[str, ...]) -> str:
    """Writes logins whose spending grows with the day; every 25th row has no day."""
    lines = ["last_login,spend"]
    for n in range(ROWS):
        day = date(2023, 1, 1) + timedelta(days=n * 37 % 365)
        written = no_days[n % len(no_days)] if n % EVERY == 0 else day.isoformat()
        lines.append(f"{written},{20 + n * 37 % 365 / 5 + n % 7 / 10:.2f}")
    return "\n".join(lines) + "\n"


def model_of(text: str, folder: Path) -> tuple[float, Predictor]:
    folder.mkdir()
    source, target = folder / "t.csv", folder / "t.parquet"
    source.write_text(text)
    convert(source, target, name="t.csv", content_type="", bounds=Bounds(), scratch=folder)
    metrics = build(target, folder / "model", max_iterations=1, target="spend").metrics
    return metrics["r2"], Predictor.load(folder / "model")


def test_models_learn_of_them_as_of_gaps(tmp_path: Path):
    learnt, predictor = model_of(table(NO_DAYS), tmp_path / "no_days")
    with_gaps, other = model_of(table(("",)), tmp_path / "gaps")
    assert pq.read_table(tmp_path / "no_days" / "t.parquet").equals(
        pq.read_table(tmp_path / "gaps" / "t.parquet")
    )
    assert learnt == pytest.approx(with_gaps, abs=0.01)
    assert learnt > 0.9
    rows: list[dict[str, Any]] = [{"last_login": "2023-06-01"}, {"last_login": None}]
    told, right = predictor.predict(rows), other.predict(rows)
    for one, two in zip(told, right, strict=True):
        assert one["prediction"]["spend"] == pytest.approx(two["prediction"]["spend"], abs=5)
    for no_day in NO_DAYS:
        with pytest.raises(
            RowError, match="`last_login` must be a date or date-time as 2024-12-31"
        ) as refused:
            predictor.predict([{"last_login": no_day}])
        assert "null says that there is none" in str(refused.value)


@pytest.mark.usefixtures("in_process_children")
def test_questions_count_them_as_gaps(api: TestClient, complete: Callable[..., dict[str, Any]]):
    days = [row.split(",")[0] for row in table(NO_DAYS).splitlines()[1:]]
    upload = complete({"logins.csv": table(NO_DAYS).encode()})
    (file,) = upload["files"]
    assert file["column_info"][0]["type"] == "date"
    body = {"upload_id": upload["upload_id"]}
    session = api.post("/data/sessions", json=body).json()["session_id"]
    for question, right in (
        ("How many rows have no last login?", ROWS // EVERY),
        ("How many rows have a last login before July 2023?",
         sum(one < "2023-07" for one in days if one not in NO_DAYS)),
        ("What is the latest last login?", "2023-12-31"),
    ):  # fmt: skip
        asked = {"session_id": session, "query_type": "natural_language", "query": question}
        answer = api.post("/data/query", json=asked)
        assert answer.status_code == 200, answer.text
        assert answer.json()["rows"] == [[right]]
