"""Which column and task an intent means, on the real tables and on small schemas."""

import json
from collections import Counter
from functools import cache
from pathlib import Path

import pytest
from tests.questions.intents import NAMES, SET_ASIDE, facts, labelled, measure

from modelwright.engines.facts import ColumnFacts, column_facts
from modelwright.engines.language.rules.intents.intents import Target, Unclear, find_target
from modelwright.engines.language.rules.intents.tasks import task_of

TABLES = Path(__file__).parents[5] / "shared" / "benchmarks" / "tabular"
INTENTS = {
    "adult": [
        "income over 50K",
        "Predict whether a person earns more than 50,000 a year from age and education",
        "Who has a high salary?",
    ],
    "telco": [
        "Predict whether a customer will churn",
        "Who will leave us?",
        "Based on tenure and monthly charges, is the customer going to quit?",
    ],
    "credit_g": [
        "will default / is a bad credit risk",
        "Which borrowers will not repay their loan?",
        "Predict credit risk from duration, amount and savings",
        "Is this borrower a good or bad credit?",
    ],
    "wine_multi": [
        "Is the wine good?",
        "Classify wines by quality",
        "What quality class does a wine have, given acidity, sugar and alcohol?",
    ],
    "calhousing": [
        "house prices",
        "How much does a home cost in a district?",
        "Estimate the median house value from income, rooms and location",
    ],
    "taxis": [
        "How much will the ride cost?",
        "Predict the fare from distance, passengers and pickup zone",
        "What will the passenger pay?",
        "estimate what a passenger pays for the trip",
    ],
}

Real = dict[str, list[ColumnFacts]]


def column(name: str, kind: str = "float", distinct: int = 500, *values: object) -> ColumnFacts:
    return facts({"name": name, "type": kind, "distinct": distinct, "values": values}, 1000)


@pytest.fixture(scope="module")
def real(tmp_path_factory: pytest.TempPathFactory) -> Real:
    if not TABLES.is_dir():
        pytest.skip("needs the tables of ../shared/benchmarks/tabular")
    import duckdb

    found = {}
    for name in INTENTS:
        target = tmp_path_factory.mktemp("tables") / f"{name}.parquet"
        duckdb.sql(f"copy (from read_csv('{TABLES / name}.csv')) to '{target}' (format parquet)")
        found[name] = column_facts([target])
    return found


class TestRealTables:
    @pytest.mark.parametrize("table", INTENTS)
    def test_wordings_find_target_and_task(self, real: Real, table: str):
        known = json.loads((TABLES / "datasets.json").read_text("utf-8"))
        labelled = next(one for one in known if one["name"] == table)
        for intent in INTENTS[table]:
            answer = find_target(intent, real[table])
            assert isinstance(answer, Target), (intent, answer)
            assert (answer.column, answer.task) == (labelled["target"], labelled["task"]), intent

    @pytest.mark.parametrize("table", INTENTS)
    @pytest.mark.parametrize(
        "intent", ["Predict the weather tomorrow", "Who wins the election?", "make a model", ""]
    )
    def test_what_fits_no_column_names_candidates(self, real: Real, table: str, intent: str):
        answer = find_target(intent, real[table])
        assert isinstance(answer, Unclear)
        assert answer.candidates
        assert all(name in {one.name for one in real[table]} for name in answer.candidates)
        assert answer.candidates[0] in answer.sentence


@cache
def measured(names: tuple[str, ...], held_out: bool) -> Counter[str]:
    """Counts what is found in some sets."""
    return measure([one for one in labelled(names) if one["held_out"] == held_out])[0]


class TestLabelledSets:
    @pytest.mark.parametrize("held_out", [False, True])
    def test_most_targets_are_found_and_what_fits_nothing_is_refused(self, held_out: bool):
        seen = measured(SET_ASIDE, held_out)
        assert seen["target"] / seen["fitting"] >= 0.95
        assert seen["task"] / seen["target"] >= 0.97
        assert seen["refused"] / seen["fitting no column"] >= 0.95

    def test_where_a_target_is_refused_it_is_mostly_among_the_candidates_and_often_first(self):
        others = tuple(name for name in NAMES if name not in SET_ASIDE)
        seen = measured(SET_ASIDE, held_out=False) + measured(others, held_out=False)
        assert seen["among candidates"] / seen["unclear"] >= 0.85
        assert seen["first candidate"] / seen["unclear"] >= 0.45


