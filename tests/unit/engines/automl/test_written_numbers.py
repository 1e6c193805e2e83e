"""Strings that write numbers: learnt from and predicted as numbers, answered, scored, watched."""

from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from pyarrow import parquet, table
from tests.unit.engines.automl.conftest import Built, Write, build, rows_of
from tests.unit.engines.automl.test_artifact import members_of, refused, with_json

from modelwright.engines.automl.monitoring.online_counts import Watch
from modelwright.engines.automl.planning.build_plan import make_plan
from modelwright.engines.automl.planning.plan import Plan, PlanError
from modelwright.engines.automl.scoring import RowTypeError, Scorer
from modelwright.jobs.errors import JobRefused
from modelwright.scoring.scoring_process import score_step
from modelwright_runtime import WITH_PLACES
from modelwright_runtime.input_validation import find_problem
from modelwright_runtime.predictor import Predictor

ROWS = 1500
MAKER = np.random.default_rng(3)
INCOME = MAKER.permutation(100_000)[:ROWS] + 20_000
RATE = MAKER.uniform(0.01, 30, ROWS).round(2)
PRICE = INCOME / 1000 + 3 * RATE + MAKER.normal(size=ROWS)


def columns() -> dict[str, Any]:
    return {
        "income": [f"${one:,}" for one in INCOME],
        "rate": [None if place % 50 == 0 else f"{one} %" for place, one in enumerate(RATE)],
        "price": [f"{one:,.2f} \u20ac" for one in PRICE],
    }


def test_bare_decimals_in_strings_are_numbers(tmp_path: Path):
    path = tmp_path / "plain.parquet"
    told = {"rate": [f"{one}" for one in RATE], "price": [f"{one:.15f}" for one in PRICE]}
    parquet.write_table(table(told), path)
    plan = make_plan([path], "", seconds=60, target="price")
    assert (plan.task, plan.kinds["rate"]) == ("regression", "1,234.5")


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Built:
    """Gives a table all of whose columns are strings."""
    folder = tmp_path_factory.mktemp("loans")
    path = folder / "loans.parquet"
    parquet.write_table(table(columns()), path)
    return path, folder, build(path, folder, max_iterations=2, target="price")


@pytest.fixture(scope="module")
def predictor(built: Built) -> Predictor:
    return Predictor.load(built[1])


@pytest.fixture(scope="module")
def gappy(tmp_path_factory: pytest.TempPathFactory) -> Built:
    """Gives a table whose strings write numbers or say that nothing is known."""
    folder = tmp_path_factory.mktemp("gaps")
    words = ["N/A", "-", "n.a.", " "]
    told = {
        name: [words[at % 4] if at % 40 == place else one for at, one in enumerate(values)]
        for place, (name, values) in enumerate(columns().items())
    } | {"rate": columns()["rate"]}
    path = folder / "gaps.parquet"
    parquet.write_table(table(told), path)
    return path, folder, build(path, folder, max_iterations=2, target="price")


def planned(path: Path, intent: str = "", **wishes: Any) -> Plan:
    return make_plan([path], intent, seconds=60, **wishes)


