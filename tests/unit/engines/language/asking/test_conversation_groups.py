"""What is said of figures by group: shares, groups left out, what an average is based on."""

import pytest

from modelwright.engines.language.arbiter.arbiter import Answer
from modelwright.engines.language.arbiter.results import same_result
from modelwright.engines.language.conversation.follow_up import compile_follow_up
from modelwright.engines.language.readers import Candidate

from .conftest import TODAY, Make
from .test_conversation_reader import decide

KENNELS = {
    "kennels": """
        select i as kennel_id, ['North Farm', 'Mill', 'Harbour', 'Old Barn'][i] as kennel,
        ['Spain', 'United Kingdom', 'Malta'][1 + i % 3] as country from range(1, 5) t(i)""",
    "walks": """
        select i as walk_id, 1 + (i * i) % 7 % 4 as kennel_id, date '2024-11-01' + (i * 5)::int as
        walked_on, (10 + i * 7 % 50)::double as fee, ['sun', 'rain', 'fog'][1 + i % 3] as weather,
        case when i % 4 > 0 then (1 + i % 5)::int end as stars from range(1, 141) t(i)""",
}
OF_WALKS = "from walks join kennels using (kennel_id)"
BY_KENNEL = f"select kennel, count(*) {OF_WALKS} group by 1"
JOINED = 'FROM "walks" JOIN "kennels" ON "walks"."kennel_id" = "kennels"."kennel_id"'


@pytest.mark.parametrize(
    ("earlier", "said", "whole"),
    [
        ("walks per weather", "as % of total pls", "percentage of walks per weather"),
        ("walks per weather", "what's each one's share?", "percentage of walks per weather"),
        ("total fee by kennel", "share of each", "share of total fee by kennel"),
        ("fee by kennel", "in percent of the whole", "share of total fee by kennel"),
        ("fee by weather", "and each weather's share", "share of total fee by weather"),
        ("number of walks by weather", "what percentage does each make up",
         "percentage of walks by weather"),
        ("takings by weather", "in % please",
         "takings by weather, as a percentage of the total"),
        ("number of walks per weather", "leave out the ones with fewer than 50",
         "number of walks per weather with at least 50 walks"),
        ("how many walks per kennel", "drop any kennel with less than 20 walks",
         "how many walks per kennel with at least 20 walks"),
        ("walks by weather", "only those with more than 45",
         "walks by weather with more than 45 walks"),
        ("walks by weather", "without the ones that have at least 47",
         "walks by weather with fewer than 47 walks"),
        ("how many walks does each kennel have?", "only those with more than 30",
         "how many walks does each kennel have with more than 30 walks"),
        ("walks per kennel", "only those with more than one",
         "walks per kennel with more than one walks"),
        ("average fee of walks by weather", "only those over 30",
         "average fee of walks by weather with average fee of walks more than 30"),
        ("average fee by weather", "only those over 30",
         "average fee by weather with average fee more than 30"),
        ("fee by kennel", "drop the ones under $1,000",
         "fee by kennel with total fee at least 1,000"),
        ("average fee per weather", "how many walks is that based on?",
         "number of walks per weather"),
        ("average stars per weather", "based on how many walks",
         "number of walks per weather where the stars is not missing"),
        ("what is the average fee per kennel in 2025", "how many walks are behind each number",
         "what is the number of walks per kennel in 2025"),
    ],
)  # fmt: skip
def test_is_made_whole(make: Make, earlier: str, said: str, whole: str) -> None:
    assert compile_follow_up(earlier, said, make(KENNELS).linker, TODAY) == whole


@pytest.mark.parametrize(
    ("earlier", "said"),
    [
        ("average fee by weather", "what's each one's share"),
        ("top 3 kennels by fee", "as a percentage of the total"),
        ("fee by weather", "each kennel's share"),
        ("walks by weather", "leave out the kennels with fewer than 50"),
        ("highest fee by weather", "how many walks is that based on"),
    ],
)
def test_what_is_of_other_groups_or_figures_is_refused(make: Make, earlier: str, said: str) -> None:
    assert compile_follow_up(earlier, said, make(KENNELS).linker, TODAY) is None