class TestWordings:
    """Words that mean a column without being in its name."""

    @pytest.mark.parametrize(
        ("intent", "target"),
        [
            ("Who is likely to leave?", "churned"),
            ("Which customers are we going to lose?", "churned"),
            ("How much will we pay?", "claim_amount"),
            ("net promoter score", "nps"),
            ("Who wants to be called back?", "callback"),
            ("How many days in transit?", "transit_days"),
            ("Predict HasFraud_2", "HasFraud_2"),
        ],
    )
    def test_find_it(self, intent: str, target: str):
        columns = [
            facts({"name": "customer_id", "type": "string", "distinct": 1000}, 1000),
            column("churned", "boolean", 2),
            column("claim_amount"),
            column("nps", "integer", 11),
            column("callback", "boolean", 2),
            column("transit_days", "integer", 40),
            column("HasFraud_2", "integer", 2, 0, 1),
        ]
        answer = find_target(intent, columns)
        assert isinstance(answer, Target), answer
        assert answer.column == target

    def test_of_identifiers_are_never_the_target(self):
        keyed = facts({"name": "ticket_id", "type": "integer", "distinct": 1000}, 1000)
        answer = find_target("Which tickets come late?", [keyed, column("late", "boolean", 2)])
        assert isinstance(answer, Target)
        assert answer.column == "late"

    def test_of_another_field_are_refused_though_a_column_sounds_alike(self):
        columns = [column("acidity"), column("alcohol"), column("price")]
        assert isinstance(find_target("Predict the price of a house", columns), Unclear)


class TestRelatedWords:
    """Words that belong together link a sentence to a column that says it otherwise."""

    @pytest.mark.parametrize(
        ("intent", "target"),
        [
            ("Will it burn my skin?", "stings"),
            ("How smooth will the sheet be?", "surface_roughness"),
            ("Will a piece come back scratched?", "damaged_in_transit"),
            ("Who works longer than they should?", "OverTime"),
            ("How deep does it swim?", "depth_m"),
        ],
    )
    def test_find_it(self, intent: str, target: str):
        columns = [
            column("stings", "integer", 2, 0, 1),
            column("surface_roughness"),
            column("damaged_in_transit", "boolean", 2),
            column("OverTime", "string", 2, "Yes", "No"),
            column("depth_m"),
        ]
        answer = find_target(intent, columns)
        assert isinstance(answer, Target), answer
        assert answer.column == target

    @pytest.mark.parametrize(
        ("intent", "target"),
        [
            ("Predict fraud based on amount and balances", "isFraud"),
            ("Predict the status of a water point", "status"),
        ],
    )
    def test_the_whole_name_comes_before_part_of_one(self, intent: str, target: str):
        columns = [
            column("amount"),
            column("isFraud", "integer", 2, 0, 1),
            column("isFlaggedFraud", "integer", 2, 0, 1),
            column("water_quality", "string", 5, "soft", "salty"),
            column("status", "string", 3, "functional", "non functional"),
        ]
        answer = find_target(intent, columns)
        assert isinstance(answer, Target), answer
        assert answer.column == target

    def test_a_word_of_the_table_does_not_make_another_field_of_it(self):
        columns = [column("jury_points", "integer", 60), column("commits", "integer", 200)]
        answer = find_target("How many points will the jury give?", columns)
        assert isinstance(answer, Target)
        assert answer.column == "jury_points"


class TestOnlyAnswer:
    """An indirect question is answered by the one column that could answer it."""

    COLUMNS = (
        facts({"name": "batch_id", "type": "string", "distinct": 1000}, 1000),
        column("has_label", "boolean", 2),
        column("released", "boolean", 2),
        column("cause", "string", 5),
        column("country", "string", 40),
        column("grams"),
    )

    @pytest.mark.parametrize(
        ("intent", "target"),
        [
            ("Should the batch worry us?", "released"),
            ("Why did it crumble?", "cause"),
            ("Where was it put together?", "country"),
        ],
    )
    def test_is_found(self, intent: str, target: str):
        answer = find_target(intent, self.COLUMNS)
        assert isinstance(answer, Target), answer
        assert answer.column == target

    @pytest.mark.parametrize("intent", ["Will the candidate get elected?", "Who wins the cup?"])
    def test_is_none_to_what_is_asked_of_other_things(self, intent: str):
        assert isinstance(find_target(intent, self.COLUMNS), Unclear)


class TestCandidates:
    """What no word names is refused; the columns most likely meant are named first."""

    COLUMNS = (
        facts({"name": "well_id", "type": "string", "distinct": 1000}, 1000),
        column("drilled_on", "date", 400),
        column("soil", "string", 5, "clay", "sand"),
        column("depth_m"),
        column("potable", "integer", 2, 0, 1),
        column("yield_l"),
    )

    @pytest.mark.parametrize(
        ("intent", "first"),
        [
            ("Will the mayor be elected?", "potable"),
            ("Which ballad was best?", "soil"),
            ("How many ballads top the charts?", "yield_l"),
        ],
    )
    def test_a_column_of_the_form_asked_for_comes_first(self, intent: str, first: str):
        answer = find_target(intent, self.COLUMNS)
        assert isinstance(answer, Unclear), answer
        assert answer.candidates[0] == first
        assert f'"Predict {first}"' in answer.sentence

    def test_keys_and_dates_come_after_all_that_can_be_learnt(self):
        answer = find_target("Which satellite fails?", self.COLUMNS)
        assert isinstance(answer, Unclear), answer
        assert not {"well_id", "drilled_on"} & set(answer.candidates[:4])

    def test_the_last_of_columns_alike_comes_first(self):
        answer = find_target("Predict xqzt", [column("aa"), column("bb"), column("cc")])
        assert isinstance(answer, Unclear), answer
        assert answer.candidates == ("cc", "aa", "bb")


