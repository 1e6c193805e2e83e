"""Dates that are not ISO: which orders they can be in, and the moments they tell."""

import pytest

from modelwright_runtime.columns import DateColumn
from modelwright_runtime.date_parsing import (
    NO_DATE,
    Order,
    microseconds,
    moment_of,
    order_of,
    orders_of,
    pattern_of,
    stamps_of,
)
from modelwright_runtime.input_validation import find_problem

ISO = ["2024-02-29", "1970-01-01T00:00:00", "1999-12-31 23:59:59"]


class TestOrders:
    @pytest.mark.parametrize(
        ("text", "orders"),
        [
            ("2024/12/31", {"ymd", "mdy", "dmy"}),
            ("12/31/2024", {"mdy"}),
            ("31.12.2024", {"dmy"}),
            ("1/2/2024", {"mdy", "dmy"}),
            ("31-12-99 23:59:59.5", {"dmy"}),
            ("12/31/2024 12:00 a.m.", {"mdy"}),
            ("20241231T000000", {"ymd", "mdy", "dmy"}),
            ("12/31/2024 00:00:00+00", {"mdy"}),
            ("12/31/2024 00:00:00+24", set()),
            ("1/1/0001 00:00+01", set()),
            ("20241331T000000", set()),
            ("20241231", set()),
            ("31 Dec 2024", {"named"}),
            ("Dec 31, 2024", {"named"}),
            ("december 1st 2024 10:05 PM", {"named"}),
            ("31-dec-24", {"named"}),
            ("31DEC2024", {"named"}),
            ("Dec. 31 2024, 23:59:59", {"named"}),
            ("31 Decimal 2024", set()),
            ("30 Feb 2024", set()),
            ("Dec 2024", {"month"}),
            ("2024-12", {"month"}),
            ("12/2024", {"month"}),
            ("December, 2024", {"month"}),
            ("2024 Dec", {"month"}),
            ("2024Q4", {"month"}),
            ("q1-2024", {"month"}),
            ("Q5 2024", set()),
            ("202412", set()),
            ("2024-13", set()),
            ("1234-05", set()),
            ("Dec-24", set()),
            ("12.2024", set()),
            ("30.2.2024", set()),
            ("31/12.2024", set()),
            ("12/31/024", set()),
            ("12/31/2024 13:00 pm", set()),
            ("12/31/2024 24:00", set()),
            ("1.2.3.4", set()),
            ("", set()),
        ],
    )
    def test_of_a_text(self, text: str, orders: set[Order]):
        assert orders_of(text) == orders


class TestOrderOfTexts:
    @pytest.mark.parametrize(
        ("texts", "order"),
        [
            (["1949-01", "1949-12"], "month"),
            (["Jan 1998", "April 1998"], "month"),
            (["2010-11", "2011-12", "2012-13"], None),
            (["2024-01", "2024-01-31"], None),
            (["01-04-1982", "01-05-1982", "01-12-2018"], "dmy"),
            (["4/1/1982", "5/1/1982", "12/1/2018"], "mdy"),
            (["1/4/2024", "1/5/2024", "1/12/2024"], None),
            (["1/1/2023", "1/1/2024"], None),
            (["1/4/2023", "1/5/2024", "2/5/2024"], None),
            ([], None),
        ],
    )
    def test_is_told_by_all(self, texts: list[str], order: Order | None):
        assert order_of(texts) == order


def test_a_moment_in_the_basic_form_of_iso_is_read():
    text = "20241231T235958"
    assert order_of([text, "2024-12-31"]) == "ymd"
    assert moment_of(text, "ymd") == moment_of("2024-12-31 23:59:58")
    assert pattern_of(text, "ymd") == "%Y%m%dT%H%M%S"


@pytest.mark.parametrize(
    ("text", "order"), [("12/31/2024 10:00+01", "mdy"), ("31 Dec 2024 10:00Z", "named")]
)
def test_a_moment_with_its_zone_has_no_pattern(text: str, order: Order):
    assert order_of([text]) == order
    assert pattern_of(text, order) is None


