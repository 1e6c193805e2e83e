"""Rows by their other usual names, by what was done with them, by keys that lead to them."""

import pytest

from modelwright.engines.language.arbiter.arbiter import Answer, Choices
from modelwright.engines.language.arbiter.results import same_result

from .conftest import Data, Make
from .test_deeds_and_things import decided

CLINIC = {
    "accounts": """
        select i as account_id, 'Firm ' || i as name, ['Trade', 'Care'][1 + i % 2] as sector,
        date '2023-01-01' + i::int as created_on from range(1, 41) t(i)""",
    "students": """
        select i as student_id, 1 + i * i % 37 as account_id, 'Person ' || i as name,
        date '1970-01-01' + (i * 99)::int as date_of_birth from range(1, 121) t(i)""",
    "exams": """
        select i as exam_id, 1 + i * i % 113 as student_id, 1 + i * i % 5 as checkin_ward_id,
        1 + i * 3 % 5 as sendoff_ward_id, (10 + i * 37 % 91)::double as fee,
        timestamp '2025-01-01 08:00' + interval (i * 17) hour as registered_at,
        ['open', 'done', 'missed'][1 + i % 3] as status from range(1, 401) t(i)""",
    "wards": """
        select i as ward_id, 'Ward ' || i as ward_name, ['east', 'west'][1 + i % 2] as ward_type,
        ['Oslo', 'Rome', 'Bern'][1 + i % 3] as town from range(1, 6) t(i)""",
}
WITH_WARD = "from exams join wards on ward_id ="


@pytest.fixture
def clinic(make: Make) -> Data:
    return make(CLINIC)


@pytest.mark.parametrize(
    ("question", "sql"),
    [
        ("how many customers are in care",
         "select count(*) from accounts where sector = 'Care'"),
        ("number of pupils per company",
         "select a.name, count(*) from students e join accounts a using (account_id) group by 1"),
        ("which customers have more than 3 pupils",
         """select a.name from students e join accounts a using (account_id)
         group by a.account_id, 1 having count(*) > 3"""),
        ("how many registrations were there in 2025",
         "select count(*) from exams where year(registered_at) = 2025"),
        ("registrations per month",
         "select date_trunc('month', registered_at), count(*) from exams group by 1"),
        ("number of exams per month in 2025",
         """select date_trunc('month', registered_at), count(*) from exams
         where year(registered_at) = 2025 group by 1"""),
        ("exams per check-in ward",
         f"select ward_name, count(*) {WITH_WARD} checkin_ward_id group by 1"),
        ("top 2 send off wards by number of exams",
         f"""select ward_name, count(*) {WITH_WARD} sendoff_ward_id group by 1
         order by 2 desc, 1 limit 2"""),
        ("total fee by checkin town",
         f"select town, sum(fee) {WITH_WARD} checkin_ward_id group by 1"),
        ("top 3 customers by total fee in 2025",
         """select a.name from exams join students using (student_id)
         join accounts a using (account_id) where year(registered_at) = 2025
         group by a.account_id, 1 order by sum(fee) desc, 1 limit 3"""),
        ("new customers per month in 2023",
         """select date_trunc('month', created_on), count(*) from accounts
         where year(created_on) = 2023 group by 1"""),
    ],
)  # fmt: skip
def test_it_is_read_first(clinic: Data, question: str, sql: str) -> None:
    decision = decided(clinic, question)
    assert isinstance(decision, Answer | Choices), decision
    first = decision.reading if isinstance(decision, Answer) else decision.readings[0]
    assert same_result(first.result, clinic.run(sql)), first.best.sql


@pytest.mark.parametrize(
    ("question", "sql"),
    [
        (
            "number of exams per month in 2025",
            """select date_trunc('month', registered_at), count(*) from exams
            where year(registered_at) = 2025 group by 1""",
        ),
        (
            "how many exams were there in 2025",
            "select count(*) from exams where year(registered_at) = 2025",
        ),
    ],
)
def test_a_number_of_rows_is_no_amount_of_others(make: Make, question: str, sql: str) -> None:
    paybacks = """select i as payback_id, 1 + i * 3 % 400 as exam_id, (1 + i % 9)::double as amount,
        timestamp '2025-02-01 09:00' + interval (i * 19) hour as refunded_at
        from range(1, 121) t(i)"""
    data = make(CLINIC | {"paybacks": paybacks})
    decision = decided(data, question)
    assert isinstance(decision, Answer)
    assert same_result(decision.reading.result, data.run(sql))


class TestOtherNouns:
    def test_of_two_tables_are_those_of_neither(self, make: Make) -> None:
        data = make(CLINIC | {"companies": "select i as company_id from range(9) t(i)"})
        nouns = {one.name: one.row_nouns for one in data.catalog.tables}
        assert "companies" not in nouns["accounts"]
        assert "customers" in nouns["accounts"]

    def test_that_a_column_or_a_value_is_called_are_left_to_it(self, make: Make) -> None:
        accounts = CLINIC["accounts"].replace("'Trade'", "'clients'")
        students = CLINIC["students"].replace("name,", "name, i % 3 as customer,")
        data = make(CLINIC | {"accounts": accounts, "students": students})
        nouns = {one.name: one.row_nouns for one in data.catalog.tables}
        assert nouns["accounts"] == ("accounts", "companies")

    def test_one_table_has_none(self, make: Make) -> None:
        (table,) = make({"accounts": CLINIC["accounts"]}).catalog.tables
        assert table.row_nouns == ("accounts",)
