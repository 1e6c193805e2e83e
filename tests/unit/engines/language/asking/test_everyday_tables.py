"""What words of everyday questions leave open, or say of columns that bear other names.

The tables are those of clubs, help desks, clinics and stores.
"""

from dataclasses import replace

import pytest

from modelwright.engines.language.arbiter.arbiter import Arbiter, Choices
from modelwright.engines.language.arbiter.rereading import reread
from modelwright.engines.language.checks.checking import check
from modelwright.engines.language.checks.findings import Code, Severity, doubt
from modelwright.engines.language.readers import Candidate

from .conftest import Data, Make

TABLES = {
    "games": """
        select i as game_id, ['red', 'blue', 'green'][1 + i % 3] as home_team, 1 + i % 4 as round,
        (i * 7 % 5)::int as home_goals, (i * 3 % 4)::int as away_goals,
        ['H', 'D', 'A'][1 + i % 3] as result, 4000 + i * 37 % 900 as attendance
        from range(90) t(i)""",
    "requests": """
        select i as request_id, ['Ann', 'Bob', 'Cy'][1 + i % 3] as agent,
        ['basic', 'plus'][1 + i % 2] as customer_tier,
        ['Open', 'Closed', 'Solved'][1 + i % 3] as status,
        date '2025-01-01' + (i * 3)::int as opened_on,
        case when i % 3 = 0 then null else date '2025-01-09' + (i * 3)::int end as closed_on,
        case when i % 4 = 0 then 'Y' else 'N' end as escalated,
        case when i % 5 = 0 then 'N' else 'Y' end as auto_reply from range(120) t(i)""",
    "stock_moves": """
        select i as move_id, 'S' || (1 + i % 20) as sku, ['A', 'B'][1 + i % 2] as site,
        ['receipt', 'issue'][1 + i % 2] as kind, (1 + i * 7 % 30)::int as qty
        from range(200) t(i)""",
    "bill_lines": """
        select i as line, 'B' || (i // 3) as bill_no,
        date '2025-01-01' + (i // 3)::int as bill_date,
        ['Oslo', 'Rome'][1 + i // 3 % 2] as city, (5 + i * 7 % 60)::double as sum
        from range(240) t(i)""",
    "flats": """
        select i as flat_id, ['Oslo', 'Rome'][1 + i % 2] as city, (1 + i % 4)::int as rooms,
        (100 + i * 7 % 90)::double as price, ['for sale', 'let'][1 + i % 2] as offer,
        date '2024-01-01' + i::int
        as listed_on, case when i % 2 = 0 then null else date '2024-02-01' + i::int end as sold_on
        from range(150) t(i)""",
    "shows": """
        select i as show_id, 'Show ' || (i % 9) as show_name, ['Oslo', 'Rome'][1 + i % 2] as city,
        (i * 7 % 40)::int as heat_max from range(60) t(i)""",
    "repairs": """
        select i as repair_id, (i * 17 % 300)::int as minutes, 'T' || (i % 7) as item_group,
        (1 + i % 9)::int as qty, (i * 13 % 70)::double as total_cost from range(80) t(i)""",
    "stays": """
        select i as stay_id, 'P' || (i % 70) as patient_id, ['north', 'south'][1 + i % 2] as ward,
        date '2025-01-01' + i::int as admitted_on,
        case when i % 6 = 0 then null else date '2025-01-05' + i::int end as discharged_on
        from range(140) t(i)""",
}


def opened(make: Make, name: str) -> Data:
    return make({name: TABLES[name]})


