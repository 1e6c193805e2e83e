"""Forms of intents and of names that decide which column is meant, on small schemas."""

import pytest
from tests.questions.intents import facts

from modelwright.engines.facts import ColumnFacts
from modelwright.engines.language.rules.intents.intents import Target, Unclear, find_target


def column(name: str, kind: str = "float", distinct: int = 500, *values: object) -> ColumnFacts:
    return facts({"name": name, "type": kind, "distinct": distinct, "values": values}, 1000)


def yes_or_no(name: str) -> ColumnFacts:
    return column(name, "string", 2, "No", "Yes")


WEATHER = [
    column("MinTemp"),
    column("MaxTemp"),
    column("Humidity9am"),
    column("Humidity3pm"),
    column("Tdewpoint"),
    yes_or_no("RainToday"),
    yes_or_no("RainTomorrow"),
]
MACHINES = [
    column("unit_nr", "integer", 1000),
    column("torque"),
    yes_or_no("TWF"),
    yes_or_no("OSF"),
    yes_or_no("Machine failure"),
]
MOTHERS = [column("Age"), column("HeartRate"), column("RiskLevel", "string", 3, "low", "mid")]
KIDNEYS = [
    column("age"),
    column("bp"),
    yes_or_no("appet"),
    column("classification", "string", 2, "ckd", "notckd"),
]


def found(intent: str, columns: list[ColumnFacts]) -> str | None:
    answer = find_target(intent, columns)
    return answer.column if isinstance(answer, Target) else None


class TestOpposites:
    @pytest.mark.parametrize(
        ("intent", "target"),
        [
            ("did it rain today", "RainToday"),
            ("will it rain tomorrow?", "RainTomorrow"),
            ("humidity in the afternoon", "Humidity3pm"),
            ("humidity in the morning", "Humidity9am"),
            ("coldest temperature of the night", "MinTemp"),
            ("hottest temperature of the day", "MaxTemp"),
        ],
    )
    def test_of_two_columns_the_side_that_is_said_is_meant(self, intent: str, target: str):
        assert found(intent, WEATHER) == target


class TestWhatToDo:
    @pytest.mark.parametrize(
        ("intent", "columns", "target"),
        [
            ("Which units should be serviced before they stop", MACHINES, "Machine failure"),
            ("who needs to see a doctor urgently", MOTHERS, "RiskLevel"),
            ("whom do we have to win back", [*MACHINES[:3], yes_or_no("churn")], "churn"),
        ],
    )
    def test_is_asked_of_the_outcome(self, intent: str, columns: list[ColumnFacts], target: str):
        assert found(intent, columns) == target

    @pytest.mark.parametrize(
        "intent",
        ["who is the shift leader's boss", "is the machine a lathe", "where does it stand"],
    )
    def test_is_not_asked_by_what_something_is(self, intent: str):
        assert isinstance(find_target(intent, MACHINES), Unclear)


class TestForm:
    def test_a_number_is_no_answer_of_yes_or_no(self):
        columns = [column("age"), column("target", "integer", 2, "0", "1")]
        assert found("how many days will the patient stay in hospital", columns) is None
        assert found("is the patient going to fall ill", columns) == "target"

    def test_what_is_counted_per_day_is_no_time(self):
        columns = [column("male", "integer", 2, "0", "1"), column("cigsPerDay")]
        assert found("When will the roof need replacing?", columns) is None

    def test_a_kind_is_no_amount(self):
        columns = [column("ClaimAmount"), column("ClaimType", "string", 5, "theft", "hail")]
        assert found("what sort of damage is being reported?", columns) == "ClaimType"

    def test_when_something_was_is_a_year(self):
        assert found("when did it come out", [column("release_year"), column("score")]) == (
            "release_year"
        )

    def test_a_noun_at_the_end_is_no_verb(self):
        columns = [column("tax"), column("medv"), column("rooms")]
        assert found("property tax rate", columns) == "tax"


class TestNames:
    def test_a_number_in_a_name_is_for_who_writes_it(self):
        columns = [column("sqft_living"), column("sqft_living15")]
        assert found("living area in square feet", columns) == "sqft_living"

    def test_a_name_may_end_with_two_words_written_as_one(self):
        assert found("dew point", WEATHER) == "Tdewpoint"

    def test_a_value_may_be_the_initials_of_what_is_said(self):
        intent = "does the patient have chronic kidney disease"
        assert found(intent, KIDNEYS) == "classification"

    def test_initials_are_not_those_of_a_key_or_of_the_word_itself(self):
        columns = [
            column("encounter_id", "integer", 1000),
            column("insulin", "string", 4, "No", "Up", "Steady", "Down"),
        ]
        assert found("how is the insulin dose changed", columns) == "insulin"
        assert found("how wide is the ad displayed", [column("ad_id", "integer", 1000)]) is None

    def test_british_and_american_spellings_are_one(self):
        assert found("haemoglobin", [column("age"), column("hemo")]) == "hemo"

    def test_values_tell_what_a_table_is_about(self):
        mode = column("Mode", "string", 3, "Ship", "Flight", "Road")
        assert found("by ship, road or plane?", [column("cost"), mode]) == "Mode"


