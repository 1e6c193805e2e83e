"""SQL that was taught holds on other days."""

from datetime import date

import pytest

from modelwright.engines.language.teaching import (
    FixedDatesError,
    Taught,
    as_template,
    nearest,
    resolved,
)

ASKED = date(2026, 11, 28)
LATER = date(2027, 1, 7)


@pytest.mark.parametrize(
    ("question", "sql", "later"),
    [
        ("sales last month", "d >= '2026-10-01' AND d < '2026-11-01'",
         "d >= '2026-12-01' AND d < '2027-01-01'"),
        ("sales last month", "d BETWEEN '2026-10-01' AND '2026-10-31'",
         "d BETWEEN '2026-12-01' AND '2026-12-31'"),
        ("sales this year", "year(d) = 2026", "year(d) = 2027"),
        ("sales last month", "d >= current_date - 30", "d >= current_date - 30"),
        ("sales in 2024", "d >= '2024-01-01'", "d >= '2024-01-01'"),
        ("sales over 2026 last year", "year(d) = 2025 AND n > 2026", "year(d) = 2026 AND n > 2026"),
    ],
)  # fmt: skip
def test_relative_dates_move_and_others_stay(question: str, sql: str, later: str) -> None:
    template = as_template(question, sql, ASKED)
    assert resolved(question, template, ASKED) == sql
    assert resolved(question, template, LATER) == later


@pytest.mark.parametrize("sql", ["d >= '2024-01-01'", "true", "d = '{{0.start}}'"])
def test_dates_that_would_not_move_are_refused(sql: str) -> None:
    with pytest.raises(FixedDatesError):
        as_template("sales last month", sql, ASKED)


def test_the_nearest_questions_are_found() -> None:
    known = [Taught(one, "") for one in ("total sales by city", "oldest customer", "sales by day")]
    found = nearest("total sales by town", known, 2)
    assert [one.question for one in found] == ["total sales by city", "sales by day"]
