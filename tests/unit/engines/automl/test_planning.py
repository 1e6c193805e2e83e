"""The plan: what is planted is found and said, and real tables raise no false alarm."""

from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import pyarrow.compute as pc
import pytest
from pyarrow import parquet

from modelwright.engines.automl.planning.build_plan import make_plan
from modelwright.engines.automl.planning.load_columns import raw_column
from modelwright.engines.automl.planning.plan import Plan, PlanError

Write = Callable[..., Path]
MAKER = np.random.default_rng(0)
N = 500
X = MAKER.normal(size=N)
SPELT = [
    ("%Y/%m/%d", "ymd"),
    ("%Y.%m.%d", "ymd"),
    ("%m/%d/%Y", "mdy"),
    ("%m/%d/%y %I:%M %p", "mdy"),
    ("%d.%m.%Y", "dmy"),
    ("%d-%m-%Y %H:%M:%S", "dmy"),
]
Y = np.where(X + MAKER.normal(size=N) > 0, "yes", "no")


def plan(path: Path, **wishes: Any) -> Plan:
    return make_plan([path], wishes.pop("intent", ""), seconds=10, **{"target": "y", **wishes})


def left_out(path: Path, **wishes: Any) -> dict[str, str]:
    return {one.column: one.reason for one in plan(path, **wishes).left_out}