class TestPlan:
    def test_reads_them_as_numbers(self, built: Built):
        plan = planned(built[0], "predict the price")
        assert (plan.target, plan.task, plan.output_type) == ("price", "regression", "float")
        assert plan.kinds == {"income": "1,234.5", "rate": "1,234.5", "price": "1,234.5"}
        assert plan.types == {"income": "string", "rate": "string", "price": "float"}
        assert not plan.left_out
        assert "It learns from 2 columns: 2 with numbers." in plan.reasons
        assert "income, rate: texts, read as the dates or numbers they write." in plan.reasons
        assert "write numbers" in plan.reasons[0]
        assert Plan.from_json(plan.to_json()) == plan

    def test_says_of_how_many_rows_the_target_is_no_number(self, write: Write):
        path = write(**columns() | {"price": [*columns()["price"][:-90], *["sold"] * 90]})
        with pytest.raises(
            PlanError, match=r"too many to be classes.*but 'sold' does not: .*empty"
        ):
            planned(path, target="price")
        few = [*columns()["price"][:-5], *(f"sold {one}" for one in "abcde")]
        path = write(**columns() | {"price": few})
        assert "5 rows have no price" in " ".join(planned(path, target="price").warnings)

    def test_keeps_few_of_them_as_classes(self, write: Write):
        terms = ["36 months" if one > 70_000 else "60 months" for one in INCOME]
        plan = planned(write(**columns() | {"term": terms}), target="term")
        assert (plan.task, plan.types["term"]) == ("binary", "string")

    @pytest.mark.parametrize(
        ("forms", "named"),
        [
            (("{:,.0f} g", "{:.2f} kg"), "g, kg"),
            (("{:.1f}h", "{:.0f} min"), "h, min"),
            (("${:,.2f}", "\u20ac{:,.2f}"), "$, \u20ac"),
            (("{:.1f} \u00b0C", "{:.1f} \u00b0F"), "\u00b0c, \u00b0f"),
        ],
    )
    def test_of_several_units_are_no_classes_and_told_of(
        self, write: Write, forms: tuple[str, ...], named: str
    ):
        texts = [forms[at % 2].format(one // 4 * 4) for at, one in enumerate(INCOME // 100)]
        path = write(**columns() | {"size": texts})
        said = f"size writes numbers in several units ({named}), so they can't be compared"
        assert any(one.startswith(said) for one in planned(path, target="price").warnings)
        wishes: dict[str, Any]
        for wishes in ({}, {"task": "regression"}):
            with pytest.raises(PlanError, match="write all of them in one"):
                planned(path, target="size", **wishes)
        assert planned(path, target="size", task="multiclass").task == "multiclass"

    def test_of_house_numbers_are_no_units(self, write: Write):
        path = write(
            **columns() | {"house": [f"{at % 50}{'abc'[at % 3]}" for at in range(len(INCOME))]}
        )
        assert "units" not in " ".join(planned(path, target="price").warnings)

    def test_takes_a_string_that_is_asked_for_as_one(self, built: Built):
        with pytest.raises(PlanError, match="too many to be classes"):
            planned(built[0], output_schema={"price": "string"})

    def test_finds_a_number_that_is_written_twice(self, write: Write):
        path = write(**columns() | {"again": PRICE})
        left = {one.column: one.reason for one in planned(path, target="price").left_out}
        assert "tells price" in left["again"]


class TestBuild:
    def test_learns_what_the_numbers_tell(self, built: Built):
        assert built[2].metrics["rmse"] < 5

    def test_answers_numbers_of_strings(self, predictor: Predictor):
        assert predictor.input_schema == {"income": "string", "rate": "string"}
        assert predictor.output_schema == {"price": "float"}
        assert predictor.manifest["format"] == WITH_PLACES
        told = predictor.predict_one({"income": "$50,000", "rate": "10%"}).result["price"]
        assert told == pytest.approx(80, abs=10)
        assert predictor.predict_one({"income": "50000", "rate": "10"}).result["price"] == told


class TestAnswers:
    @pytest.mark.parametrize("income", ["\u20ac50,000", "much", "", "50.000,5"])
    def test_are_refused_where_a_string_is_no_such_number(self, predictor: Predictor, income: str):
        problem = find_problem(predictor.columns, {"income": income, "rate": "5 %"})
        assert problem is not None
        assert problem.message == (
            "`income` must be a string such as $1,234.5, as in the training data,"
            " not another string"
        )
        assert predictor.encoder.plain({"income": income, "rate": "5 %"}) is None
        assert predictor.encoder.plain_many([{"income": income, "rate": "5 %"}]) is None

    def test_are_the_same_one_by_one_together_and_from_files(
        self, built: Built, predictor: Predictor
    ):
        rows = rows_of(built[0], 300)
        told = [one.result["price"] for one in predictor.predict_many(rows)]
        assert [predictor.predict_one(row).result["price"] for row in rows] == told
        plain = parquet.read_table(built[0]).slice(0, 300).combine_chunks().to_batches()[0]
        scorer = Scorer(predictor, ("explanation",))
        assert dict(scorer.score(plain, 0))["prediction"].to_pylist() == told
        typed = {"income": pa.array(INCOME[1:50]), "rate": pa.array(RATE[1:50])}
        scored = dict(scorer.score(pa.RecordBatch.from_pydict(typed), 0))
        assert scored["prediction"].to_pylist() == told[1:50]

    def test_of_files_name_the_row_that_is_no_number(self, predictor: Predictor):
        batch = pa.RecordBatch.from_pydict({"income": ["$5", "five"], "rate": ["5%", "5%"]})
        with pytest.raises(
            RowTypeError, match=r"row 1 .*`income` must be a string such as \$1,234.5"
        ):
            Scorer(predictor).score(batch, 0)

    def test_are_explained(self, built: Built, predictor: Predictor):
        rows = rows_of(built[0], 20)
        for told in predictor.explain_many(rows, predictor.predict_many(rows)):
            whole = told["base"] + sum(told["contributions"].values())
            assert whole == pytest.approx(told["sum"], abs=1e-6)


class TestGaps:
    """Words that say that nothing is known may stand among strings that write numbers."""

    def test_are_learnt_around(self, gappy: Built):
        plan = planned(gappy[0], "predict the price")
        assert (plan.task, plan.left_out) == ("regression", ())
        assert plan.kinds["income"] == "1,234.5"
        assert "38 rows have no price" in " ".join(plan.warnings)
        assert gappy[2].metrics["rmse"] < 10

    @pytest.mark.parametrize(
        ("word", "form"), [("call", "${}"), ("Sum of 2018", "{}"), ("TBD", "{} kg")]
    )
    def test_are_few_words_beside_a_target_of_numbers(self, tmp_path: Path, word: str, form: str):
        path = tmp_path / "words.parquet"
        prices = [word if at % 50 == 7 else form.format(100 + at) for at in range(ROWS)]
        parquet.write_table(pa.table({"x": list(np.sin(range(ROWS))), "price": prices}), path)
        plan = planned(path, "predict the price")
        assert (plan.task, plan.output_type) == ("regression", "float")
        assert f"such as {word!r}, count as missing" in plan.reasons[0]
        assert "rows have no price" in " ".join(plan.warnings)

    def test_are_answered_as_nulls_are(self, gappy: Built):
        predictor = Predictor.load(gappy[1])
        rows = [{"income": one, "rate": "5 %"} for one in (None, "N/A", "n.a.", "", "-")]
        assert all(find_problem(predictor.columns, row) is None for row in rows)
        answers = [one.result["price"] for one in predictor.predict_many(rows)]
        assert [predictor.predict_one(row).result["price"] for row in rows] == answers
        assert len(set(answers)) == 1
        batch = pa.RecordBatch.from_pylist(rows)
        scored = dict(Scorer(predictor, ("explanation",)).score(batch, 0))
        assert scored["prediction"].to_pylist() == answers

    def test_are_counted_as_missing(self, gappy: Built):
        watch = Watch.read(gappy[1])
        counts = watch.count([{"income": "N/A", "rate": "5 %"}, {"income": "$5", "rate": None}])
        assert counts["columns"]["income"][-1] == counts["columns"]["rate"][-1] == 1

    def test_are_refused_where_training_had_none(self, predictor: Predictor):
        row = {"income": "N/A", "rate": "5 %"}
        assert find_problem(predictor.columns, row) is not None
        with pytest.raises(RowTypeError, match=r"row 0 .*`income` must be a string such as"):
            Scorer(predictor).score(pa.RecordBatch.from_pylist([row]), 0)


def test_are_watched_as_in_training(built: Built):
    watch = Watch.read(built[1])
    counts = watch.count(rows_of(built[0], ROWS))
    for name in ("income", "rate"):
        shares = np.array(counts["columns"][name]) / counts["examined"]
        np.testing.assert_allclose(shares, watch.columns[name].shares, atol=0.02)


@pytest.mark.parametrize(
    "change",
    [
        {"form": "evil"},
        {"unit": ["$"]},
        {"unit": [1, 2]},
        {"unit": 7},
        {"words": [7]},
        {"words": 7},
        {"type": "float"},
    ],
)
def test_of_a_form_that_is_none_are_refused(built: Built, tmp_path: Path, change: dict[str, Any]):
    members = members_of(built)
    refused(
        tmp_path,
        with_json(members, lambda told: told["columns"][0].update(change)),
        "not a|written|kind",
    )


WORDS = ("ERR", "n.d.")


@pytest.fixture(scope="module")
def noisy(tmp_path_factory: pytest.TempPathFactory) -> Built:
    folder = tmp_path_factory.mktemp("noisy")
    told = [WORDS[at // 50 % 2] if at % 50 == 0 else f"{one}" for at, one in enumerate(RATE)]
    path = folder / "noisy.parquet"
    parquet.write_table(table({"rate": told, "y": PRICE - INCOME / 2000}), path)
    return path, folder, build(path, folder, max_iterations=1)


class TestAmongWords:
    """Words in a few rows, such as `ERR` of a sensor, are gaps among numbers."""

    def test_are_learnt_from_and_told_of(self, noisy: Built):
        plan = planned(noisy[0], target="y")
        assert plan.kinds["rate"] == "1,234.5"
        said = "rate has words ('ERR', 'n.d.') among numbers, in 2.0% of the rows looked at"
        assert plan.warnings[0].startswith(said)
        assert noisy[2].metrics["r2"] > 0.5

    def test_are_answered_and_counted_as_nulls_are(self, noisy: Built):
        predictor = Predictor.load(noisy[1])
        rows = [{"rate": one} for one in (None, *WORDS, " ERR ")]
        assert all(find_problem(predictor.columns, row) is None for row in rows)
        answers = [one.result["y"] for one in predictor.predict_many(rows)]
        assert [predictor.predict_one(row).result["y"] for row in rows] == answers
        assert len(set(answers)) == 1
        scored = dict(Scorer(predictor).score(pa.RecordBatch.from_pylist(rows), 0))
        assert scored["prediction"].to_pylist() == answers
        assert Watch.read(noisy[1]).count(rows)["columns"]["rate"][-1] == len(rows)
        assert find_problem(predictor.columns, {"rate": "broken"}) is not None

    @pytest.mark.parametrize("odd", ["K1A 0B1", "T-100", "00501", "9" * 16, "<3"])
    def test_are_no_codes(self, write: Write, odd: str):
        told = [
            odd if at % 50 == 0 else "POST" if at % 50 == 1 else f"{one}"
            for at, one in enumerate(RATE)
        ]
        assert planned(write(code=told, y=RATE), target="y").kinds["code"] == "category"

    def test_are_few(self, write: Write):
        told = ["ERR" if at % 10 == 0 else f"{one}" for at, one in enumerate(RATE)]
        assert planned(write(rate=told, y=RATE[::-1]), target="y").kinds["rate"] == "category"


def test_phone_numbers_identify_rows(write: Write):
    phones = [f"+49 30 {100_000 + one}" for one in INCOME]
    plan = planned(write(phone=phones, x=RATE, y=RATE * 3 + PRICE), target="y")
    assert {one.column: one.reason for one in plan.left_out} == {"phone": "it identifies rows"}


class TestUnits:
    """A table that was read as numbers is checked against the unit of the texts in training."""

    @pytest.mark.parametrize(
        ("given", "said"),
        [
            ({"income": "EUR"}, ["`income` is in EUR, and the model learnt it in $"]),
            ({"income": "$", "rate": "$"}, ["`rate` is in $, and the model learnt it in %"]),
            ({"income": "USD", "rate": "%", "other": "EUR"}, []),
            ({}, []),
        ],
    )
    def test_that_differ_are_told(
        self, predictor: Predictor, given: dict[str, str], said: list[str]
    ):
        assert Scorer(predictor).other_units(given) == said

    def test_that_differ_are_not_scored(self, built: Built):
        told = {"artifact": str(built[1]), "include": [], "units": {"income": "EUR"}}
        with pytest.raises(JobRefused, match=r"next.csv: `income` is in EUR"):
            score_step(told | {"filename": "next.csv"}, list[dict[str, Any]]().append)
