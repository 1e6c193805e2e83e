"""How long from one date of a row to another, told by nouns and verbs of the dates' names."""

import pytest

from modelwright.engines.language.arbiter.arbiter import Answer, Choices
from modelwright.engines.language.checks.checking import check

from .conftest import Data, Make
from .test_arbiter import decide

REPAIRS = """
    select i as repair_no, ['phone', 'laptop', 'watch'][1 + i % 3] as "Repair Kind Listed",
    ['Oslo', 'Rome'][1 + i % 2] as branch, 'C' || (i % 70) as customer_id,
    date '2025-01-03' + i::int as "Fault Date", date '2025-01-04' + (i + i % 5)::int as reported_on,
    case when i % 4 > 0 then date '2025-01-12' + (i + i % 9)::int end as "Diagnosis Date",
    case when i % 4 > 0 then date '2025-01-20' + (i + i * i % 40)::int end as paid_on,
    (3 + i % 50)::int as "Work (mins)", (10 + i % 90)::double as price from range(1, 401) t(i)"""
CHARTERS = """
    select i as charter_no, ['river', 'sea'][1 + i % 2] as boat_kind,
    timestamp '2025-01-02 09:00' + to_hours((i * 7)::int) as created_at,
    date '2025-02-01' + (i // 3 + i % 20)::int as boarding_date,
    date '2025-02-04' + (i // 3 + i % 20 + i % 6)::int as departure_date,
    case when i % 6 = 0 then date '2025-02-01' + (i // 3)::int end as cancelled_on
    from range(1, 301) t(i)"""
STAYS = """
    select i as stay_no, ['dogs', 'cats'][1 + i % 2] as wing, 'Pet ' || (i % 40) as pet_name,
    date '2020-01-01' + (i % 900)::int as birth_date,
    timestamp '2025-01-02 09:00' + to_hours((i * 9)::int) as admitted_at,
    timestamp '2025-01-02 10:00' + to_hours((i * 9)::int) + to_minutes((i * i % 50)::int)
    as seen_at,
    case when i % 7 > 0 then timestamp '2025-01-05 09:00' + to_hours((i * 9 + i * i % 200)::int) end
    as discharged_at from range(1, 301) t(i)"""


def days(since: str, until: str) -> str:
    return f"""date_diff('second', "{since}"::timestamp, "{until}"::timestamp) / 86400"""


@pytest.fixture(scope="module")
def repairs(make: Make) -> Data:
    return make({"repairs": REPAIRS})


@pytest.fixture(scope="module")
def charters(make: Make) -> Data:
    return make({"charters": CHARTERS})


@pytest.fixture(scope="module")
def stays(make: Make) -> Data:
    return make({"pet_stays": STAYS})


@pytest.mark.parametrize(
    ("question", "sql"),
    [
        ("average days from fault to report",
         f"avg({days('Fault Date', 'reported_on')}) from repairs"),
        ("median number of days from reporting to payment by branch",
         f"branch, median({days('reported_on', 'paid_on')}) from repairs group by 1"),
        ("how many days do customers wait from reporting to diagnosis per branch",
         f"branch, avg({days('reported_on', 'Diagnosis Date')}) from repairs group by 1"),
        ("average days between being diagnosed and being paid",
         f"avg({days('Diagnosis Date', 'paid_on')}) from repairs"),
        ("average days from diagnosis to payment by repair kind",
         f'"Repair Kind Listed", avg({days("Diagnosis Date", "paid_on")}) from repairs group by 1'),
        ("repairs reported more than 3 days after the fault",
         f"* from repairs where {days('Fault Date', 'reported_on')} > 3"),
        ("how many repairs were paid within 30 days of reporting",
         f"count(*) from repairs where {days('reported_on', 'paid_on')} <= 30"),
    ],
)  # fmt: skip
def test_both_ends_are_told_by_their_roots(repairs: Data, question: str, sql: str) -> None:
    assert answered(repairs, question) == values(repairs, f"select {sql}")


