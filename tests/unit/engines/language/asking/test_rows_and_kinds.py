"""Words that call the rows of one table, and are a kind of rows in another one."""

import pytest

from modelwright.engines.language.arbiter.arbiter import Answer
from modelwright.engines.language.arbiter.results import same_result
from modelwright.engines.language.readers import Candidate

from .conftest import Make
from .test_deeds_and_things import decided

CHOIRS = {
    "singers": """
        select i as singer_id, 'Singer ' || i as name, ['alto', 'bass'][1 + i % 2] as voice
        from range(1, 31) t(i)""",
    "concerts": """
        select i as concert_id, 'Concert ' || i as title from range(1, 21) t(i)""",
    "concert_singers": """
        select 1 + i % 20 as concert_id, 1 + i * 7 % 30 as singer_id,
        ['Singer', 'Speaker', 'Page turner'][1 + i % 3] as part from range(60) t(i)""",
}


@pytest.mark.parametrize(
    ("question", "sql"),
    [
        ("how many singers do we have", "select count(*) from singers"),
        ("number of singers per voice", "select voice, count(*) from singers group by 1"),
    ],
)  # fmt: skip
def test_rows_are_no_kind_of_others(make: Make, question: str, sql: str) -> None:
    data = make(CHOIRS)
    decision = decided(data, question)
    assert isinstance(decision, Answer)
    assert same_result(decision.reading.result, data.run(sql))


def test_what_is_written_as_the_kind_is_the_kind(make: Make) -> None:
    data = make(CHOIRS)
    read = data.rules().read(data.request("how many concert singers have the part Singer"))
    told = 'SELECT COUNT(*) AS "count" FROM "concert_singers" WHERE "part" = \'Singer\''
    assert [one.sql for one in read if isinstance(one, Candidate)] == [told]
