"""What a figure is of: of groups, of the column behind it, of kinds of rows, of the other side."""

import pytest

from modelwright.engines.language.arbiter.arbiter import Answer

from .conftest import Make
from .test_arbiter import decide

TABLES = {
    "crossings": """
        select i as crossing_no, ['Runa', 'Otter', 'Skua'][1 + i % 3] as ferry,
        (5 + i * 37 % 90)::int as delay_minutes, ['Docked', 'Turned back'][1 + i % 5 // 4]
        as outcome, (i * 11 % 400)::int as dock_time_min,
        date '2025-01-01' + (i % 200)::int as opened_on, (i % 7) < 5 as passed_survey
        from range(1, 301) t(i)""",
    "kiosk_sales": """
        select ['Quay', 'Park', 'Mall'][1 + i % 3] as kiosk,
        date '2025-03-01' + (i * 5)::int as sold_on,
        [10, 12, 1, 7, 1, 9, 3][1 + i % 7]::int as price from range(0, 9) t(i)""",
    "passes": """
        select 1001 + i as voucher, 'Guest ' || i % 40 as guest, ['day', 'week'][1 + i % 2] as pass,
        date '2024-01-01' + (i * 7 % 300)::int as bought_on, date '2025-02-01' + (i * 11 % 90)::int
        as last_entry, ['Pool', 'Rink', 'Spa'][1 + i % 3] as hall, i % 4 = 0 as heated,
        (i * 13 % 50)::int as minutes from range(0, 120) t(i)""",
    "kilns": """
        select i as firing_no, date '2025-01-01' + i::int as production_date,
        ['cup', 'bowl'][1 + i % 2] as ware, (20 + i * 7 % 60)::int as pieces
        from range(1, 201) t(i)""",
    "berths": """
        select i as ticket, (1 + i * i % 7 % 3)::int as cabin_class, ['f', 'm'][1 + i % 2] as sex,
        (10 + i * 3 % 70)::int as fare from range(1, 151) t(i)""",
}


def answer(make: Make, table: str, question: str) -> list[tuple[object, ...]] | None:
    data = make({table: TABLES[table]})
    decision = decide(data, question)
    if not isinstance(decision, Answer):
        return None
    return sorted(map(tuple, data.run(decision.reading.best.sql).rows), key=str)


@pytest.mark.parametrize(
    ("table", "question", "sql"),
    [
        ("crossings", "ferries with a median delay of more than 45 minutes",
         "select ferry, median(delay_minutes) m from crossings group by 1 having m > 45"),
        ("crossings", "ferries with an average delay above 49 minutes",
         "select ferry, avg(delay_minutes) m from crossings group by 1 having m > 49"),
        ("crossings", "how many crossings failed the survey",
         "select count(*) from crossings where not passed_survey"),
        ("crossings", "how many crossings passed the survey",
         "select count(*) from crossings where passed_survey"),
        ("kiosk_sales", "first sale of each kiosk",
         "select distinct on (kiosk) * from kiosk_sales order by kiosk, sold_on"),
        ("kiosk_sales", "which month had the most sales",
         "select date_trunc('month', sold_on), count(*) from kiosk_sales group by 1 limit 1"),
        ("passes", "how many vouchers", "select count(*) from passes"),
        ("passes", "number of vouchers by hall", "select hall, count(*) from passes group by 1"),
        ("berths", "how many first class tickets",
         "select count(*) from berths where cabin_class = 1"),
    ],
)  # fmt: skip
def test_figures_are_of_what_is_said(make: Make, table: str, question: str, sql: str) -> None:
    data = make({table: TABLES[table]})
    assert answer(make, table, question) == sorted(map(tuple, data.run(sql).rows), key=str)


@pytest.mark.parametrize(
    ("table", "question"),
    [
        ("kiosk_sales", "maximum sold on"),
        ("kilns", "monthly output of bowls"),
        ("passes", "total voucher"),
        ("passes", "most recent entry per hall"),
        ("passes", "average minutes of heated halls"),
        ("crossings", "which ferry had the longest delay, and when was that"),
    ],
)
def test_no_other_figure_is_told(make: Make, table: str, question: str) -> None:
    assert answer(make, table, question) is None


def test_rows_are_counted_by_what_they_are(make: Make) -> None:
    told = answer(make, "crossings", "which ferries have more than 15 docked crossings")
    assert told is None or {row[0] for row in told} == {"Runa", "Otter", "Skua"}