@pytest.mark.parametrize(
    ("table", "question", "wrong", "right"),
    [
        (
            "requests",
            "how many requests opened before 2025-03-01 are still with us",
            "select count(*) from requests where opened_on < '2025-03-01'",
            "select count(*) from requests where opened_on < '2025-03-01' and closed_on is null",
        ),
        (
            "stays",
            "current patients per ward",
            "select ward, count(*) from stays group by 1",
            "select ward, count(*) from stays where discharged_on is null group by 1",
        ),
        (
            "stays",
            "patients currently in the north",
            "select patient_id from stays where ward = 'north'",
            "select patient_id from stays where ward = 'north' and discharged_on is null",
        ),
        (
            "requests",
            "requests still open",
            "select * from requests",
            "select * from requests where status = 'Open'",
        ),
        (
            "stock_moves",
            "skus never issued at B",
            "select * from stock_moves where kind <> 'issue' and site = 'B'",
            "select distinct sku from stock_moves where sku not in (select sku from stock_moves)",
        ),
        (
            "requests",
            "agents that never escalated a request",
            "select request_id, agent from requests where escalated = 'N'",
            "select agent from requests group by agent having count_if(escalated = 'Y') = 0",
        ),
        (
            "stays",
            "discharged patients",
            "select discharged_on, patient_id from stays",
            "select * from stays where discharged_on is not null",
        ),
        (
            "games",
            "games won by the red",
            "select result from games where home_team = 'red'",
            "select * from games where home_team = 'red' and result = 'H'",
        ),
        (
            "requests",
            "customers with most requests",
            "select customer_tier, count(*) from requests group by 1 order by 2 desc limit 1",
            "select agent, count(*) from requests group by 1 order by 2 desc limit 1",
        ),
        (
            "stock_moves",
            "site with most stock",
            "select site, count(*) from stock_moves group by 1 order by 2 desc limit 1",
            "select site, sum(qty) from stock_moves group by 1 order by 2 desc limit 1",
        ),
        (
            "bill_lines",
            "how many bills in Oslo",
            "select count(*) from bill_lines where city = 'Oslo'",
            "select count(distinct bill_no) from bill_lines where city = 'Oslo'",
        ),
        (
            "bill_lines",
            "bills per month",
            "select month(bill_date), count(*) from bill_lines group by 1",
            "select month(bill_date), count(distinct bill_no) from bill_lines group by 1",
        ),
        (
            "games",
            "draw percentage by round",
            "select round, 100 * count(*) / sum(count(*)) over () from games group by 1",
            "select round, 100 * avg((result = 'draw')::int) from games group by 1",
        ),
        (
            "games",
            "record attendance",
            "select attendance from games",
            "select max(attendance) from games",
        ),
        (
            "flats",
            "average sale price",
            "select avg(price) from flats",
            "select avg(price) from flats where sold_on is not null",
        ),
        (
            "flats",
            "price per room",
            "select rooms, avg(price) from flats group by rooms",
            "select avg(price / rooms) from flats",
        ),
        (
            "requests",
            "agent split of plus requests",
            "select distinct agent from requests where customer_tier = 'plus'",
            "select agent, count(*) from requests where customer_tier = 'plus' group by 1",
        ),
        (
            "flats",
            "flats listed on weekends vs weekdays",
            "select dayname(listed_on), count(*) from flats where isodow(listed_on) > 5 group by 1",
            "select isodow(listed_on) in (6, 7), count(*) from flats group by 1",
        ),
        (
            "repairs",
            "minutes per qty by item group",
            "select item_group, avg(minutes), sum(qty) from repairs group by 1",
            "select item_group, avg(minutes / qty) from repairs group by 1",
        ),
        (
            "bill_lines",
            "average sum of Oslo bills",
            "select bill_no, avg(sum) from bill_lines where city = 'Oslo' group by 1",
            "select avg(sum) from bill_lines where city = 'Oslo'",
        ),
        (
            "bill_lines",
            "bills per customer",
            "select distinct bill_no from bill_lines",
            "select count(distinct bill_no) / count(distinct city) from bill_lines",
        ),
        (
            "stock_moves",
            "max qty per site",
            "select site, sum(qty) from stock_moves group by 1 order by 2 desc limit 1",
            "select site, max(qty) from stock_moves group by 1",
        ),
        (
            "requests",
            "requests with auto reply switched off",
            "select * from requests where auto_reply = 'Y'",
            "select * from requests where auto_reply = 'N'",
        ),
    ],
)
def test_what_says_which_rows_are_meant_is_not_dropped(
    make: Make, table: str, question: str, wrong: str, right: str
) -> None:
    data = opened(make, table)
    assert data.run(wrong).ran
    assert data.run(right).ran
    assert _faults(data, question, wrong)
    assert not _faults(data, question, right)


