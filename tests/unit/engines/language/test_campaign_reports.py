"""Reports on campaigns: rates that go by their letters, tests of sums, what says there is none."""

import random
from datetime import date, timedelta

import duckdb
import pytest
from tests.unit.engines.language.tables import reader_of, store_of

from modelwright.engines.language.rules.answering.questions import Answerable, NotUnderstood, Reader

TODAY = date(2026, 11, 25)
Asked = tuple[duckdb.DuckDBPyConnection, Reader]
COLUMNS = {
    "day": "date", "campaign": "string", "channel": "string", "impressions": "integer",
    "clicks": "integer", "spend": "float", "conversions": "integer", "revenue": "float",
    "complaint": "string", "next_review": "date",
}  # fmt: skip


def rows() -> list[tuple[object, ...]]:
    chance = random.Random(11)
    found: list[tuple[object, ...]] = []
    for _ in range(400):
        day = date(2025, 1, 1) + timedelta(chance.randrange(690))
        campaign = chance.choice(["Spring Sale", "Black Friday", "Retarget", "Newsletter"])
        seen = chance.randint(500, 90000)
        clicks = int(seen * chance.uniform(0.002, 0.06))
        found.append((
            day, campaign, chance.choice(["Search", "Social"]), seen, clicks,
            round(clicks * chance.uniform(0.2, 1.9), 2), clicks // 20,
            round(clicks * chance.uniform(0, 4), 2),
            chance.choice(["none", "none", "too frequent", "misleading", None]),
            day + timedelta(90),
        ))  # fmt: skip
    return found


@pytest.fixture(scope="module")
def asked() -> Asked:
    return store_of("ads", COLUMNS, rows()), reader_of("ads", COLUMNS, rows())


@pytest.mark.parametrize(
    ("question", "right"),
    [
        ("ctr by channel", "select channel, sum(clicks) / sum(impressions) from ads group by 1"),
        ("cost per click per campaign",
         "select campaign, sum(spend) / sum(clicks) from ads group by 1"),
        ("roas by channel", "select channel, sum(revenue) / sum(spend) from ads group by 1"),
        ("return on ad spend per channel",
         "select channel, sum(revenue) / sum(spend) from ads group by 1"),
        ("conversion rate by channel",
         "select channel, sum(conversions) / sum(clicks) from ads group by 1"),
        ("campaigns that spent more than 60000 in total",
         "select campaign from ads group by 1 having sum(spend) > 60000"),
        ("what percentage of rows had a complaint?",
         "select 100.0 * count_if(complaint <> 'none') / count(*) from ads"),
        ("how many rows without a complaint?",
         "select count(*) from ads where complaint = 'none'"),
    ],
)  # fmt: skip
def test_reports(asked: Asked, question: str, right: str) -> None:
    read = asked[1].read(question, TODAY)
    assert isinstance(read, Answerable), read
    told, wanted = (sorted(asked[0].sql(sql).fetchall()) for sql in (read.sql, right))
    assert [[_near(one) for one in row] for row in told] == [
        [_near(one) for one in row] for row in wanted
    ], read.sql


def _near(value: object) -> object:
    return round(value, 6) if isinstance(value, float) else value


@pytest.mark.parametrize(
    "question", ["which campaigns are overdue for their next review?", "the gloomy complaints"]
)
def test_a_word_that_would_tell_which_rows_is_not_passed_over(asked: Asked, question: str) -> None:
    assert isinstance(asked[1].read(question, TODAY), NotUnderstood)