class TestLeavesOut:
    def test_an_identifier_by_its_name(self, write: Write):
        found = left_out(write(x=X, customer_id=MAKER.permutation(N * 7)[:N], y=Y))
        assert found == {"customer_id": "it identifies rows"}

    @pytest.mark.parametrize("is_copied", [True, False], ids=["copies", "other rows"])
    def test_an_identifier_that_comes_again_in_copies_of_its_row_alone(
        self, write: Write, is_copied: bool
    ):
        taken = np.concatenate([np.arange(N), np.arange(20)])
        x = X[taken] if is_copied else np.concatenate([X, X[:20] + 1.0])
        ids = MAKER.permutation(N * 7)[:N][taken]
        found = left_out(write(x=x, repair_no=ids, y=Y[taken]))
        assert ("repair_no" in found) is is_copied

    @pytest.mark.parametrize(
        "name",
        [
            "rownames",
            "Row Names",
            "row_number",
            "OBJECTID",
            "Unnamed: 0",
            "column_1",
            "customerId",
            "ID",
            "CLIENTNUM",
            "InvoiceNo",
            "order number",
        ],
    )
    def test_row_numbers_in_no_order_as_tools_call_them(self, write: Write, name: str):
        assert name in left_out(write(**{"x": X, name: MAKER.permutation(N) * 9, "y": Y}))

    @pytest.mark.parametrize("spaced", [1, 2])
    def test_row_numbers_in_no_order_by_how_close_they_are(self, write: Write, spaced: int):
        numbers = MAKER.permutation(N * spaced)[:N]
        assert left_out(write(x=X, seqn=numbers, y=Y)) == {"seqn": "it identifies rows"}

    def test_no_whole_numbers_close_to_each_other_that_tell_the_target(self, write: Write):
        month = MAKER.permutation(N)
        path = write(x=X, month=month, y=month / N + MAKER.normal(size=N) / 5)
        assert left_out(path, task="regression") == {}

    def test_no_whole_numbers_whose_neighbours_are_alike(self, write: Write):
        hour = MAKER.permutation(N)
        level = np.repeat(MAKER.normal(size=N // 4), 4)
        path = write(x=X, hour=hour, y=level[hour] + MAKER.normal(size=N) / 5)
        assert left_out(path, task="regression") == {}

    @pytest.mark.parametrize("name", ["amount_paid", "bid", "COVID", "number", "casino"])
    def test_no_numbers_that_are_called_nearly_so(self, write: Write, name: str):
        assert left_out(write(**{"x": X, name: MAKER.permutation(N * 50)[:N], "y": Y})) == {}

    @pytest.mark.parametrize("numeric", [False, True])
    def test_an_identifier_with_a_word_on_an_order_that_tells(self, write: Write, numeric: bool):
        count = 2000
        number = np.random.default_rng(3).permutation(count)
        risk = 0.2 + 0.6 * (number > count // 2)
        drawn = np.random.default_rng(4).random(count) < risk
        truth = drawn + risk if numeric else np.where(drawn, "yes", "no")
        others = {"x": np.random.default_rng(5).normal(size=count), "y": truth}
        told = plan(write("ordered", visit_id=number * 3, **others))
        assert [one.column for one in told.left_out] == ["visit_id"]
        [said] = [one for one in told.warnings if "visit_id" in one]
        assert said.startswith("visit_id identifies rows and is left out, yet rows next to")
        mixed = np.random.default_rng(6).permutation(count)
        assert not plan(write("mixed", visit_id=mixed, **others)).warnings

    def test_a_column_that_counts_the_rows(self, write: Write):
        assert "line" in left_out(write(x=X, line=np.arange(N) + 5, y=Y))

    def test_strings_that_are_all_different(self, write: Write):
        assert "code" in left_out(write(x=X, code=[f"A{i:05}" for i in range(N)], y=Y))

    def test_a_constant_and_an_empty_column(self, write: Write):
        found = left_out(write(x=X, same=np.ones(N), empty=[None] * N, y=Y))
        assert found == {"same": "it has the same value in every row", "empty": "it is empty"}

    def test_the_second_of_two_equal_columns(self, write: Write):
        assert left_out(write(x=X, again=X, y=Y)) == {"again": "it is the same as x in every row"}

    def test_compares_no_columns_that_cannot_be_equal(
        self, write: Write, monkeypatch: pytest.MonkeyPatch
    ):
        compared: list[int] = []
        equal = pc.equal

        def counted(*sides: Any) -> Any:
            compared.append(1)
            return equal(*sides)

        monkeypatch.setattr(pc, "equal", counted)
        rows = np.arange(N)
        flags = {f"f{place}": (rows % 150 == 100 + place % 50) * 1 for place in range(75)}
        found = left_out(write(x=X, y=Y, **flags))
        assert sorted(found) == sorted(f"f{place}" for place in range(50, 75))
        assert len(compared) == 25

    def test_the_later_of_equal_columns_of_any_type(self, write: Write):
        kinds = MAKER.choice(["a", "b", "c"], N)
        days = np.datetime64("2024-01-01") + MAKER.integers(0, 900, N)
        found = left_out(write(x=X, kind=kinds, sort=kinds, day=days, date=days, y=Y))
        assert found == {
            "sort": "it is the same as kind in every row",
            "date": "it is the same as day in every row",
        }

    def test_the_later_of_two_that_say_the_same_in_other_words(self, write: Write):
        kinds = MAKER.choice(["a", "b", "c"], N)
        town = np.where(kinds == "a", "Aalen", np.where(kinds == "b", "Bonn", "Celle"))
        other = np.where(MAKER.random(N) < 0.01, "Bonn", town)
        member = MAKER.random(N) < 0.5
        known = np.where(member, "member", "guest")
        path = write(
            kind=kinds, town=town, other=other, rank=[ord(one) for one in kinds], member=member,
            known=known, y=Y,
        )  # fmt: skip
        assert left_out(path) == {
            "town": "its values stand for those of kind, one for one",
            "known": "its values stand for those of member, one for one",
        }

    @pytest.mark.parametrize(
        "written",
        [
            Y,
            np.where(Y == "yes", 1, 0),
            np.where(Y == "yes", "Lost customer", "Kept customer"),
            Y == "no",
            np.where(Y == "yes", MAKER.choice(["moved", "died"], N), "still here"),
        ],
        ids=["copy", "numbers", "renamed", "inverted", "finer"],
    )
    def test_a_column_written_from_a_class(self, write: Write, written: Any):
        found = left_out(write(x=X, told=written, y=Y))
        assert list(found) == ["told"]
        assert "tells y almost exactly" in found["told"]

    def test_a_column_that_is_filled_for_one_class_only(self, write: Write):
        left = np.datetime64("2024-01-01") + MAKER.permutation(N)
        told = [day.item() if one == "yes" else None for day, one in zip(left, Y, strict=True)]
        assert "left_on" in left_out(write(x=X, left_on=told, y=Y))

    @pytest.mark.parametrize(
        "write_from",
        [
            lambda value: value,
            lambda value: -value * 100,
            np.exp,
            lambda value: np.round(value, 2),
            lambda value: value * 1.19 + 5,
        ],
        ids=["copy", "scaled", "bent", "rounded", "with tax"],
    )
    def test_a_number_written_from_a_number(self, write: Write, write_from: Callable[[Any], Any]):
        value = X * 3 + MAKER.normal(size=N)
        found = left_out(write(x=X, told=write_from(value), y=value), task="regression")
        assert list(found) == ["told"]

    def test_nothing_that_only_says_much(self, write: Write):
        close = np.where(MAKER.random(N) < 0.03, "no", Y)
        near = X * 3 + MAKER.normal(size=N) * 0.1
        assert left_out(write(x=X, close=close, y=Y)) == {}
        assert left_out(write(x=X, near=near, y=X * 3), task="regression") == {
            "x": "it tells y almost exactly, as if it were written from it"
        }

    def test_no_number_that_merely_differs_in_every_row(self, write: Write):
        spent = MAKER.permutation(N * 50)[:N]
        assert left_out(write(x=X, spent=spent, y=Y)) == {}

    def test_nothing_useful_of_the_real_tables(self, real: tuple[Path, dict[str, Any]]):
        path, told = real
        made = plan(path, target=told["target"], task=told["task"])
        assert made.left_out == ()
        copies = ["1,177 of 6,497 rows"] if told["name"] == "wine_multi" else []
        assert [" ".join(one.split()[:4]) for one in made.warnings] == copies


class TestReads:
    @pytest.mark.parametrize("mark", [";", "|", ", ", ","])
    def test_lists_of_words_that_come_again_as_text(self, write: Write, mark: str):
        known = np.array(
            ["python", "sql", "excel", "java", "rust", "sap", "aws", "go", "c", "spark"]
        )
        lists = [mark.join(known[MAKER.permutation(10)[: 2 + at % 6]]) for at in range(N)]
        made = plan(write(skills=lists, x=X, y=Y))
        assert made.kinds["skills"] == "text"
        assert not made.left_out

    @pytest.mark.parametrize(
        "told",
        ["Ort{0}, Land{1}", "{0}.5,-7{1}.25", "{0};{1};{2}", "u{0}@post{1}.org", "k{0};"],
    )
    def test_no_lists_where_parts_hardly_come_again_or_are_no_words(self, write: Write, told: str):
        texts = [told.format(at, at % 7, at % 3) for at in range(N)]
        assert "texts" not in plan(write(texts=texts, x=X, y=Y)).kinds

    def test_wordy_strings_as_text_and_few_valued_ones_as_categories(self, write: Write):
        said = [f"we saw {a} and {b} there" for a, b in MAKER.integers(0, 99, (N, 2))]
        made = plan(write(said=said, kind=MAKER.choice(["a", "b"], N), x=X, y=Y))
        assert made.kinds == {"said": "text", "kind": "category", "x": "number"}

    @pytest.mark.parametrize(("form", "kind"), SPELT)
    def test_strings_as_dates_where_all_are_in_one_order(self, write: Write, form: str, kind: str):
        days = (
            datetime(2023, 5, 1, tzinfo=UTC) + timedelta(int(day)) for day in MAKER.permutation(N)
        )
        told = [None if i % 50 == 7 else day.strftime(form) for i, day in enumerate(days)]
        made = plan(write(x=X, day=told, y=Y))
        assert made.kinds == {"x": "number", "day": kind}
        assert made.left_out == ()
        assert made.types["day"] == "string"
        assert made.reasons[-2:] == (
            "It learns from 2 columns: 1 with numbers, 1 with dates.",
            "day: texts, read as the dates or numbers they write.",
        )

    @pytest.mark.parametrize(
        ("forms", "kind"),
        [
            (("%Y-%m-%d", "%m/%d/%Y", "%d %b %Y"), "mdy"),
            (("%d.%m.%Y", "%B %d, %Y", "%Y-%m-%dT%H:%M:%SZ"), "dmy"),
            (("%Y-%m-%d", "%d %b %Y"), "ymd"),
            (("%Y-%m-%dT%H:%M:%S+02:00", "%Y-%m-%d"), "ymd"),
        ],
    )
    def test_strings_as_dates_where_each_has_one_reading(
        self, write: Write, forms: tuple[str, ...], kind: Any
    ):
        days = [datetime(2023, 5, 1, tzinfo=UTC) + timedelta(int(day)) for day in range(N)]
        told = [day.strftime(forms[at % len(forms)]) for at, day in enumerate(days)]
        path = write(x=X, day=told, y=Y)
        assert plan(path).kinds["day"] == kind
        read = raw_column(parquet.read_table(path)["day"], kind)
        shift = [2 * 3600 * ("+02" in one) for one in told]
        assert read.values.tolist() == [
            (int(day.timestamp()) - less) * 10**6 for day, less in zip(days, shift, strict=True)
        ]

    def test_no_strings_as_dates_where_digits_have_two_readings(self, write: Write):
        told = ["2024-01-31", "1/2/2024", "3 Mar 2024"] * (N // 3)
        assert plan(write(x=X[: len(told)], day=told, y=Y[: len(told)])).kinds["day"] == "category"

    @pytest.mark.parametrize("other", ["soon", "31/31/2024", "28.2.2023"])
    def test_no_strings_as_dates_where_the_order_is_open(self, write: Write, other: str):
        days = [f"{a}/{b}/2024" for a, b in MAKER.integers(1, 9, (N, 2))]
        days[5] = "12/31/2024" if "." in other else "1/1/2024"
        days[9] = other
        assert plan(write(x=X, day=days, y=Y)).kinds["day"] == "category"
        assert plan(write(x=X, day=["1/2/2024", "2/1/2024"] * (N // 2), y=Y)).kinds["day"] == (
            "category"
        )

    def test_the_positive_class_of_yes_and_no(self, write: Write):
        assert plan(write(x=X, y=Y)).positive_class == "yes"

    def test_the_rarer_class_as_positive_otherwise(self, write: Write):
        rare = np.where(X > 1.2, "b", "a")
        assert plan(write(x=X, z=MAKER.normal(size=N), y=rare)).positive_class == "b"

    def test_target_and_task_from_the_words(self, write: Write):
        made = plan(write(x=X, churn=Y), target=None, intent="Predict churn")
        assert (made.target, made.task) == ("churn", "binary")


class TestWarns:
    def test_of_rows_in_time_order(self, write: Write):
        days = np.datetime64("2024-01-01") + np.arange(N)
        assert "in the order of day" in " ".join(plan(write(x=X, day=days, y=Y)).warnings)

    def test_of_time_order_where_dates_are_not_iso(self, write: Write):
        days = [
            (datetime(2024, 1, 1, tzinfo=UTC) + timedelta(day)).strftime("%d.%m.%Y")
            for day in range(N)
        ]
        assert "in the order of day" in " ".join(plan(write(x=X, day=days, y=Y)).warnings)

    @pytest.mark.parametrize("step", [1, -1])
    def test_of_time_order_either_way_and_with_ties(self, write: Write, step: int):
        hours = np.datetime64("2024-01-01T00:00:00") + np.arange(N)[::step] // 3
        assert "in the order of at" in " ".join(plan(write(x=X, at=hours, y=Y)).warnings)

    def test_not_of_dates_in_no_order(self, write: Write):
        days = np.datetime64("2024-01-01") + MAKER.permutation(N)
        assert plan(write(x=X, day=days, y=Y)).warnings == ()

    def test_of_rows_that_are_there_twice(self, write: Write):
        twice = np.r_[np.arange(N), np.arange(60)]
        made = plan(write(x=X[twice], z=MAKER.normal(size=N)[twice], y=Y[twice]))
        assert made.warnings[0].startswith(f"60 of {N + 60} rows are the same as an earlier one")

    def test_of_a_column_that_most_rows_of_one_class_alone_have(self, write: Write):
        told = [
            date(2024, 1, 1 + at % 28) if one == "yes" and at % 9 else None
            for at, one in enumerate(Y)
        ]
        [said] = plan(write(x=X, left_on=told, y=Y)).warnings
        assert said.startswith("left_on has values only where y is yes: it may be written")

    def test_of_a_column_that_tells_nearly_all_of_a_class(self, write: Write):
        rare = np.random.default_rng(3).random(N) < 0.01
        near = np.where(rare, "none", np.where(Y == "yes", "closed", "open"))
        [said] = plan(write(x=X, state=near, y=Y)).warnings
        assert said.startswith("state alone tells 9")
        assert "it may be written down after the outcome. If it is, leave it out by" in said

    @pytest.mark.parametrize("as_word", [False, True])
    def test_of_a_column_that_tells_nearly_all_of_a_number(self, write: Write, as_word: bool):
        grade = MAKER.integers(0, 9, N)
        value = grade * 10.0 + 4 * MAKER.normal(size=N)
        near = value + 3 * MAKER.normal(size=N)
        words = np.array([f"grade {one}" for one in grade])
        told = words if as_word else near
        [said] = plan(write(x=X, told=told, y=value), task="regression").warnings
        assert said.startswith("told alone tells 9")

    @pytest.mark.parametrize("as_word", [False, True])
    def test_of_a_column_that_tells_nine_tenths_of_a_class(self, write: Write, as_word: bool):
        known = (Y == "yes") ^ (MAKER.random(N) < 0.03)
        spent = np.where(known, "some", "none") if as_word else known * 20
        [said] = plan(write(x=X, spent=spent, y=Y)).warnings
        assert said.startswith("spent alone tells 9")

    def test_not_of_many_words_for_what_the_rows_of_a_number_are_of(self, write: Write):
        place = MAKER.integers(0, 40, N)
        words = [f"place {one}" for one in place]
        path = write(x=X, place=words, y=place * 9.0 + MAKER.normal(size=N))
        assert plan(path, task="regression").warnings == ()

    @pytest.mark.parametrize("one_lies_over", [False, True])
    def test_of_a_column_made_of_ranges_of_the_target(self, write: Write, one_lies_over: bool):
        weight = MAKER.normal(size=N)
        heavy = (weight > 0.5).astype(int)
        heavy[weight.argmin()] = one_lies_over
        path = write(x=X, heavy=heavy, y=weight)
        said = [
            one for one in plan(path, task="regression").warnings if "heavy parts y into" in one
        ]
        assert bool(said) != one_lies_over

    @pytest.mark.parametrize("one_differs", [False, True])
    def test_of_columns_that_give_the_class_together(self, write: Write, one_differs: bool):
        drug, mouse = np.arange(N) // 2 % 2, np.arange(N) % 2
        kinds = drug + 10 * mouse
        kinds[0] += one_differs
        path = write(x=X, drug=drug, mouse=mouse, y=[f"kind {one}" for one in kinds])
        said = [one for one in plan(path).warnings if "drug and mouse together give y in" in one]
        assert bool(said) != one_differs

    def test_not_of_a_column_that_tells_much(self, write: Write):
        close = np.where(MAKER.random(N) < 0.2, "no", Y)
        assert plan(write(x=X, close=close, y=Y)).warnings == ()
        near = X * 2 + MAKER.normal(size=N)
        assert plan(write(near=near, y=X * 2), task="regression").warnings == ()

    @pytest.mark.parametrize("most", [1e305, np.inf])
    def test_not_of_numbers_too_large_to_be_squared(self, write: Write, most: float):
        far = np.where(np.arange(N) < 3, most, MAKER.normal(size=N))
        assert plan(write(x=X, far=far, y=MAKER.normal(size=N)), task="regression").warnings == ()

    def test_not_of_the_few_values_that_one_class_has_by_chance(self, write: Write):
        few = [1.5 if at in {3, 5} else None for at in range(N)]
        some = [1.5 if at % 9 else None for at in range(N)]
        assert plan(write(x=X, few=few, some=some, y=Y)).warnings == ()

    @pytest.mark.parametrize("value", [-999, 9999, -1])
    def test_of_numbers_that_may_stand_for_none(self, write: Write, value: float):
        age = np.where(MAKER.random(N) < 0.1, value, MAKER.normal(50, 9, N).round())
        [said] = plan(write(x=X, age=age, y=Y)).warnings
        assert said.startswith(f"age is {value} in ")
        grade = np.where(age == value, 999, MAKER.integers(1, 6, N))
        assert plan(write(x=X, grade=grade, y=Y)).warnings[0].startswith("grade is 999 in ")
        assert "If it stands for a missing value, empty these cells" in said

    @pytest.mark.parametrize(
        ("columns", "named"),
        [(2, "a and b are -200 in "), (3, "a, b and c are"), (5, "a, b, c and 2 more are")],
    )
    def test_of_such_numbers_in_several_columns_at_once(
        self, write: Write, columns: int, named: str
    ):
        gaps = MAKER.random(N) < 0.1
        read = {one: np.where(gaps, -200, MAKER.normal(50, 9, N)) for one in "abcde"[:columns]}
        warnings = plan(write(**read, y=Y)).warnings
        [said] = [one for one in warnings if "-200" in one]
        assert said.startswith(named), warnings
        assert "and are learnt from as that number. If it stands for a missing value" in said

    def test_of_such_numbers_in_what_is_predicted(self, write: Write):
        weight = np.where(np.arange(N) % 12 == 0, -99.0, np.arange(N) / 9)
        [said] = plan(write(x=X, z=X[::-1], y=weight)).warnings
        assert said.startswith("y is -99 in 8.4% of the rows looked at, far from the next value")
        assert "is predicted as that number" in said

    def test_not_of_such_numbers_where_they_are_some_of_many(self, write: Write):
        steps = MAKER.integers(-1, 2, N)
        close = MAKER.integers(0, 130, N)
        once = np.where(np.arange(N) == 7, 9999, close)
        loss = MAKER.normal(0, 400, N).round()
        loss[:9] = -999
        counts = np.where(np.arange(N) % 9 == 0, 0, close + 30)
        some = {"steps": steps, "close": close, "once": once, "loss": loss, "counts": counts}
        assert plan(write(x=X, **some, y=Y)).warnings == ()

    def test_of_a_table_that_is_there_four_times(self, write: Write):
        few = np.tile(np.arange(300), 4)
        place = MAKER.choice(["a", "b", "c"], 300)
        made = plan(write(x=X[few], z=MAKER.normal(size=300)[few], place=place[few], y=Y[few]))
        assert made.warnings[0].startswith("900 of 1,200 rows are the same as an earlier one")

    def test_not_of_rows_that_gaps_make_alike(self, write: Write):
        half = [None if MAKER.random() < 0.5 else one for one in X]
        few = [None if MAKER.random() < 0.97 else one for one in X]
        assert plan(write(half=half, few=few, y=Y)).warnings == ()

    def test_not_of_rows_that_few_values_make_alike(self, write: Write):
        few = MAKER.choice(["a", "b", "c"], (2, N))
        assert plan(write(one=few[0], two=few[1], y=Y)).warnings == ()

    def test_of_a_class_with_few_rows_and_of_few_rows(self, write: Write):
        rare = np.where(np.arange(150) < 4, "b", "a")
        told = plan(write(x=X[:150], y=rare)).warnings
        assert told[0].startswith("y = b has only 4 rows")
        assert told[1].startswith("150 rows are few")

    def test_of_a_class_with_one_row_whose_number_is_written_short(self, write: Write):
        rare = np.where(np.arange(N) < 1, 5.0, 1.0)
        assert plan(write(x=X, y=rare)).warnings[0].startswith("y = 5 has only 1 row;")

    @pytest.mark.parametrize(
        ("lacking", "told"), [(9, "9 rows have no y and are"), (1, "1 row has no y and is")]
    )
    def test_of_missing_targets(self, write: Write, lacking: int, told: str):
        some = [None if i < lacking else one for i, one in enumerate(Y)]
        assert plan(write(x=X, y=some)).warnings[0].startswith(told)


class TestAfterAnotherVersion:
    BEFORE: ClassVar = {"target": "y", "task": "binary", "features": ["x", "gone"]}

    def made(self, path: Path, **wishes: Any) -> Plan:
        return plan(
            path, **{"target": None, "intent": "Predict x", "before": self.BEFORE, **wishes}
        )

    def test_predicts_the_same_column_by_the_same_task(self, write: Write):
        made = self.made(write(x=X, gone=X[::-1], y=Y))
        assert (made.target, made.task) == ("y", "binary")
        assert made.reasons[0].startswith(
            "y is what to predict: the version before predicts it; the answer stays one of two."
        )
        assert made.warnings == ()

    def test_says_which_columns_are_gone_and_which_are_new(self, write: Write):
        warnings = self.made(write(x=X, fresh=X[::-1], y=Y)).warnings
        assert "lacks what the version before learnt from: gone." in warnings[0]
        assert warnings[1].startswith("Learnt from for the first time: fresh. Rows")

    @pytest.mark.parametrize(
        ("was", "said"), [("string", True), ("integer", False), ("float", False), (None, False)]
    )
    def test_says_which_columns_are_of_another_type(self, write: Write, was: str, said: bool):
        before = {**self.BEFORE, "types": {"x": was, "gone": "float"} if was else {}}
        warnings = self.made(write(x=X, gone=X[::-1], y=Y), before=before).warnings
        told = "Of another type than in the version before: x (string, now float)."
        assert [one.startswith(told) for one in warnings] == [True] * said

    def test_keeps_numbers_numbers_where_few_are_left(self, write: Write):
        before = {**self.BEFORE, "task": "regression"}
        few = [f"${1000 + 5 * (at % 7):,}" for at in range(N)]
        made = self.made(write(x=X, gone=X[::-1], y=few), before=before)
        assert (made.task, made.output_type) == ("regression", "float")

    def test_tells_more_classes_apart_where_there_were_two(self, write: Write):
        path = write(x=X, gone=X[::-1], y=np.where(X > 1, "maybe", Y))
        made = self.made(path)
        assert (made.task, made.positive_class) == ("multiclass", None)
        assert "the answer becomes one of several" in made.reasons[0]
        assert made.warnings[0].startswith(
            "y had two values for the version before and has 3 now (no, yes, maybe): the answer is"
        )

    def test_tells_two_classes_apart_where_no_more_are_left(self, write: Write):
        path = write(x=X, gone=X[::-1], y=Y)
        made = self.made(path, before={**self.BEFORE, "task": "multiclass"})
        assert (made.task, made.positive_class, made.warnings) == ("binary", "yes", ())

    def test_refuses_more_classes_where_two_are_asked_for(self, write: Write):
        three = np.where(X > 1, "maybe", Y)
        with pytest.raises(PlanError, match=r"3 values \(.*maybe\), and a binary task needs two"):
            self.made(write(x=X, gone=X[::-1], y=three), task="binary")

    def test_refuses_values_that_the_task_does_not_fit(self, write: Write):
        words = [f"kind {at}" for at in range(N)]
        with pytest.raises(PlanError, match="too many to be"):
            self.made(write(x=X, gone=X[::-1], y=words))


class TestRefuses:
    @pytest.mark.parametrize(
        ("columns", "wishes", "part"),
        [
            ({"x": X, "y": np.ones(N)}, {}, "same value in every row"),
            ({"x": X[:5], "y": X[:5]}, {}, "at least 10"),
            ({"y": Y}, {}, "no column to learn from"),
            ({"x": np.ones(N), "y": Y}, {}, "no column to learn from"),
            ({"x": X, "y": Y}, {"target": "z"}, "no column `z`"),
            ({"x": X, "y": Y}, {"task": "regression"}, "numeric target, or ask for binary."),
            ({"x": X, "y": X}, {"task": "binary"}, "needs two. Ask for regression"),
            ({"x": X, "y": X}, {"task": "multiclass"}, "classes. Ask for regression"),
            ({"x": np.ones(N), "y": Y}, {"input_schema": {"x": "float"}}, "leave it out"),
            ({"x": X, "y": Y}, {"task": "guessing"}, "'guessing' is not one of"),
            ({"x": X, "y": Y}, {"metric": "rmse"}, "does not fit"),
            ({"x": X, "y": [f"n{i}" for i in range(N)]}, {}, "too many to be"),
            ({"x": X, "y": Y}, {"input_schema": {"q": "float"}}, "no column `q`"),
            ({"x": X, "y": Y}, {"input_schema": {"x": "string"}}, "table holds float"),
            ({"x": X, "y": Y}, {"input_schema": {"y": "string"}}, "can't be an input"),
            ({"x": X, "y_id": MAKER.permutation(N)}, {"target": "y_id"}, "only numbers the rows"),
            ({"x": X, "y": [None] * N}, {}, "`y` has a value in 0 of 500 rows"),
            ({"x": X, "y": np.datetime64("2024-01-01") + np.arange(N)}, {}, "holds dates"),
            ({"x": X, "y": [f"{at % 28 + 1}.06.2024" for at in range(N)]}, {}, "holds dates"),
        ],
    )
    def test_what_no_model_can_be_made_from(
        self, write: Write, columns: dict[str, Any], wishes: dict[str, Any], part: str
    ):
        with pytest.raises(PlanError) as refused:
            plan(write(**columns), **wishes)
        assert part in refused.value.sentence

    @pytest.mark.parametrize(
        ("wishes", "field"),
        [
            ({"target": "z"}, "target"),
            ({"target": None, "output_schema": {"z": "string"}}, "output_schema"),
            ({"target": None, "output_schema": {"y": "float"}}, "output_schema"),
            ({"target": None, "output_schema": {"same": "float"}}, "output_schema"),
            ({"target": "same"}, "target"),
            ({"task": "regression"}, "task"),
            ({"target": "x", "task": "binary"}, "task"),
            ({"target": "x", "metric": "f1"}, "metric"),
            ({"input_schema": {"q": "float"}}, "input_schema"),
            ({"input_schema": {"x": "date"}}, "input_schema"),
            ({"input_schema": {"y": "string"}}, "input_schema"),
            ({"input_schema": {"same": "float"}}, "input_schema"),
            ({"target": "few"}, "dataset_id"),
            ({"target": None, "intent": "Predict the weather"}, "intent"),
        ],
    )
    def test_by_the_member_to_change(self, write: Write, wishes: dict[str, Any], field: str):
        few = [1.5, 2.5, *[None] * (N - 2)]
        path = write(x=X, same=np.ones(N), few=few, y=Y)
        with pytest.raises(PlanError) as refused:
            plan(path, **wishes)
        assert refused.value.field == field, refused.value.sentence

    def test_an_intent_that_fits_no_column_naming_candidates(self, write: Write):
        with pytest.raises(PlanError) as refused:
            plan(write(x=X, churn=Y), target=None, intent="Predict the weather on Mars")
        assert "churn" in refused.value.candidates


class TestTravels:
    def test_as_json(self, write: Write):
        made = plan(write(x=X, same=np.ones(N), y=Y), metric="f1", max_iterations=3)
        assert Plan.from_json(made.to_json()) == made

    def test_as_overridden(self, write: Write):
        path = write(x=X, z=MAKER.normal(size=N), y=np.round(X * 2).astype(int))
        wishes = {"intent": "Predict x", "target": "y", "metric": "f1", "max_iterations": 3}
        made = plan(path, task="multiclass", **wishes)
        assert (made.target, made.task, made.metric) == ("y", "multiclass", "f1")
        assert made.max_iterations == 3
        again = plan(path, target=None, intent="Predict x", output_schema={"y": "float"})
        assert (again.target, again.task, again.output_type) == ("y", "regression", "float")

    def test_restricted_to_the_input_schema(self, write: Write):
        path = write(x=X, z=MAKER.normal(size=N), y=Y)
        assert plan(path, input_schema={"z": "float"}).features == ("z",)

    def test_with_a_float_where_the_input_schema_wants_one_of_an_integer(self, write: Write):
        path = write(x=X, count=MAKER.integers(0, 9, N), y=Y)
        made = plan(path, input_schema={"x": "float", "count": "float"})
        assert made.types == {"x": "float", "count": "float", "y": "string"}