@pytest.mark.parametrize(
    ("table", "question", "sql"),
    [
        ("games", "return the number of games", "select count(*) from games"),
        ("games", "draw a chart of games by round", "select round, count(*) from games group by 1"),
        ("games", "games per round", "select round, count(*) from games group by 1"),
        (
            "requests",
            "requests per customer tier",
            "select customer_tier, count(*) from requests group by 1",
        ),
        ("requests", "requests never escalated", "select * from requests where escalated = 'N'"),
        (
            "requests",
            "requests with auto reply on",
            "select * from requests where auto_reply = 'Y'",
        ),
        (
            "stock_moves",
            "stock moves per site",
            "select site, count(*) from stock_moves group by 1",
        ),
        ("bill_lines", "lines per bill", "select bill_no, count(*) from bill_lines group by 1"),
        ("stays", "how many stays", "select count(*) from stays"),
        (
            "flats",
            "average price of flats for sale",
            "select avg(price) from flats where offer = 'for sale'",
        ),
        ("shows", "number of shows by city", "select city, count(*) from shows group by city"),
        (
            "shows",
            "average max heat per city",
            "select city, avg(heat_max) from shows group by city",
        ),
    ],
)
def test_words_that_only_look_so_are_no_fault(
    make: Make, table: str, question: str, sql: str
) -> None:
    assert not _faults(opened(make, table), question, sql)


def _faults(data: Data, question: str, sql: str) -> list[Code]:
    found = check(sql, data.request(question))
    return [one.code for one in found if one.severity is Severity.FAULT]


@pytest.mark.parametrize(
    ("table", "question", "sqls"),
    [
        (
            "requests",
            "plus requests not closed yet",
            (
                "select * from requests where customer_tier = 'plus' and status <> 'Closed'",
                "select * from requests where customer_tier = 'plus' and closed_on is null",
            ),
        ),
        (
            "flats",
            "sales per month",
            (
                "select date_trunc('month', listed_on), count(*) from flats group by 1",
                "select date_trunc('month', sold_on), count(*) from flats group by 1",
            ),
        ),
        (
            "games",
            "games with more than 2 goals",
            (
                "select * from games where home_goals > 2",
                "select * from games where home_goals + away_goals > 2",
                "select * from games where away_goals > 2",
            ),
        ),
        (
            "games",
            "total goals per round",
            (
                "select round, sum(home_goals) from games group by 1",
                "select round, sum(home_goals + away_goals) from games group by 1",
            ),
        ),
    ],
)
def test_both_readings_are_offered(
    make: Make, table: str, question: str, sqls: tuple[str, ...]
) -> None:
    data = opened(make, table)
    request = data.request(question)
    read = [*data.rules().read(request), *data.grammar().read(request)]
    decision = Arbiter().decide(request, read, data.run)
    assert isinstance(decision, Choices), decision
    offered = [sorted(map(str, one.result.rows)) for one in decision.readings]
    assert all(sorted(map(str, data.run(sql).rows)) in offered for sql in sqls)


def test_what_is_asked_back_about_is_told_in_words_of_the_question(make: Make) -> None:
    data = opened(make, "requests")
    request = data.request("customers with most requests")
    read = [*data.rules().read(request), *data.grammar().read(request)]
    decision = Arbiter().decide(request, read, data.run)
    assert isinstance(decision, Choices)
    assert decision.why == "It is not sure that “customers” was understood."