@pytest.mark.parametrize(
    ("question", "sql"),
    [
        ("how long do pets stay",
         f"avg({days('admitted_at', 'discharged_at')}) from pet_stays"),
        ("longest stay",
         f"* from pet_stays order by {days('admitted_at', 'discharged_at')} desc limit 1"),
        ("average length of stay",
         f"avg({days('admitted_at', 'discharged_at')}) from pet_stays"),
        ("what percentage of dogs stayed longer than 5 days",
         f"""100.0 * count_if({days('admitted_at', 'discharged_at')} > 5) / count(*) from pet_stays
         where wing = 'dogs'"""),
        ("median minutes pets wait between admission and being seen by wing",
         f"""wing, median({days('admitted_at', 'seen_at')} * 1440) from pet_stays group by 1"""),
    ],
)  # fmt: skip
def test_a_stay_lasts_from_its_start_to_its_end(stays: Data, question: str, sql: str) -> None:
    assert answered(stays, question) == values(stays, f"select {sql}")


@pytest.mark.parametrize(
    ("question", "sql"),
    [
        ("average days from creation to boarding",
         "select avg(date_diff('day', created_at::date, boarding_date)) from charters"),
        ("how many charters were boarded within 20 days of creation",
         """select count(*) from charters
         where date_diff('day', created_at::date, boarding_date) <= 20"""),
    ],
)  # fmt: skip
def test_whole_days_lie_between_a_moment_and_a_day(charters: Data, question: str, sql: str) -> None:
    assert answered(charters, question) == values(charters, sql)


@pytest.mark.parametrize(
    "question",
    [
        "how far in advance do people book",
        "how many days ahead are charters booked on average",
    ],
)
def test_booked_ahead_is_from_the_booking_to_the_next_date(charters: Data, question: str) -> None:
    wanted = "select avg(date_diff('day', created_at::date, boarding_date)) from charters"
    assert answered(charters, question) == values(charters, wanted)


def test_within_days_of_a_date_is_before_it_too(charters: Data) -> None:
    question = "how many charters were cancelled within 9 days of boarding"
    wanted = """select count(*) from charters
        where abs(date_diff('day', cancelled_on, boarding_date)) <= 9"""
    assert answered(charters, question) == values(charters, wanted)


def test_a_time_is_no_figure_of_what_it_ends_with(make: Make) -> None:
    claims = make({"lodged_claims": """
        select i as claim_no, date '2025-01-03' + i::int as lodged_on,
        date '2025-01-09' + (i + i % 9)::int as refunded_on, (i % 70)::double as refund_amount
        from range(1, 301) t(i)"""})  # fmt: skip
    found = check(
        "SELECT AVG(refund_amount) FROM lodged_claims", claims.request("average time to refund")
    )
    assert any("asks for a time" in one.message for one in found)


def test_booked_in_advance_is_no_time_that_is_asked(make: Make) -> None:
    priced = make({"sea_trips": CHARTERS.replace("boat_kind,", "boat_kind, i % 90 as fare,")})
    read = priced.rules().read(priced.request("average fare of trips booked in advance"))
    assert all("DATE_DIFF" not in getattr(one, "sql", "") for one in read)


def test_what_comes_before_cancelling_ends_with_it(make: Make) -> None:
    members = make(
        {
            "club_members": """
        select i as member_no, date '1970-01-01' + (i * 50)::int as birth_date,
        ['a', 'b'][1 + i % 2]
        as plan, date '2023-01-01' + i::int as join_date, case when i % 3 = 0 then
        date '2023-06-01' + (i + i * i % 90)::int end as cancelled_on,
        date '2026-01-01' + (i % 30)::int as last_visit from range(1, 301) t(i)"""
        }
    )
    wanted = f"select plan, avg({days('join_date', 'cancelled_on')}) from club_members group by 1"
    question = "how long do members stay before cancelling by plan"
    assert answered(members, question) == values(members, wanted)


@pytest.mark.parametrize(
    "question", ["how many days does it take to diagnose a repair", "average days to diagnose"]
)
def test_where_two_dates_may_begin_it_both_are_offered(repairs: Data, question: str) -> None:
    decision = decide(repairs, question)
    assert isinstance(decision, Choices), decision
    told = [one.best.sql for one in decision.readings]
    assert any("reported_on" in sql for sql in told)
    assert any("Fault Date" in sql for sql in told)
    assert all("Diagnosis Date" in sql for sql in told)


def answered(data: Data, question: str) -> list[object]:
    decision = decide(data, question)
    assert isinstance(decision, Answer), decision
    assert not any("not used" in one for one in decision.warnings)
    return values(data, decision.reading.best.sql)


def values(data: Data, sql: str) -> list[object]:
    return sorted(
        (
            round(one, 6) if isinstance(one, float) else one
            for row in data.run(sql).rows
            for one in row
        ),
        key=str,
    )
