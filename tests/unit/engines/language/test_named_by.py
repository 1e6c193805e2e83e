"""What is asked for has to name the column: words said beside it plan nothing."""

from collections.abc import Sequence

import pytest

from modelwright.engines.facts import ColumnFacts, ColumnType, Value
from modelwright.engines.language.rules.intents.intents import Target, Unclear, find_target


def column(
    name: str, kind: ColumnType = "float", distinct: int = 400, values: Sequence[Value] = ()
) -> ColumnFacts:
    top = tuple((value, 10) for value in values) or ((1.0, 3), (2.0, 2))
    ends = sorted((value for value, _ in top), key=str)
    return ColumnFacts(name, kind, 500, 0, len(values) or distinct, ends[0], ends[-1], top)


YES_NO = ("no", "yes")
TABLES = {
    "hotel": [
        column("stay_id", "integer", 500),
        column("guest_age", "integer", 60),
        column("nights", "integer", 14),
        column("room_type", "string", values=("single", "double", "suite")),
        column("breakfast", "string", values=YES_NO),
        column("room_rate_eur"),
        column("minibar_eur"),
        column("stay_min"),
        column("complained", "string", values=YES_NO),
    ],
    "farm": [
        column("field_no", "integer", 500),
        column("crop", "string", values=("wheat", "barley", "oats")),
        column("yield_t"),
        column("rain_mm"),
        column("straw_kg"),
        column("irrigated", "string", values=YES_NO),
        column("soil_moisture_pct"),
        column("diseased", "string", values=YES_NO),
    ],
    "courier": [
        column("job", "string", 500),
        column("parcels", "integer", 90),
        column("van_type", "string", values=("small", "large", "electric")),
        column("route_km"),
        column("fuel_cost_eur"),
        column("toll_eur"),
        column("delay_min"),
        column("damaged", "boolean", values=(False, True)),
        column("late", "string", values=YES_NO),
    ],
}


@pytest.mark.parametrize(
    ("table", "intent"),
    [
        ("hotel", "predict how many stars a guest gives"),
        ("hotel", "whether a guest is a smoker"),
        ("hotel", "predict the pillow count of the room"),
        ("hotel", "predict the wage costs"),
        ("hotel", "how much will a guest spend on laundry"),
        ("hotel", "which guests will steal a towel"),
        ("hotel", "the sugar content of the breakfast"),
        ("farm", "predict the protein content of the wheat"),
        ("farm", "predict the seed costs"),
        ("farm", "how much money does a field make"),
        ("farm", "whether the straw will be stolen"),
        ("courier", "predict the repair costs of a van"),
        ("courier", "will there be no parcels left"),
        ("courier", "predict the insurance premium of the van"),
        ("courier", "predict the tyre pressure of the van"),
        ("courier", "will the van be stolen"),
        ("hotel", "What are guests complaining about?"),
        ("hotel", "predict the size of the room"),
        ("hotel", "estimate the no-breakfast discount"),
        ("hotel", "which chef left the kitchen"),
        ("hotel", "how old is the guest's passport"),
        ("courier", "which tyre is damaged"),
        ("courier", "which lawyer pays the toll"),
        ("farm", "predict the area of a crop"),
        ("courier", "how many euros does the route bring"),
    ],
)
def test_words_beside_what_is_asked_for_plan_nothing(table: str, intent: str) -> None:
    found = find_target(intent, TABLES[table])
    assert isinstance(found, Unclear)
    assert found.candidates


@pytest.mark.parametrize(
    ("table", "intent", "target"),
    [
        ("hotel", "predict the room rate", "room_rate_eur"),
        ("hotel", "how many nights will a guest stay", "nights"),
        ("hotel", "will the guest complain", "complained"),
        ("hotel", "what does a guest pay for the minibar", "minibar_eur"),
        ("hotel", "which type of room will be booked", "room_type"),
        ("farm", "how many kilos of straw will a field give", "straw_kg"),
        ("farm", "predict the likely yield of a field", "yield_t"),
        ("farm", "moisture of the soil", "soil_moisture_pct"),
        ("farm", "predict the amount of rain", "rain_mm"),
        ("courier", "predict the fuel costs of a job", "fuel_cost_eur"),
        ("courier", "will a parcel be damaged", "damaged"),
        ("courier", "predict the delay of a job", "delay_min"),
        ("courier", "how far is the route", "route_km"),
        ("courier", "which van goes out", "van_type"),
        ("courier", "predict in which van the job goes out", "van_type"),
        ("farm", "Which crop is on the field? Guess it from the rest.", "crop"),
        ("farm", "Estimate the kind of crop, e.g. wheat or oats", "crop"),
        ("hotel", "predict the minib price", "minibar_eur"),
        ("hotel", "how old is the guest", "guest_age"),
        ("hotel", "the guest's age", "guest_age"),
        ("courier", "which jobs are late", "late"),
        ("farm", "how wet is the soil, as a percentage of the moisture", "soil_moisture_pct"),
        ("farm", "predict the yield, of course without the straw", "yield_t"),
    ],
)
def test_what_is_asked_for_names_the_column(table: str, intent: str, target: str) -> None:
    found = find_target(intent, TABLES[table])
    assert isinstance(found, Target)
    assert found.column == target


def test_the_column_that_comes_near_is_told_first() -> None:
    found = find_target("predict the repair costs of a van", TABLES["courier"])
    assert isinstance(found, Unclear)
    assert found.candidates[0] == "fuel_cost_eur"
    assert 'fuel_cost_eur is near, and tells no "repair".' in found.sentence
    assert not found.is_decided