@pytest.mark.parametrize(
    ("earlier", "sql", "said", "right"),
    [
        ("walks per kennel", f'SELECT "kennel", COUNT(*) {JOINED} GROUP BY 1',
         "what's each one's share", f"select kennel, 100.0 * count(*) / 140 {OF_WALKS} group by 1"),
        ("takings per kennel", f'SELECT "kennel", SUM("fee") {JOINED} GROUP BY 1',
         "as a % of the total please",
         f"select kennel, 100.0 * sum(fee) / sum(sum(fee)) over () {OF_WALKS} group by 1"),
        ("number of walks per kennel", f'SELECT "kennel", COUNT(*) {JOINED} GROUP BY 1',
         "leave out the ones with fewer than 30", f"{BY_KENNEL} having count(*) >= 30"),
        ("average stars per kennel", f'SELECT "kennel", AVG("stars") {JOINED} GROUP BY 1',
         "how many walks is that based on", f"select kennel, count(stars) {OF_WALKS} group by 1"),
        ("how many walks does each kennel have",
         f'SELECT "kennel", COUNT(*) {JOINED} GROUP BY 1',
         "only those with more than 30", f"{BY_KENNEL} having count(*) > 30"),
        ("average stars per kennel", f'SELECT "kennel", AVG("stars") {JOINED} GROUP BY 1',
         "only those above 2.9",
         f"select kennel, avg(stars) {OF_WALKS} group by 1 having avg(stars) > 2.9"),
        ("fee per kennel", f'SELECT "kennel", SUM("fee") {JOINED} GROUP BY 1',
         "leave out those under 1.2k",
         f"select kennel, sum(fee) {OF_WALKS} group by 1 having sum(fee) >= 1200"),
    ],
)  # fmt: skip
def test_is_read_over_two_tables(make: Make, earlier: str, sql: str, said: str, right: str) -> None:
    data = make(KENNELS)
    decision, read = decide(data, earlier, sql, said)
    wanted = data.run(right)
    assert isinstance(read, Candidate), read
    if isinstance(decision, Answer):
        assert same_result(decision.reading.result, wanted), decision.reading.best.sql
    assert same_result(data.run(read.sql), wanted), read.sql


@pytest.mark.parametrize(
    ("earlier", "said", "whole"),
    [
        ("walks per country", "exclude the UK", "walks per country excluding the UK"),
        ("walks per country", "just the top 2", "walks per country, top 2"),
        ("walks per weather", "minus fog", "walks per weather excluding fog"),
        ("walks per weather", "not counting fog", "walks per weather excluding fog"),
        ("walks by kennel in June", "July?", "walks by kennel in July"),
        ("walks by kennel in 2025", "and 2026 so far", "walks by kennel in 2026 so far"),
        ("which kennel had the most walks", "and the fewest?",
         "which kennel had the fewest walks"),
    ],
)  # fmt: skip
def test_what_takes_a_place_is_said_as_it_was(
    make: Make, earlier: str, said: str, whole: str
) -> None:
    assert compile_follow_up(earlier, said, make(KENNELS).linker, TODAY) == whole


def test_a_value_that_begins_with_in_is_no_order(make: Make) -> None:
    """Nor is it a column whose name holds its last word: `in print` beside Imprint."""
    data = make({
        "titles": """select i as title_id, ['Ark', 'Bay', 'Cove'][1 + i % 3] as imprint,
            ['In Print', 'Sold Out'][1 + i % 2] as state from range(1, 61) t(i)"""
    })  # fmt: skip
    sql = "SELECT imprint, count(*) FROM titles GROUP BY 1"
    _, read = decide(data, "how many titles per imprint", sql, "only those in print")
    wanted = data.run(f"{sql.split(' GROUP', maxsplit=1)[0]} where state = 'In Print' group by 1")
    assert not isinstance(read, Candidate) or same_result(data.run(read.sql), wanted), read.sql
