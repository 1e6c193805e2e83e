"""What an intent says of the columns to learn from is read, or refused by its words."""

import time
import tomllib
from pathlib import Path

import pytest

from modelwright.engines.facts import ColumnFacts, ColumnType
from modelwright.engines.language.rules.intents.column_wishes import _Reader, column_wish
from modelwright.engines.language.rules.intents.intents import Target, Unclear, find_target

SOON = 5.0
"""Seconds of the processor, where the longest intent took a minute."""
CASES = tomllib.loads(Path(__file__).with_name("column_wishes.toml").read_text(encoding="utf-8"))


def column(name: str, kind: ColumnType = "float", distinct: int = 90) -> ColumnFacts:
    return ColumnFacts(name, kind, 1000, 0, distinct, 0.0, 99.5, ((1.0, 3), (2.0, 2)))


COLUMNS = [
    column("churn", "integer", 2), column("age", "integer"), column("gender", "string", 2),
    column("plan", "string", 3), column("tenure_months", "integer"), column("monthly_charges"),
    column("total_charges"), column("zip", "string", 80), column("internet", "string", 2),
    column("num_calls", "integer"),
]  # fmt: skip


@pytest.mark.parametrize(("intent", "named"), CASES["only"])
def test_columns_to_learn_from_are_read(intent: str, named: str) -> None:
    found = column_wish(intent, COLUMNS)
    assert (", ".join(found.only), found.without, found.unknown) == (named, (), ())


@pytest.mark.parametrize(("intent", "named"), CASES["without"])
def test_columns_to_leave_out_are_read(intent: str, named: str) -> None:
    found = column_wish(intent, COLUMNS)
    assert (found.only, ", ".join(found.without), found.unknown) == ((), named, ())


@pytest.mark.parametrize(("intent", "_"), CASES["only"] + CASES["without"])
def test_the_target_is_read_from_what_is_left(intent: str, _: str) -> None:
    found = find_target(intent, COLUMNS)
    assert isinstance(found, Target), found
    assert found.column == "churn"


@pytest.mark.parametrize(("intent", "named"), CASES["unknown"])
def test_words_for_no_column_are_refused_with_the_field(intent: str, named: str) -> None:
    refused = find_target(intent, COLUMNS)
    assert isinstance(refused, Unclear)
    assert refused.is_decided
    assert f'"{named}"' in refused.sentence
    assert "`input_schema`" in refused.sentence


def test_words_are_not_read_where_the_field_is_given() -> None:
    found = find_target("predict churn without using the horoscope", COLUMNS, ["input_schema"])
    assert isinstance(found, Target)
    assert found.beside.without == ()


@pytest.mark.parametrize("intent", CASES["ordinary"])
def test_what_only_sounds_like_it_is_none(intent: str) -> None:
    found = column_wish(intent, COLUMNS)
    assert (found.plain, found.only, found.without, found.unknown) == (intent, (), (), ())


def test_what_follows_a_column_to_leave_out_is_still_read() -> None:
    found = column_wish("predict churn without age for women", COLUMNS)
    assert (found.without, found.plain) == (("age",), "predict churn for women")