class TestKindsOfColumns:
    def test_a_key_that_is_called_as_the_rows_are_is_no_target(self):
        columns = [column("trip", "integer", 1000), column("hours")]
        assert found("how long does a trip take", columns) == "hours"

    def test_a_number_is_no_kind_of_thing(self):
        columns = [column("vet_visits", "integer", 12), column("premium")]
        assert found("what food does the vet advise", columns) is None

    def test_a_date_does_not_answer_whether(self):
        columns = [column("arrival", "date"), column("nights", "integer", 20)]
        assert found("will the guest come or not", columns) is None

    def test_yes_or_no_is_no_answer_to_how_much_so(self):
        columns = [yes_or_no("adverse_event"), column("weight")]
        assert found("how severe will the complication be", columns) is None
        assert found("how likely is a complication", columns) == "adverse_event"

    def test_a_year_after_another_measure_is_how_often_that_is_paid(self):
        columns = [column("premium_year"), column("claim_cost")]
        assert found("what premium should this owner be charged", columns) == "premium_year"

    def test_initials_are_not_those_of_a_stem(self):
        columns = [yes_or_no("WitnessPresent"), yes_or_no("FraudFound")]
        assert found("who is trying to trick us", columns) == "FraudFound"

    def test_what_is_said_to_predict_is_not_the_target(self):
        columns = [column("photos", "integer", 12), yes_or_no("churned")]
        assert found("does the number of photos predict churn", columns) == "churned"

    @pytest.mark.parametrize("intent", ["how tall is the tower", "what does a lorry cost"])
    def test_another_thing_is_not_measured_by_the_one_column_of_that_unit(self, intent: str):
        columns = [column("layer_mm"), column("refund_eur"), column("weight_kg")]
        assert found(intent, columns) is None


STAY = [
    column("lead_time"),
    column("month", "string", 12, "July", "August"),
    column("price"),
    column("class", "string", 4, "basic", "plus"),
    yes_or_no("y"),
    yes_or_no("canceled"),
]


@pytest.mark.parametrize(
    ("intent", "name"),
    [
        ("binary response y, all else as covariates", "y"),
        ("multinomial model, response class", "class"),
        ("y is the dependent variable, the rest are inputs", "y"),
        ("take price as the response", "price"),
        ("Predict whether they sign up (yes/no, variable y)", "y"),
        ("The aim is to say whether a guest will sign (variable y).", "y"),
        ("dependent variable: price", "price"),
    ],
)
def test_a_column_said_to_be_the_target_is_meant(intent: str, name: str):
    found = find_target(intent, STAY)
    assert isinstance(found, Target)
    assert found.column == name


def test_rows_told_of_before_the_sentence_that_asks_are_context():
    told = "We are full in July and August. Therefore we need to know if a stay gets canceled."
    found = find_target(told, STAY)
    assert isinstance(found, Target)
    assert found.column == "canceled"


@pytest.mark.parametrize("end", ["together", "jointly", "at once", "simultaneously"])
def test_columns_asked_for_together_are_several(end: str):
    found = find_target(f"predict lead_time, price and canceled {end}", STAY)
    assert isinstance(found, Unclear)
    assert found.candidates == ("lead_time", "price", "canceled")


def test_a_time_left_out_is_a_column_left_out():
    found = find_target("Predict price, lead time left out", STAY)
    assert isinstance(found, Target)
    assert (found.column, found.beside.without) == ("price", ("lead_time",))


SEATS = [
    column("seats_left", "integer", 60),
    column("airline", "string", 9),
    column("price"),
    column("stops", "integer", 3),
]


@pytest.mark.parametrize("intent", ["who will leave", "predict who leaves", "who has left"])
def test_what_is_left_does_not_leave(intent: str):
    assert isinstance(find_target(intent, SEATS), Unclear)


@pytest.mark.parametrize("intent", ["how many seats are left", "predict seats left"])
def test_what_is_left_is_asked_for(intent: str):
    found = find_target(intent, SEATS)
    assert isinstance(found, Target)
    assert found.column == "seats_left"


TRIPS = [
    column("fuel_type", "string", 4, "gas", "oil"),
    column("fuel_per_100km"),
    column("hr", "integer", 24),
    column("travel_time", "integer", 4),
    column("absences", "integer", 40),
    column("fare", "integer", 700),
    column("bought", "string", 2, "CH", "MM"),
    column("price_CH"),
    column("price_MM"),
    column("tsize", "integer", 50),
]


@pytest.mark.parametrize(
    ("intent", "name"),
    [
        ("fuel used", "fuel_per_100km"),
        ("predict the fuel consumed", "fuel_per_100km"),
        ("which type of fuel is used", "fuel_type"),
        ("fare per hour", "fare"),
        ("how many times is a pupil absent", "absences"),
        ("predict which juice is bought", "bought"),
        ("how big is the tumour", "tsize"),
    ],
)
def test_the_form_of_an_intent_tells_the_column(intent: str, name: str):
    found = find_target(intent, TRIPS)
    assert isinstance(found, Target)
    assert found.column == name


def test_by_what_is_counted_is_not_what_is_asked():
    assert isinstance(find_target("bikes out per hour", TRIPS), Unclear)


@pytest.mark.parametrize("intent", ["how big is the house", "how heavy is the tumour"])
def test_a_letter_before_a_word_stands_for_what_is_said(intent: str):
    assert isinstance(find_target(intent, TRIPS), Unclear)


@pytest.mark.parametrize(
    "intent", ["lead_time, price and canceled in one go", "lead_time plus price", "price and y"]
)
def test_columns_that_are_all_that_is_said_are_several(intent: str):
    found = find_target(intent, STAY)
    assert isinstance(found, Unclear)
    assert len(found.candidates) > 1
