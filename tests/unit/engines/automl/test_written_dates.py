"""Strings that write dates in one order: built from, answered, scored and watched as dates."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from pyarrow import parquet, table
from tests.unit.engines.automl.conftest import Built, build, rows_of
from tests.unit.engines.automl.test_artifact import members_of, refused, with_json

from modelwright.engines.automl.monitoring.online_counts import Watch
from modelwright.engines.automl.planning.load_columns import stamps_of
from modelwright.engines.automl.scoring import RowTypeError, Scorer
from modelwright_runtime import WITH_COUNTS, WITH_NAMED_MONTHS, WITH_ORDERS
from modelwright_runtime.columns import DateColumn
from modelwright_runtime.date_parsing import NO_DATE
from modelwright_runtime.predictor import Predictor

ROWS = 1500
MAKER = np.random.default_rng(11)
DAY = MAKER.permutation(ROWS)
LASTED = MAKER.integers(1, 40, ROWS)
NEW_YEAR = datetime(2021, 1, 1, tzinfo=UTC)


def written(days: int, form: str) -> str:
    return (NEW_YEAR + timedelta(days)).strftime(form)


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Built:
    """Gives a table whose target is what month it was and how long it lasted."""
    folder = tmp_path_factory.mktemp("orders")
    ordered = [written(int(day), "%m/%d/%Y") for day in DAY]
    paid = [written(int(sum(pair)), "%d.%m.%y") for pair in zip(DAY, LASTED, strict=True)]
    month = np.array([(NEW_YEAR + timedelta(int(day))).month for day in DAY])
    y = 5.0 * (month % 3) + LASTED + MAKER.normal(size=ROWS)
    path = folder / "orders.parquet"
    parquet.write_table(table({"ordered": ordered, "paid": paid, "y": y}), path)
    return path, folder, build(path, folder, max_iterations=1)


@pytest.fixture(scope="module")
def predictor(built: Built) -> Predictor:
    return Predictor.load(built[1])


class TestBuild:
    def test_finds_what_months_and_durations_tell(self, built: Built):
        assert built[2].metrics["rmse"] < 1.7

    def test_keeps_how_they_are_written(self, predictor: Predictor):
        orders = [one.order for one in predictor.columns if isinstance(one, DateColumn)]
        assert orders == ["mdy", "dmy"]
        assert predictor.input_schema == {"ordered": "string", "paid": "string"}
        assert predictor.manifest["format"] == WITH_ORDERS


class TestReading:
    def test_leaves_what_is_no_date_missing(self):
        texts = pa.chunked_array([["1/31/2024", "soon", None], ["31/1/2024", "1/1/70"]])
        expected = [1_706_659_200_000_000, NO_DATE, NO_DATE, NO_DATE, 0]
        assert stamps_of(texts, "mdy").tolist() == expected


class TestAnswers:
    def test_are_the_same_for_dates_written_as_iso(self, built: Built, predictor: Predictor):
        row = rows_of(built[0], 1)[0]
        day, last = int(DAY[0]), int(DAY[0] + LASTED[0])
        iso = {"ordered": written(day, "%Y-%m-%d"), "paid": written(last, "%Y-%m-%dT00:00")}
        assert predictor.predict_one(iso).result == predictor.predict_one(row).result

    def test_are_scored_alike_from_files(self, built: Built, predictor: Predictor):
        rows = rows_of(built[0], 300)
        told = [one.result["y"] for one in predictor.predict_many(rows)]
        days = [[(NEW_YEAR + timedelta(int(one))).date() for one in part] for part in
                (DAY[:300], DAY[:300] + LASTED[:300])]  # fmt: skip
        typed = {name: pa.array(one) for name, one in zip(("ordered", "paid"), days, strict=True)}
        plain = {name: pa.array([row[name] for row in rows]) for name in ("ordered", "paid")}
        for columns in (plain, typed):
            added = dict(Scorer(predictor).score(pa.RecordBatch.from_pydict(columns), 0))
            assert added["prediction"].to_pylist() == told

    def test_are_refused_with_row_and_example(self, predictor: Predictor):
        columns = {"ordered": ["12/31/2021", "31/12/2021"], "paid": ["31.12.21"] * 2}
        with pytest.raises(
            RowTypeError, match=r"row 1 .*`ordered` must be a date such as 12/31/2024"
        ):
            Scorer(predictor).score(pa.RecordBatch.from_pydict(columns), 0)


class TestWatch:
    def test_counts_them_as_in_training(self, built: Built):
        watch = Watch.read(built[1])
        counts = watch.count(rows_of(built[0], ROWS))
        shares = np.array(counts["columns"]["ordered"]) / counts["examined"]
        np.testing.assert_allclose(shares, watch.columns["ordered"].shares, atol=0.02)


class TestArtifact:
    @pytest.mark.parametrize("order", [None, "", "myd", 1])
    def test_of_an_order_that_is_none_is_refused(self, built: Built, tmp_path: Path, order: object):
        def change(told: dict[str, list[dict[str, object]]]) -> None:
            told["columns"][0]["order"] = order

        refused(tmp_path, with_json(members_of(built), change), "ordered")


class TestGapsInWords:
    WORDS = ("N/A", "-", "unknown", "", " ")

    @pytest.fixture(scope="class")
    @staticmethod
    def gappy(tmp_path_factory: pytest.TempPathFactory) -> Built:
        """Gives the table with a date of two in ten told as unknown, in all these words."""
        folder = tmp_path_factory.mktemp("gaps")
        month = np.array([(NEW_YEAR + timedelta(int(day))).month for day in DAY])
        paid = [
            TestGapsInWords.WORDS[at % 5] if at % 10 < 2 else written(int(day), "%d.%m.%y")
            for at, day in enumerate(DAY)
        ]
        due = [
            None if at % 9 == 0 else "n/a" if at % 9 == 1 else written(int(day) + 9, "%d %b %Y")
            for at, day in enumerate(DAY)
        ]
        y = 5.0 * (month % 3) * (np.arange(ROWS) % 10 > 1) + MAKER.normal(size=ROWS) / 4
        path = folder / "gaps.parquet"
        parquet.write_table(table({"paid": paid, "due": due, "y": y}), path)
        return path, folder, build(path, folder, max_iterations=1)

    def test_are_learnt_from_as_gaps_of_dates(self, gappy: Built):
        found = Predictor.load(gappy[1])
        dates = [one for one in found.columns if isinstance(one, DateColumn)]
        assert [(one.order, one.gaps) for one in dates] == [("dmy", True), ("named", True)]
        assert gappy[2].metrics["rmse"] < 1

    def test_are_answered_and_scored_as_null_is(self, gappy: Built):
        found, rows = Predictor.load(gappy[1]), rows_of(gappy[0], 200)
        blank = [
            {name: None if str(value).strip() in {*self.WORDS, "", "n/a"} else value
             for name, value in row.items() if name != "y"}
            for row in rows
        ]  # fmt: skip
        told = [found.predict_one(row).result for row in rows]
        assert [one.result for one in found.predict_many(rows)] == told
        assert [found.predict_one(row).result for row in blank] == told
        columns = {name: pa.array([row[name] for row in rows]) for name in ("paid", "due")}
        added = dict(Scorer(found, ["explanation"]).score(pa.RecordBatch.from_pydict(columns), 0))
        assert added["prediction"].to_pylist() == [one["y"] for one in told]

    def test_are_counted_as_missing(self, gappy: Built):
        watch = Watch.read(gappy[1])
        rows = rows_of(gappy[0], ROWS)
        paid = watch.count(rows)["columns"]["paid"]
        assert paid[-1] == ROWS // 5
        assert watch.columns["paid"].shares[-1] == pytest.approx(0.2)

    def test_are_refused_where_training_had_none(self, predictor: Predictor):
        columns = {"ordered": ["12/31/2021", "N/A"], "paid": ["31.12.21"] * 2}
        with pytest.raises(
            RowTypeError, match=r"row 1 .*`ordered` must be a date such as 12/31/2024"
        ):
            Scorer(predictor).score(pa.RecordBatch.from_pydict(columns), 0)
        row = {"ordered": "N/A", "paid": "31.12.21"}
        assert predictor.check(row) is not None


class TestMonthsThatAreNamed:
    def test_are_learnt_from_and_answered_as_dates(self, built: Built, tmp_path: Path):
        day = parquet.read_table(built[0])
        named = [written(int(one), "%d-%b-%Y") for one in DAY]
        path = tmp_path / "named.parquet"
        parquet.write_table(table({"ordered": named, "y": day["y"]}), path)
        build(path, tmp_path, max_iterations=1)
        found = Predictor.load(tmp_path)
        assert [one.order for one in found.columns if isinstance(one, DateColumn)] == ["named"]
        assert found.manifest["format"] == WITH_NAMED_MONTHS
        first = named[0]
        iso = written(int(DAY[0]), "%Y-%m-%d")
        told = [found.predict_one({"ordered": text}).result for text in (first, iso)]
        assert told[0] == told[1]


class TestMonthsWithoutADay:
    def test_are_learnt_from_and_answered_as_dates(self, tmp_path: Path):
        months = np.datetime64("2010-01") + np.arange(120)
        y = 5.0 * (np.arange(120) % 12) + np.arange(120)
        path = tmp_path / "months.parquet"
        parquet.write_table(table({"month": months.astype(str), "y": y}), path)
        made = build(path, tmp_path, max_iterations=2)
        found = Predictor.load(tmp_path)
        assert [one.order for one in found.columns if isinstance(one, DateColumn)] == ["month"]
        assert found.manifest["format"] == WITH_COUNTS
        assert made.report["held_out_rows"] == 20
        told = [found.predict_one({"month": text}).result for text in ("2021-03", "2021-03-01")]
        assert told[0] == told[1]
        problem = found.check({"month": "March"})
        assert problem is not None
        assert "a date such as 2024-12" in problem.message
