"""One number less another, years to date, and words for rows that sound like columns."""

import random
from datetime import date, timedelta

import duckdb
import pytest
from tests.unit.engines.language.tables import reader_of, store_of

from modelwright.engines.language.rules.answering.questions import Answerable, NotUnderstood, Reader

TODAY = date(2026, 11, 25)
Asked = tuple[duckdb.DuckDBPyConnection, Reader]


def made(table: str, columns: dict[str, str], count: int) -> Asked:
    chance = random.Random(5)
    kinds = {
        "channel": ["Search", "Social", "Email"], "device": ["mobile", "desktop", "tablet"],
        "vaccine": ["Comirnaty", "Havrix"], "site": ["Northgate", "Harbour", "School"],
        "gender": ["F", "M", "X"],
    }  # fmt: skip

    def cell(name: str, kind: str) -> object:
        if name in kinds:
            return chance.choice(kinds[name])
        if kind == "date":
            return date(2025, 1, 1) + timedelta(chance.randrange(690))
        if kind == "float":
            return round(chance.uniform(5, 900), 2)
        return chance.randint(1, 3 if name == "dose_number" else 90)

    rows = [tuple(cell(name, kind) for name, kind in columns.items()) for _ in range(count)]
    return store_of(table, columns, rows), reader_of(table, columns, rows)


@pytest.fixture(scope="module")
def ads() -> Asked:
    columns = {
        "date": "date", "channel": "string", "device": "string", "clicks": "integer",
        "spend": "float", "revenue": "float", "list_price": "float", "sale_price": "float",
    }  # fmt: skip
    return made("ads", columns, 300)


@pytest.fixture(scope="module")
def doses() -> Asked:
    columns = {
        "vaccine": "string", "dose_number": "integer", "site": "string", "gender": "string",
        "age": "integer", "given_on": "date",
    }  # fmt: skip
    return made("vaccinations", columns, 300)


def check(asked: Asked, question: str, right: str) -> None:
    read = asked[1].read(question, TODAY)
    assert isinstance(read, Answerable), read
    rows = sorted(asked[0].sql(read.sql).fetchall())
    wanted = sorted(asked[0].sql(right).fetchall())
    assert [tuple(map(near, row)) for row in rows] == [tuple(map(near, row)) for row in wanted]


def near(value: object) -> object:
    return round(value, 6) if isinstance(value, float) else value


@pytest.mark.parametrize(
    ("question", "right"),
    [
        ("revenue minus spend by channel",
         "select channel, sum(revenue) - sum(spend) from ads group by 1"),
        ("what is the difference between revenue and spend per device?",
         "select device, sum(revenue) - sum(spend) from ads group by 1"),
        ("average difference between list price and sale price",
         "select avg(list_price - sale_price) from ads"),
        ("difference in average spend between mobile and desktop",
         ("select avg(spend) filter (where device = 'mobile')"
         " - avg(spend) filter (where device = 'desktop') from ads")),
        ("year to date spend for Social",
         ("select sum(spend) from ads where channel = 'Social'"
         " and date between '2026-01-01' and '2026-11-25'")),
        ("clicks by channel ytd",
         ("select channel, sum(clicks) from ads"
         " where date between '2026-01-01' and '2026-11-25' group by 1")),
        ("month-to-date revenue",
         "select sum(revenue) from ads where date between '2026-11-01' and '2026-11-25'"),
        ("which channel has the largest difference between revenue and spend?",
         "select channel from ads group by 1 order by sum(revenue) - sum(spend) desc limit 1"),
    ],
)  # fmt: skip
def test_one_number_less_another_and_times_so_far(ads: Asked, question: str, right: str) -> None:
    check(ads, question, right)


def test_a_difference_that_tests_rows_is_refused(ads: Asked) -> None:
    question = "days where the difference between revenue and spend is above 100"
    assert isinstance(ads[1].read(question, TODAY), NotUnderstood)


@pytest.mark.parametrize(
    ("question", "right"),
    [
        ("how many Havrix doses were given last month?",
         ("select count(*) from vaccinations where vaccine = 'Havrix'"
         " and given_on between '2026-10-01' and '2026-10-31'")),
        ("doses per site", "select site, count(*) from vaccinations group by 1"),
        ("vaccinations per month in 2025",
         ("select date_trunc('month', given_on), count(*) from vaccinations"
         " where year(given_on) = 2025 group by 1")),
        ("number of vaccinations by vaccine",
         "select vaccine, count(*) from vaccinations group by 1"),
        ("which sites have given more than 100 doses?",
         "select site from vaccinations group by 1 having count(*) > 100"),
        ("average dose number by site",
         "select site, avg(dose_number) from vaccinations group by 1"),
        ("difference between the average age of F and M",
         ("select avg(age) filter (where gender = 'F') - avg(age) filter (where gender = 'M')"
         " from vaccinations")),
    ],
)  # fmt: skip
def test_rows_are_counted_by_any_name_of_theirs(doses: Asked, question: str, right: str) -> None:
    check(doses, question, right)
