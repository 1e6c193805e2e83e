"""Intents that ask something of a row, list its answers, or say what is not to be learnt from."""

import pytest
from tests.questions.intents import facts

from modelwright.engines.facts import ColumnFacts
from modelwright.engines.language.rules.intents.intents import Target, Unclear, find_target


def c(name: str, kind: str = "float", distinct: int = 500, *values: object) -> ColumnFacts:
    return facts({"name": name, "type": kind, "distinct": distinct, "values": values}, 1000)


def kinds(name: str, *values: str) -> ColumnFacts:
    return c(name, "string", len(values), *values)


HIVES = [
    c("hive_id", "string", 1000),
    kinds("apiary", "Linden Hill", "Brookside", "Quarry"),
    kinds("breed", "Buckfast", "Carnica", "Ligustica"),
    kinds("varroa_load", "low", "moderate", "severe"),
    kinds("colony_temper", "calm", "nervous", "aggressive"),
    c("sugar_fed_kg"),
    c("swarmed", "integer", 2, 0, 1),
    c("honey_kg"),
]
INNS = [
    c("booking", "string", 1000),
    kinds("Channel", "Website", "Phone"),
    c("Nights", "integer", 14),
    c("LeadTimeDays", "integer", 200),
    c("PricePerNight"),
    kinds("Cancelled", "No", "Yes"),
    c("ReviewScore"),
]
MILLS = [
    c("mill_id", "string", 1000),
    kinds("site", "North", "Ridge", "Moor"),
    c("avg_wind_speed_ms"),
    c("Fertiliser (kg/ha)"),
    c("Yield (t/ha)"),
    c("age_years", "integer", 30),
]
CARS = [
    c("VIN", "string", 1000),
    kinds("CAR_TYPE", "van", "estate", "saloon"),
    c("LENGTH_M"),
    c("ASKING_PRICE_EUR"),
    kinds("SOLD", "N", "Y"),
]
SHOPS = [
    c("receipt", "integer", 1000),
    kinds("stall", "Market", "Station"),
    c("vegetables_eur"),
    c("total_eur"),
    kinds("payment", "cash", "card", "voucher"),
]


@pytest.mark.parametrize(
    ("columns", "intent", "target"),
    [
        (HIVES, "which hives are in danger from mites (low, moderate or severe)?", "varroa_load"),
        (HIVES, "Work out how a colony is: calm, nervous or aggressive", "colony_temper"),
        (HIVES, "Is this a Buckfast, a Carnica or a Ligustica?", "breed"),
        (SHOPS, "which way will somebody pay (cash, card or voucher)?", "payment"),
        (CARS, "predict the asking price of a van, an estate or a saloon", "ASKING_PRICE_EUR"),
    ],
)
def test_answers_that_are_listed_tell_their_column(
    columns: list[ColumnFacts], intent: str, target: str
):
    answer = find_target(intent, columns)
    assert isinstance(answer, Target), answer
    assert answer.column == target


@pytest.mark.parametrize(
    ("columns", "intent", "target"),
    [
        (MILLS, "Say which wind farm site a machine belongs to", "site"),
        (MILLS, "I want a model that tells how much fertiliser a grower puts on a plot",
         "Fertiliser (kg/ha)"),
        (HIVES, "how much sugar a beekeeper feeds to a hive", "sugar_fed_kg"),
        (CARS, "What's my car worth?", "ASKING_PRICE_EUR"),
        (CARS, "how much will our car fetch", "ASKING_PRICE_EUR"),
        (INNS, "how will a guest rate the stay?", "ReviewScore"),
        (INNS, "estimate the length of a stay", "Nights"),
    ],
)  # fmt: skip
def test_what_is_asked_of_a_row_is_meant_and_not_the_row(
    columns: list[ColumnFacts], intent: str, target: str
):
    answer = find_target(intent, columns)
    assert isinstance(answer, Target), answer
    assert answer.column == target


@pytest.mark.parametrize(
    ("columns", "intent", "target", "without"),
    [
        (SHOPS, "how much does one spend on vegetables? The total must not go in, for it has them.",
         "vegetables_eur", ("total_eur",)),
        (CARS, "What is my car worth? VIN is just a number, don't use it.", "ASKING_PRICE_EUR",
         ("VIN",)),
        (INNS, "will it be cancelled? Ignore the channel, the manager would object otherwise.",
         "Cancelled", ("Channel",)),
        (HIVES, "Say what breed a hive is, but apiary and honey_kg should be left out of it",
         "breed", ("apiary", "honey_kg")),
    ],
)  # fmt: skip
def test_what_is_left_out_is_no_target_and_why_is_no_wish(
    columns: list[ColumnFacts], intent: str, target: str, without: tuple[str, ...]
):
    answer = find_target(intent, columns)
    assert isinstance(answer, Target), answer
    assert answer.column == target
    assert answer.beside.without == without


def test_two_columns_of_the_same_answers_are_not_told_by_them():
    columns = [kinds("risk", "low", "mid", "high"), kinds("effort", "low", "mid", "high")]
    assert isinstance(find_target("low, mid or high?", columns), Unclear)
