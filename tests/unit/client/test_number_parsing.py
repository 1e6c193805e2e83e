"""Numbers as people write them: found where all strings of a column agree, and read."""

import math

import pytest

from modelwright_runtime.number_parsing import (
    Form,
    NumberFormat,
    form_of,
    form_of_decimals,
    written_in,
)

KNOWN: list[tuple[Form, list[str], list[float]]] = [
    ("1,234.5", ["$1,234.50", "$85", " -$5 ", "$-5", "($1,000.00)"], [1234.5, 85, -5, -5, -1000]),
    ("1,234.5", ["13.56%", "7 %", ".5%"], [13.56, 7, 0.5]),
    ("1,234.5", ["10,000+", "1,000,000+", "5"], [10_000, 1_000_000, 5]),
    ("1,234.5", ["1,234", "56"], [1234, 56]),
    ("1,234.5", ["1 234.5", "56"], [1234.5, 56]),
    ("1,234.5", ["23.4 kmpl", "18 kmpl"], [23.4, 18]),
    ("1,234.5", ["1 year", "10+ years"], [1, 10]),
    ("1,234.5", ["Rs. 500", "rs 1,200"], [500, 1200]),
    ("1,234.5", ["US$ 5", "US$7.25"], [5, 7.25]),
    ("1.234,5", ["12,5", "0,123"], [12.5, 0.123]),
    ("1.234,5", ["1.234,50 \u20ac", "7 \u20ac"], [1234.5, 7]),
    ("1.234,5", ["1.200,50-", "7,25", "3,00- \u20ac"], [-1200.5, 7.25, -3]),
    ("1.2K", ["19M", "1.5k", "2B", "7"], [19e6, 1500, 2e9, 7]),
    ("1.2K", ["\u20ac110.5M", "\u20ac900K"], [110.5e6, 900e3]),
    ("1,2K", ["1,55M", "20k"], [1.55e6, 20e3]),
    ("1:30", ["10:30", "8:15 PM"], [10.5, 20.25]),
    ("1:30:00", ["0:00:36", "1 day, 2:30:00"], [0.01, 26.5]),
]
DECIMALS = [["12", "13.5"], ["45.448903185047335", "-73.5", "n/a"], ["0", "0.25"]]
STRANGE = [
    ["12", "13.5"], ["007", "12,5"], ["5 kg", "500 g"], ["17.3 km/kg", "23.4 kmpl"], ["1,5", "2.5"],
    ["555-1234"], ["+49 123"], ["12.5.2024"], ["2024-01-05"], ["3 1/2"], ["1st", "2nd"],
    ["5'7\"", "6'1\""], ["12,34", "1,234.5"], ["1234,567,8"], ["1A", "2B"], ["192.168.1.1"],
    ["12 Elm St", "7 Oak St"], ["1" * 16 + "%"], ["9" * 50 + "%"], ["$"], ["%", "5%"], [""],
    ["--5%"], ["-5-%"], ["5-7"], ["5--"], ["(5%", "5%)"], ["five%"], ["\u0663%"], ["1e5", "2,000"],
    ["$5", "\u20ac5"], ["10:3"], ["10:75"], ["4:13", "1:02:33"],
]  # fmt: skip


@pytest.mark.parametrize(("form", "texts", "numbers"), KNOWN, ids=[one[1][0] for one in KNOWN])
def test_are_found_and_read(form: Form, texts: list[str], numbers: list[float]):
    assert form_of(texts) == form
    written = written_in(form, [*texts, "unknown"])
    assert [written.read(text) for text in texts] == pytest.approx(numbers, rel=1e-12)
    assert written.read(written.example()) > 0


@pytest.mark.parametrize("texts", STRANGE, ids=[one[0] for one in STRANGE])
def test_are_not_found_in_other_strings(texts: list[str]):
    assert form_of(texts) is None


@pytest.mark.parametrize("texts", DECIMALS, ids=[one[0] for one in DECIMALS])
def test_are_found_in_bare_decimals_where_these_are_asked_for(texts: list[str]):
    assert (form_of(texts), form_of_decimals(texts)) == (None, "1,234.5")
    assert written_in("1,234.5", texts).read(texts[0]) == float(texts[0])


@pytest.mark.parametrize("texts", [["12", "13"], ["007.5", "1.5"], ["1.5", "2 kg"], ["", "n/a"]])
def test_are_not_found_in_whole_numbers_codes_and_words(texts: list[str]):
    assert form_of_decimals(texts) is None


@pytest.mark.parametrize("text", ["5 lbs", "$5", "soon", "1.234,5 kg"])
def test_of_another_unit_or_form_are_refused(text: str):
    written = NumberFormat("1,234.5", ("", "kg"))
    assert [written.read(one) for one in ("1,234.5 kg", "7KG.", "7")] == [1234.5, 7, 7]
    with pytest.raises(ValueError, match=r"unit|amount"):
        written.read(text)


def test_take_the_unit_that_most_have():
    assert written_in("1,234.5", ["5 kg", "7 kg", "500 g", "soon"]).unit == ("", "kg")


@pytest.mark.parametrize("text", ["", " ", "N/A", "n.a.", "-", "null", "?"])
def test_are_gaps_where_a_word_says_that_nothing_is_known(text: str):
    assert form_of(["5 kg", text]) == "1,234.5"
    assert form_of([text]) is None
    assert math.isnan(NumberFormat("1,234.5", ("", "kg")).read(text))


PARTED = [f"{one}.{rest}" for one in range(1, 40, 3) for rest in ("500", "275")]


def test_points_part_thousands_where_decimals_would_be_written_otherwise():
    texts = [*PARTED, "999", "7", "0"]
    assert form_of(texts) == "1.234,5"
    written = written_in("1.234,5", texts)
    assert [written.read(text) for text in ("1.500", "40.275", "999")] == [1500, 40275, 999]


@pytest.mark.parametrize(
    "texts",
    [
        PARTED,
        [*PARTED, "999", "0.125"],
        [*PARTED, "999", "12.5"],
        [*PARTED, "1000"],
        [*(one for one in PARTED if one.endswith("5")), "999"],
        [*PARTED[:9], "999"],
    ],
)
def test_points_stand_before_decimals_otherwise(texts: list[str]):
    assert form_of(texts) is None
