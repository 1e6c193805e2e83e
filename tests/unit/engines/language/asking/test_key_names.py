"""Keys are shown by the names of the rows that they lead to; roles of persons are told apart."""

import pytest

from modelwright.engines.language.arbiter.arbiter import Answer, Arbiter, Choices, Decision
from modelwright.engines.language.arbiter.results import same_result
from modelwright.engines.language.key_names import with_keys, with_names
from modelwright.engines.language.readers import Candidate, Outcome

from .conftest import Data, Make

LODGE = {
    "wardens": """
        select i as warden_id, 'Warden ' || i as full_name, ['Oslo', 'Rome'][1 + i % 2] as hometown,
        date '1970-01-01' + (i * 99)::int as birth_date from range(1, 31) t(i)""",
    "huts": """
        select i as hut_id, 'Hut ' || i as hut_name, 1 + i % 7 as keeper_id, (5 + i)::int as bunks
        from range(1, 26) t(i)""",
    "patrols": """
        select i as patrol_id, 1 + i % 30 as warden_id, 1 + i % 4 as leader_id,
        1 + i % 25 as hut_id, (1 + i % 9)::int as hours from range(1, 121) t(i)""",
    "donations": """
        select i as donation_id, 1 + i % 25 as hut_id, (5 + i % 60)::double as amount
        from range(1, 91) t(i)""",
}
TO_LEADER = "JOIN wardens ON leader_id = wardens.warden_id"


@pytest.fixture(scope="module")
def lodge(make: Make) -> Data:
    return make(LODGE)


@pytest.mark.parametrize(
    ("question", "sql", "wanted"),
    [
        ("patrols per leader", "SELECT leader_id, count(*) AS n FROM patrols GROUP BY leader_id",
         f"select full_name, count(*) from patrols {TO_LEADER} group by 1"),
        ("hours of each leader of wardens from Oslo",
         ("SELECT leader_id, sum(hours) FROM patrols JOIN wardens ON patrols.warden_id"
         " = wardens.warden_id WHERE hometown = 'Oslo' GROUP BY 1"),
         ("select l.full_name, sum(hours) from patrols p join wardens w using (warden_id)"
         " join wardens l on l.warden_id = leader_id where w.hometown = 'Oslo' group by 1")),
        ("leaders of the longest patrols",
         "SELECT leader_id FROM patrols ORDER BY hours DESC, leader_id LIMIT 3",
         f"select full_name from patrols {TO_LEADER} order by hours desc, full_name limit 3"),
        ("top 3 wardens by patrols",
         ('SELECT "warden_id" FROM "patrols" GROUP BY "warden_id" ORDER BY SUM("hours") DESC,'
         ' "warden_id" ASC LIMIT 3'),
         ("select full_name from patrols join wardens using (warden_id) group by 1"
         " order by sum(hours) desc, full_name limit 3")),
        ("who leads with leaders from Rome",
         f"SELECT DISTINCT leader_id FROM patrols {TO_LEADER} WHERE hometown = 'Rome'",
         f"select distinct full_name from patrols {TO_LEADER} where hometown = 'Rome'"),
    ],
)  # fmt: skip
def test_names_are_shown_in_the_place_of_keys(
    lodge: Data, question: str, sql: str, wanted: str
) -> None:
    made = with_names(sql, lodge.request(question))
    assert same_result(lodge.run(made), lodge.run(wanted)), made


def test_rows_whose_key_leads_nowhere_stay_and_persons_have_both_names(make: Make) -> None:
    data = make({
        "clerks": """
            select i as clerk_id, 'Ann' || i as first_name, 'Lee' || i as last_name
            from range(1, 21) t(i)""",
        "letters": """
            select i as LetterNo, case when i % 3 > 0 then 1 + i % 22 end as sender_id,
            (1 + i % 5)::int as pages from range(1, 91) t(i)""",
    })  # fmt: skip
    made = with_names("SELECT LetterNo, sender_id FROM letters", data.request("all letters"))
    assert data.run(made).columns[0] == "LetterNo"
    wanted = (
        "select LetterNo, first_name, last_name from letters left join clerks"
        " on sender_id = clerk_id"
    )
    assert same_result(data.run(made), data.run(wanted)), made


