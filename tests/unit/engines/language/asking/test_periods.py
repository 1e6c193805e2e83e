"""The corpus of times in words: each phrase with the days that it means."""

import tomllib
from pathlib import Path
from typing import Any

import pytest

from modelwright.engines.language.readers import Candidate
from modelwright.engines.language.temporal.calendar import Clock
from modelwright.engines.language.temporal.grammar import find_periods

from .conftest import Make

CORPUS = tomllib.loads((Path(__file__).parent / "periods.toml").read_text("utf-8"))
CLOCK = Clock(CORPUS["today"], CORPUS["data_start"], CORPUS["data_end"])
MIN_PHRASES = 300


@pytest.mark.parametrize("told", CORPUS["phrases"], ids=lambda one: one["text"])
@pytest.mark.parametrize("sentence", ["{}", "total amount {} by city"])
def test_a_phrase_means_its_days(told: dict[str, Any], sentence: str) -> None:
    question = sentence.format(told["text"])
    (found,) = find_periods(question, CLOCK)
    assert (found.start, found.end) == (told.get("start"), told.get("end"))
    assert found.relative is told.get("relative", False)
    assert found.negated is told.get("negated", False)
    assert (found.part, list(found.values)) == (told.get("part", ""), told.get("values", []))
    start, end = found.span
    assert question[start:end] == found.text


@pytest.mark.parametrize("told", ["in 2026 so far", "so far this year", "this year so far"])
def test_both_readers_end_what_has_passed_so_far_today(make: Make, told: str) -> None:
    data = make({
        "stalls": """select i as sale_id, ['north', 'quay'][1 + i % 2] as stall,
            date '2026-08-01' + i::int as sold_on from range(1, 241) t(i)"""
    })  # fmt: skip
    right = data.run("select count(*) from stalls where sold_on <= '2026-11-20'")
    for reader in (data.rules(), data.grammar()):
        (one, *_) = reader.read(data.request(f"how many sales {told}"))
        assert isinstance(one, Candidate)
        assert data.run(one.sql).rows == right.rows, one.sql


@pytest.mark.parametrize("text", CORPUS["none"])
def test_what_is_no_time_is_left_alone(text: str) -> None:
    assert find_periods(text, CLOCK) == []


def test_the_corpus_is_large() -> None:
    assert len(CORPUS["phrases"]) >= MIN_PHRASES


class TestCalendar:
    def test_weeks_begin_on_the_day_of_the_calendar(self) -> None:
        clock = Clock(CORPUS["today"], first_day_of_week=7)
        (found,) = find_periods("this week", clock)
        assert found.start is not None
        assert found.start.isoweekday() == 7

    def test_a_fiscal_year_is_called_by_its_end(self) -> None:
        (found,) = find_periods("FY2025", Clock(CORPUS["today"], first_month_of_fiscal_year=10))
        assert str((found.start, found.end)) == str(
            (CORPUS["today"].replace(2024, 10, 1), CORPUS["today"].replace(2025, 10, 1))
        )

    def test_days_in_digits_are_read_as_the_data_write_them(self) -> None:
        (found,) = find_periods("on 3/4/2024", Clock(CORPUS["today"], day_first=True))
        assert str(found.start) == "2024-04-03"