def test_a_month_has_no_pattern_as_questions_look_it_up_as_it_is_written():
    assert pattern_of("2024-12-31", "ymd") == "%Y-%m-%d"
    assert pattern_of("2024-12", "month") is None


class TestMoments:
    @pytest.mark.parametrize(
        ("text", "order", "iso"),
        [
            ("2024/1/31", "dmy", "2024-01-31T00:00:00+00:00"),
            ("3/4/2024", "mdy", "2024-03-04T00:00:00+00:00"),
            ("3/4/2024", "dmy", "2024-04-03T00:00:00+00:00"),
            (" 3.4.68 ", "dmy", "2068-04-03T00:00:00+00:00"),
            ("3.4.69 7:08", "dmy", "1969-04-03T07:08:00+00:00"),
            ("1/31/2024 12:05:09 AM", "mdy", "2024-01-31T00:05:09+00:00"),
            ("1/31/2024 11:05p.m.", "mdy", "2024-01-31T23:05:00+00:00"),
            ("Jan 31 2024", "named", "2024-01-31T00:00:00+00:00"),
            ("3-SEPT-68", "named", "2068-09-03T00:00:00+00:00"),
            ("May 3rd, 1999 12:05 am", "named", "1999-05-03T00:05:00+00:00"),
            ("2024-01-31", "named", "2024-01-31T00:00:00+00:00"),
            ("2024-2", "month", "2024-02-01T00:00:00+00:00"),
            ("02/2024", "month", "2024-02-01T00:00:00+00:00"),
            (" sept 1968 ", "month", "1968-09-01T00:00:00+00:00"),
            ("1968/Sep", "month", "1968-09-01T00:00:00+00:00"),
            ("2024-Q3", "month", "2024-07-01T00:00:00+00:00"),
            ("Q1 2024", "month", "2024-01-01T00:00:00+00:00"),
            ("2024-02-03", "month", "2024-02-03T00:00:00+00:00"),
            ("2024-01-31T10:00:00+02:00", "mdy", "2024-01-31T08:00:00+00:00"),
            ("2024/01/31 10:00:00+00", "ymd", "2024-01-31T10:00:00+00:00"),
            ("1/31/2024 10:00 PM -0530", "mdy", "2024-02-01T03:30:00+00:00"),
            ("31 Jan 2024 10:00:00Z", "named", "2024-01-31T10:00:00+00:00"),
        ],
    )
    def test_of_a_text(self, text: str, order: Order, iso: str):
        assert moment_of(text, order).isoformat() == iso

    def test_none_of_a_text_in_another_order(self):
        with pytest.raises(ValueError, match="must be in"):
            moment_of("31/12/2024", "mdy")

    @pytest.mark.parametrize(
        "texts",
        [
            [],
            [None],
            ISO,
            [None, *ISO, None],
            [*ISO, "2024-02-29T10:00:00.25+02:00"],
            ["0001-01-01"],
        ],
    )
    def test_of_many_as_of_each(self, texts: list[str | None]):
        stamps = stamps_of(texts).tolist()
        assert stamps == [microseconds(text) for text in texts]
        assert [one == NO_DATE for one in stamps] == [text is None for text in texts]

    @pytest.mark.parametrize(
        "text",
        [
            "2023-02-29", "0000-01-01", "2024-01-01T12:60:00", "2024-01-01\n",
            "2024-01-01\n2024-01-02", " 2024-01 ", "+200-01-01", "2024-01", "today", "NaT", "",
        ],
    )  # fmt: skip
    def test_none_of_many_where_one_is_no_date(self, text: str):
        with pytest.raises(ValueError, match=r"isoformat|out of range|must be in"):
            stamps_of([*ISO, text])

    def test_told_by_an_example_where_a_row_has_none(self):
        column = DateColumn("paid", "string", gaps=False, start=0, order="dmy")
        problem = find_problem((column,), {"paid": "12/31/2024"})
        assert problem is not None
        assert problem.message == (
            "`paid` must be a date such as 31/12/2024, as in the training data, not another string"
        )