@pytest.mark.parametrize(
    ("names", "question", "taken", "is_asked"),
    [
        ("sleep_total sleep_rem", "animals with sleep over 9", "sleep_total", False),
        ("sleep_total sleep_rem", "animals with sleep over 9", "sleep_rem", True),
        ("asking_price price_per_m2", "flats with a price over 9", "asking_price", False),
        ("asking_price price_per_m2", "flats with a price over 9", "price_per_m2", True),
        ("total_cost unit_cost", "parts with a cost over 9", "total_cost", True),
        ("home_goals away_goals", "games with over 9 goals", "home_goals", True),
    ],
)
def test_a_whole_and_an_amount_are_meant_before_a_part_and_a_rate(
    make: Make, names: str, question: str, taken: str, *, is_asked: bool
) -> None:
    columns = ", ".join(f"(i * 7 % 40)::double as {one}" for one in names.split())
    data = make({"held": f"select i as held_id, {columns} from range(60) t(i)"})
    found = check(f"select * from held where {taken} > 9", data.request(question))
    assert (Code.AMBIGUOUS_NAME in {one.code for one in found}) is is_asked


@pytest.mark.parametrize(
    ("table", "question", "sql"),
    [
        (
            "requests",
            "share of requests with an auto reply by agent",
            "select agent, 100.0 * count_if(auto_reply = 'Y') / count(*) from requests group by 1",
        ),
        (
            "games",
            "games with a round above 2%",
            "select * from games where round > 2",
        ),
        ("stock_moves", "moves over 20 units", "select * from stock_moves where qty > 20"),
        ("games", "bar chart of games by round", "select round, count(*) from games group by 1"),
        ("games", "bar-chart of games by round", "select round, count(*) from games group by 1"),
        ("stock_moves", "histogram of qty", "select qty from stock_moves"),
        ("stock_moves", "scatterplot of qty", "select qty from stock_moves"),
        (
            "flats",
            "flats sold within 30 days",
            "select * from flats where date_diff('second', listed_on, sold_on) / 86400 <= 30",
        ),
        (
            "repairs",
            "repairs with minutes over 2 hours",
            "select * from repairs where minutes > 120",
        ),
    ],
)
def test_what_was_used_is_not_called_unused(
    make: Make, table: str, question: str, sql: str
) -> None:
    assert not check(sql, opened(make, table).request(question))


def test_a_slip_of_the_pen_is_told_with_what_it_was_taken_for(make: Make) -> None:
    request = opened(make, "requests").request("requests per agnet of customr tier plus")
    sql = "select agent, count(*) from requests where customer_tier = 'plus' group by 1"
    assert [one.message for one in check(sql, request)] == [
        "“agnet” was taken for “agent”.",
        "“customr” was taken for “customer”.",
    ]


def test_only_halves_of_one_thing_are_added(make: Make) -> None:
    data = opened(make, "games")
    finding = doubt(Code.AMBIGUOUS_NAME, "", "home_goals", "attendance")
    told = Candidate("select avg(home_goals) from games", "rules", "The average home goals.")
    assert not list(reread(told, [finding], data.catalog))
    [made] = reread(told, [replace(finding, words=("home_goals", "away_goals"))], data.catalog)
    assert (
        data.run(made.sql).rows == data.run("select avg(home_goals + away_goals) from games").rows
    )
    assert made.interpretation == "The average home goals plus away goals."


def test_a_group_of_several_words_is_no_divisor(make: Make) -> None:
    data = opened(make, "repairs")
    [read] = data.rules().read(data.request("average total cost per item group"))
    assert isinstance(read, Candidate), read
    wanted = data.run("select item_group, avg(total_cost) from repairs group by 1")
    assert sorted(map(str, data.run(read.sql).rows)) == sorted(map(str, wanted.rows))


def test_rows_are_called_by_the_first_word_of_a_name_that_no_noun_ends(make: Make) -> None:
    data = make({"apple_all": "select i as size, 'red' as colour from range(40) t(i)"})
    found = check("select count(*) from apple_all", data.request("how many apples are there"))
    assert not [one for one in found if one.severity is Severity.FAULT]