@pytest.mark.parametrize(
    "said", ["without ", "with no ", "and ", "use age but not ", "without any data on x, "]
)
def test_a_text_twice_as_long_is_at_most_twice_the_work(
    said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    looked: list[int] = []
    called = _Reader._called

    def counted(self: _Reader, item: str) -> list[str]:
        looked.append(len(item) + 1)
        return called(self, item)

    monkeypatch.setattr(_Reader, "_called", counted)
    column_wish("predict churn " + said * 120 + "must not be used", COLUMNS)
    once = sum(looked)
    column_wish("predict churn " + said * 240 + "must not be used", COLUMNS)
    assert 0 < sum(looked) - once <= 2 * once + 999


@pytest.mark.parametrize(
    "said", ["without ", "leave out ", "and, ", ";:., ", "of customers who ", "the best auc "]
)
def test_words_that_lead_to_nothing_are_soon_read(said: str) -> None:
    begun = time.process_time()
    find_target(("predict churn " + said * 2000)[:2000], COLUMNS)
    assert time.process_time() - begun < SOON


def flag(name: str, kind: ColumnType = "string") -> ColumnFacts:
    return ColumnFacts(name, kind, 1000, 0, 2, "no", "yes", (("no", 500), ("yes", 500)))


FLATS = [
    column("flat", "string", 1000), column("rent"), column("size_sqm"), column("city", "string", 3),
    column("rooms", "integer", 6), column("street", "string", 300), flag("balcony"), flag("let"),
    column("list_price"), column("sale_price"), column("built_month", "integer", 12),
    column("heating", "string", 5),
    ColumnFacts("pets", "integer", 1000, 0, 4, 0, 3, ()),
]  # fmt: skip


@pytest.mark.parametrize(
    ("intent", "only", "without"),
    [
        ("predict rent using only rooms and not city", "rooms", ""),
        ("predict rent without street and with city", "", "street"),
        ("predict rent without street and city, and with rooms", "", "city, street"),
        ("predict rent using rooms, size but not street", "", "street"),
        ("use rooms but not the city to predict the rent", "", "city"),
        ("predict the rent with no street", "", "street"),
        ("predict rent with neither city nor street", "", "city, street"),
        ("predict rent, street and city not used", "", "city, street"),
        ("predict rent with city and street ignored", "", "city, street"),
        ("predict rent without the prices", "", "list_price, sale_price"),
        ("predict rent without any price", "", "list_price, sale_price"),
        ("predict rent without price data", "", "list_price, sale_price"),
        ("predict the rent of a flat without using the balcony", "", "balcony"),
        ("predict whether a flat is let without the street", "", "street"),
        ("predict the rent without the balcony", "", "balcony"),
        ("predict rent using everything bar the street", "", "street"),
        ("predict rent from rooms and city, nothing else", "city, rooms", ""),
        ("predict rent using just rooms, with no city", "rooms", ""),
        ("predict rent without knowledge of the city", "", "city"),
        ("predict rent regardless of the street", "", "street"),
        ("predict rent, blind to the city", "", "city"),
        ("predict rent with no information on the city", "", "city"),
        ("predict rent, only city and rooms may be used", "city, rooms", ""),
        ("predict rent without heating or the city", "", "city, heating"),
        ("predict rent with city left out", "", "city"),
        ("predict rent without the month", "", "built_month"),
        ("a model without the street that predicts rent", "", "street"),
    ],
)
def test_a_list_ends_where_it_turns(intent: str, only: str, without: str) -> None:
    found = column_wish(intent, FLATS)
    assert (", ".join(found.only), ", ".join(found.without)) == (only, without)
    assert (found.unknown, found.several, found.lacking) == ((), (), ())


@pytest.mark.parametrize(
    ("intent", "said", "columns"),
    [
        ("predict rent without the price", "price", "list_price or sale_price"),
        ("predict rent using only price and rooms", "price", "list_price or sale_price"),
        ("predict rent without any data on place", "place", "city or street"),
    ],
)
def test_a_word_for_several_columns_is_refused_with_these(
    intent: str, said: str, columns: str
) -> None:
    refused = find_target(intent, FLATS)
    assert isinstance(refused, Unclear)
    assert refused.is_decided
    assert f'"{said}" may mean {columns}.' in refused.sentence
    assert "`input_schema`" in refused.sentence


@pytest.mark.parametrize(
    ("intent", "said"),
    [
        ("predict the rent of flats without pets", "without pets"),
        ("predict the rent of flats without a balcony", "without a balcony"),
        ("predict the rent for homes with no balcony", "with no balcony"),
        ("predict which flats are let without pets", "without pets"),
        ("predict whether a flat is let without balcony", "without balcony"),
        ("which flats get let without rooms", "without rooms"),
        ("predict the rent of a flat without pets", "without pets"),
        ("predict the rent of a cheap flat without balcony", "without balcony"),
        ("predict the rooms of homes without pets", "without pets"),
        ("predict how well a flat without balcony is liked", "without balcony"),
    ],
)
def test_what_rows_may_lack_is_refused_with_both_ways_to_say_it(intent: str, said: str) -> None:
    refused = find_target(intent, FLATS)
    assert isinstance(refused, Unclear)
    assert f'"{said}" may tell of rows' in refused.sentence
    assert "do not use" in refused.sentence
    assert "make a dataset" in refused.sentence
