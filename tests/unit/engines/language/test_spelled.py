"""Columns called by their very names, however odd or ordinary these are."""

import re
import time
from typing import Any

import pytest
from tests.questions.intents import facts, labelled

from modelwright.engines.facts import ColumnFacts
from modelwright.engines.language.rules.columns.linking import spelled_alike
from modelwright.engines.language.rules.intents.intents import Target, Unclear, find_target
from modelwright.engines.language.rules.text.targets import identifies

FORMS = (
    "Predict {}", "predict {}.", "Predict the {}", "{}", 'Forecast "{}"', "`{}` prediction",
    "Estimate {} from the others", "What will the {} be?", "I want to predict {} for new rows",
    "target: {}", "The target is {}.", "Forecast next {}", "Predict the {} class",
)  # fmt: skip

PERIODS = re.compile(r"\b(hour|day|week|month|season|quarter|year)s?\b", re.IGNORECASE)


def column(name: str, kind: str = "float", distinct: int = 500) -> ColumnFacts:
    return facts({"name": name, "type": kind, "distinct": distinct}, 1000)


def table(*names: str) -> list[ColumnFacts]:
    return [column(name) for name in names]


def named(intent: str, columns: list[ColumnFacts]) -> str | None:
    found = find_target(intent, columns)
    return found.column if isinstance(found, Target) else None


TABLES: list[dict[str, Any]] = labelled()


class TestNames:
    @pytest.mark.parametrize("form", FORMS)
    def test_of_every_labelled_table_are_understood(self, form: str):
        asked = [
            (one["table"], column.name, named(form.format(column.name), columns))
            for one in TABLES[::7]
            for columns in [[facts(column, one["rows"]) for column in one["columns"]]]
            for column in columns
            if not identifies(column)
            # "Forecast next year" asks for later times, whatever columns there are.
            if not (form == "Forecast next {}" and PERIODS.search(column.name))
        ]
        assert [told for told in asked if told[1] != told[2]] == []

    def test_stand_for_the_nearest_written_not_for_one_that_is_alike(self):
        columns = table("Humidity9am", "Humidity3pm", "thal", "thalach", "time", "time_in_hospital")
        assert named("Predict humidity3pm", columns) == "Humidity3pm"
        assert named("Predict thalach", columns) == "thalach"
        assert named("Predict the time in hospital", columns) == "time_in_hospital"

    def test_that_are_no_known_words_are_meant_wherever_they_stand(self):
        columns = table("cnt", "pdays", "temp", "hour")
        assert named("Tell us whether pdays is high", columns) == "pdays"
        assert named("The more we know of cnt the better", columns) == "cnt"
        columns = [column("precinct", "string", 40), column("winning_party", "string", 3)]
        assert named("Which party wins the precinct?", columns) == "winning_party"

    def test_of_a_letter_or_two_are_meant_only_where_a_target_stands(self):
        columns = table("s", "x", "churned")
        assert named("Predict the customer's churn by tomorrow", columns) == "churned"
        assert named("Predict x", columns) == "x"

    @pytest.mark.parametrize(
        "name", ["价格", "abcд", "Größe", "prix", "İstanbul", "😀", "%", "a b"]
    )
    def test_of_any_script_are_understood(self, name: str):
        columns = table(name, "area", "rooms")
        assert named(f"Predict {name}", columns) == name
        assert isinstance(
            find_target(f"the {name}s of ({name} and {name}", columns), Target | Unclear
        )

    def test_that_hold_nothing_but_an_accent_end(self):
        assert named("Predict the price", table("\u0301", "price")) == "price"

    def test_followed_by_of_are_meant_when_nothing_else_fits(self):
        columns = table("adr", "lead_time", "stays")
        assert named("Predict the adr of a booking", columns) == "adr"

    def test_that_a_refusal_offers_can_be_predicted(self):
        columns = table("id", "artist", "medium", "title", "year")
        refused = find_target("Predict the weather on Mars", columns)
        assert isinstance(refused, Unclear)
        offered = [named(f"Predict {name}", columns) for name in refused.candidates]
        assert offered == list(refused.candidates)

    def test_of_inputs_are_not_targets(self):
        columns = table("price", "year", "km")
        assert named("Predict the price from year and km", columns) == "price"
        assert named("Given the year, predict price", columns) == "price"

    def test_of_what_rows_are_are_not_targets_by_standing_after_a_verb(self):
        columns = [column("message", "string", 990), column("label", "string", 2)]
        assert named("Classify a message as spam by its label", columns) == "label"
        columns = [column("customer", "string", 990), column("lifetime_value")]
        assert named("How valuable is a customer over a lifetime?", columns) == "lifetime_value"

    def test_are_found_quickly_among_very_many(self):
        columns = table(*(f"measure {number}" for number in range(5000)))
        begun = time.process_time()
        assert named("Predict measure 4321 " + "please " * 500, columns) == "measure 4321"
        assert time.process_time() - begun < 5


def test_plurals_of_short_words_are_no_slips_of_each_other() -> None:
    assert not spelled_alike("stays", "stars")
    assert spelled_alike("actv", "active")
    assert not spelled_alike("average", "age")
