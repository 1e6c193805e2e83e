"""Groups held against an average: by what is told of each of them, over the same rows."""

import pytest

from modelwright.engines.language.arbiter.arbiter import Answer, Choices

from .conftest import Data, Make
from .test_arbiter import decide

REPAIRS = """
    select i as repair_id, ['Ada', 'Bo', 'Cy', 'Di', 'Ed'][1 + (i * i) % 5] as mechanic,
    ['north', 'south', 'west'][1 + (i * 7) % 11 % 3] as workshop,
    date '2026-01-01' + (i * 2)::int as repaired_on,
    (20 + (i * 37) % 91 + 30 * ((i * i) % 5))::double as parts_cost_eur,
    case when i % 3 = 0 then 1 + (i * i + i // 7) % 5 end as rating,
    (1 + (i * 11) % 8)::double as hours from range(1, 151) t(i)"""


@pytest.fixture(scope="module")
def repairs(make: Make) -> Data:
    return make({"repairs": REPAIRS})


def _told(data: Data, sql: str) -> set[str]:
    return {str(row[0]) for row in data.run(sql).rows}


@pytest.mark.parametrize(
    ("question", "sql"),
    [
        ("which mechanics score below the average rating",
         ("select mechanic from repairs group by 1 having avg(rating) <"
          " (select avg(rating) from repairs)")),
        ("mechanics with more repairs than average",
         ("select mechanic from repairs group by 1 having count(*) >"
          " (select count(*) / count(distinct mechanic) from repairs)")),
        ("which workshops have more than the average number of repairs",
         ("select workshop from repairs group by 1 having count(*) >"
          " (select count(*) / count(distinct workshop) from repairs)")),
        ("which mechanics spent more than average in March",
         ("select mechanic from repairs where month(repaired_on) = 3 group by 1"
          " having sum(parts_cost_eur) > (select sum(parts_cost_eur) / count(distinct mechanic)"
          " from repairs where month(repaired_on) = 3)")),
        ("repairs with parts costs above the average of their workshop",
         ("select repair_id from repairs r where parts_cost_eur >"
          " (select avg(parts_cost_eur) from repairs s where s.workshop = r.workshop)")),
        ("repairs that took more hours than the average for the same mechanic",
         ("select repair_id from repairs r where hours >"
          " (select avg(hours) from repairs s where s.mechanic = r.mechanic)")),
        ("repairs with a rating below the average",
         "select repair_id from repairs where rating < (select avg(rating) from repairs)"),
    ],
)  # fmt: skip
def test_is_read(repairs: Data, question: str, sql: str) -> None:
    decision = decide(repairs, question)
    offered = decision.readings if isinstance(decision, Choices) else ()
    best = decision.reading if isinstance(decision, Answer) else offered[0]
    assert _told(repairs, best.best.sql) == _told(repairs, sql)


def test_totals_and_averages_of_groups_are_both_offered(repairs: Data) -> None:
    decision = decide(repairs, "which workshops are above the average parts cost")
    assert isinstance(decision, Choices)
    told = [one.best.sql for one in decision.readings]
    assert any("HAVING SUM(" in sql for sql in told)
    assert any("HAVING AVG(" in sql for sql in told)


def test_the_average_of_a_kind_that_no_column_tells_is_not_that_of_all(repairs: Data) -> None:
    decision = decide(repairs, "repairs with a rating above the average of their galaxy")
    assert not isinstance(decision, Answer)


def test_rows_of_groups_are_rows(repairs: Data) -> None:
    decision = decide(repairs, "which mechanics have a repair above the average hours")
    assert not isinstance(decision, Answer) or "GROUP BY" not in decision.reading.best.sql