class TestNames:
    def test_a_text_that_differs_in_every_row_is_no_target(self):
        precincts = facts({"name": "precinct", "type": "string", "distinct": 1000}, 1000)
        answer = find_target("Who wins the precinct?", [precincts, column("winner", "string", 4)])
        assert isinstance(answer, Target)
        assert answer.column == "winner"

    def test_one_of_two_alike_that_is_called_as_asked_is_meant(self):
        columns = [column("ventilated", "boolean", 2), column("icu", "boolean", 2)]
        answer = find_target("Who needs intensive care?", columns)
        assert isinstance(answer, Target)
        assert answer.column == "icu"


class TestInputs:
    @pytest.mark.parametrize(
        "intent",
        [
            "From the age and income, predict the price",
            "Predict the price using age and income",
            "Given income and age, what is the price?",
            "Regress price on age and income",
        ],
    )
    def test_columns_named_as_inputs_are_not_the_target(self, intent: str):
        answer = find_target(intent, [column("age"), column("income"), column("price")])
        assert isinstance(answer, Target)
        assert answer.column == "price"

    @pytest.mark.parametrize("intent", ["How sour is it (pH)?", 'Predict "ph"'])
    def test_a_name_set_apart_is_meant(self, intent: str):
        answer = find_target(intent, [column("acidity"), column("pH"), column("quality")])
        assert isinstance(answer, Target)
        assert answer.column == "pH"

    @pytest.mark.parametrize(
        "intent", ["How much power will the mill use?", "energy consumption of the mill"]
    )
    def test_a_unit_that_mixes_cases_is_a_word(self, intent: str):
        columns = [column("Power_Factor"), column("Usage_kWh"), column("CO2"), column("minutes")]
        answer = find_target(intent, columns)
        assert isinstance(answer, Target), answer
        assert answer.column == "Usage_kWh"

    def test_initials_end_with_a_word_of_meaning(self):
        answer = find_target("consumption of the engine", [column("CO"), column("fuel_used")])
        assert isinstance(answer, Target)
        assert answer.column == "fuel_used"

    def test_a_word_of_the_same_root_is_found(self):
        answer = find_target("Will somebody get injured?", [column("age"), column("injury")])
        assert isinstance(answer, Target)
        assert answer.column == "injury"

    def test_two_columns_alike_are_named_not_guessed(self):
        answer = find_target("Predict the price", [column("price_a"), column("price_b")])
        assert isinstance(answer, Unclear)
        assert set(answer.candidates) == {"price_a", "price_b"}

    def test_a_table_without_columns_is_unclear(self):
        assert isinstance(find_target("Predict churn", []), Unclear)


class TestTask:
    @pytest.mark.parametrize(
        ("told", "wording", "task"),
        [
            (column("churn", "string", 2, "No", "Yes"), "", "binary"),
            (column("is_open", "boolean", 2), "how many", "binary"),
            (column("species", "string", 3), "", "multiclass"),
            (column("price"), "classify the price", "regression"),
            (column("quality", "integer", 6, "3", "4", "5", "6", "7", "8"), "", "multiclass"),
            (column("quality", "integer", 6, "3", "8"), "predict as a number", "regression"),
            (column("quality", "integer", 6, "3", "8"), "predict quality score", "regression"),
            (column("quality", "integer", 6, "3", "8"), "as a number, not classes", "regression"),
            (column("quality", "integer", 6, "3", "8"), "a class, not as a number", "multiclass"),
            (column("quality", "integer", 6, "3", "8"), "score into classes", "multiclass"),
            (column("price_range", "integer", 4, "0", "1", "2", "3"), "", "multiclass"),
            (column("bedrooms", "integer", 8), "how many bedrooms", "regression"),
            (column("target", "float", 2, "0", "1"), "", "binary"),
            (column("stage", "float", 3, "1", "2", "3"), "", "multiclass"),
        ],
    )
    def test_values_decide_first_and_the_wording_second(
        self, told: ColumnFacts, wording: str, task: str
    ):
        assert task_of(told, wording) == task


@pytest.mark.parametrize(
    ("intent", "expected"),
    [
        ("predict how far the beacon reaches", ("Visitors per year", "Range (nmi)")),
        ("predict how far the beacon is", ("Range (nmi)",)),
        ("how many visitors will it reach", ("Visitors per year",)),
    ],
)
def test_what_is_measured_otherwise_than_asked_is_asked_back(
    intent: str, expected: tuple[str, ...]
) -> None:
    columns = [column("Visitors per year", "integer"), column("Range (nmi)"), column("Year built")]
    found = find_target(intent, columns)
    named = (found.column,) if isinstance(found, Target) else found.candidates
    assert named == expected