@pytest.mark.parametrize(
    ("question", "sql"),
    [
        ("leader id of each patrol", "SELECT leader_id FROM patrols"),
        ("all patrols", "SELECT * FROM patrols"),
        ("how many leaders", "SELECT count(DISTINCT leader_id) FROM patrols"),
        ("hours by hut", ("SELECT hut_name, sum(hours) FROM patrols JOIN huts USING (hut_id)"
         " GROUP BY 1")),
        ("leaders", "SELECT leader_id FROM patrols UNION SELECT keeper_id FROM huts"),
    ],
)  # fmt: skip
def test_what_asks_for_keys_or_shows_none_stays(lodge: Data, question: str, sql: str) -> None:
    assert with_names(sql, lodge.request(question)) == sql


def decide(data: Data, question: str) -> Decision:
    request = data.request(question)
    outcomes: list[Outcome] = [
        one for reader in (data.rules(), data.grammar()) for one in reader.read(request)
    ]
    return Arbiter().decide(request, outcomes, data.run)


@pytest.mark.parametrize(
    ("question", "wanted"),
    [
        ("total hours by hometown", "warden_id"),
        ("how many patrols by hometown of the leader", "leader_id"),
    ],
)
def test_the_key_that_is_called_as_its_rows_is_meant_unless_a_role_is_said(
    lodge: Data, question: str, wanted: str
) -> None:
    found = list(lodge.grammar().read(lodge.request(question)))
    assert [wanted in one.sql for one in found if isinstance(one, Candidate)] == [True]


def test_donations_are_counted_or_added_up(lodge: Data) -> None:
    decision = decide(lodge, "donations by hut")
    assert isinstance(decision, Choices)
    from_huts = "from donations join huts using (hut_id) group by 1"
    for figure in ("count(*)", "sum(amount)"):
        wanted = lodge.run(f"select hut_name, {figure} {from_huts}")
        assert any(same_result(one.result, wanted) for one in decision.readings), figure
    assert isinstance(decide(lodge, "number of donations by hut"), Answer)


def test_a_list_of_kinds_does_not_agree_with_two_figures_of_them(lodge: Data) -> None:
    request = lodge.request("donations by hut")
    sql = "SELECT hut_name{} FROM donations JOIN huts ON donations.hut_id = huts.hut_id GROUP BY 1"
    figures = "", ", count(*)", ", sum(amount)"
    outcomes = [Candidate(sql.format(one), name) for name, one in zip("abc", figures, strict=True)]
    judged = Arbiter().judge(request, outcomes, lodge.run)
    assert not any({"b", "c"} <= set(one.read_by) for one in judged)


MANY = "SELECT w.full_name, count(*) FROM patrols p JOIN wardens w USING (warden_id) GROUP BY 1"


@pytest.mark.parametrize(
    ("question", "sql", "first"),
    [
        ("which wardens are from Oslo", "SELECT full_name FROM wardens", "warden_id"),
        ("full names of wardens", "SELECT full_name FROM wardens", None),
        ("hometowns of wardens", "SELECT hometown FROM wardens", None),
        ("which wardens lead", "SELECT DISTINCT full_name FROM wardens", None),
        ("how many wardens", "SELECT count(*) FROM wardens", None),
        ("patrols by warden", MANY, None),
    ],
)
def test_the_key_stands_beside_the_names_of_rows(
    lodge: Data, question: str, sql: str, first: str | None
) -> None:
    made = with_keys(sql, lodge.request(question))
    assert (made == sql) is (first is None)
    assert first is None or lodge.run(made).columns[0] == first


def test_namesakes_are_groups_of_their_own(make: Make) -> None:
    wardens = LODGE["wardens"].replace("'Warden ' || i", "'Warden ' || i % 9")
    data = make(LODGE | {"wardens": wardens})
    sql = MANY.replace("GROUP BY 1", "GROUP BY w.full_name")
    found = data.run(with_keys(sql, data.request("patrols by warden")))
    assert found.columns[0] == "warden_id"
    assert len(found.rows) == len(data.run("select distinct warden_id from patrols").rows)
