"""Shares that are sorted by what they were called before: `sorted by percentage`."""

import pytest

from modelwright.engines.language.arbiter.arbiter import Answer
from modelwright.engines.language.conversation.follow_up import compile_follow_up

from .conftest import TODAY, Data, Make
from .test_arbiter import decide

RANGERS = {
    "parks": """
        select i as park_id, ['Alder', 'Birch', 'Cedar', 'Douglas'][i] as park,
        ['north', 'south', 'west', 'west'][i] as district from range(1, 5) t(i)""",
    "patrols": """
        select i as patrol_id, 1 + (i * i) % 4 as park_id,
        case when i % 7 < 2 + i % 3 then 'skipped' else 'walked' end as outcome
        from range(1, 241) t(i)""",
}
SKIPPED = (
    "select district, 100.0 * count(*) filter (where outcome = 'skipped') / count(*)"
    " from patrols join parks using (park_id) group by 1 order by 2 {}"
)
OF_ALL = (
    "select outcome, 100.0 * count(*) / sum(count(*)) over () from patrols group by 1 order by 2 {}"
)


@pytest.fixture(scope="module")
def rangers(make: Make) -> Data:
    return make(RANGERS)


@pytest.mark.parametrize(
    ("question", "then", "sql"),
    [
        ("what percentage of patrols was skipped, by district",
         "sort that by percentage, highest first", SKIPPED.format("desc")),
        ("what percentage of patrols was skipped, by district",
         "sort that by percentage, lowest first", SKIPPED.format("asc")),
        ("share of patrols by outcome", "sort it by share, largest first", OF_ALL.format("desc")),
        ("share of patrols by outcome, sorted by percentage", "", OF_ALL.format("desc")),
        ("share of patrols by outcome sorted by share ascending", "", OF_ALL.format("asc")),
    ],
)  # fmt: skip
def test_are_in_order(rangers: Data, question: str, then: str, sql: str) -> None:
    whole = compile_follow_up(question, then, rangers.linker, TODAY) if then else question
    assert whole is not None
    decision = decide(rangers, whole)
    assert isinstance(decision, Answer), decision
    wanted = list(map(tuple, rangers.run(sql).rows))
    assert list(map(tuple, decision.reading.result.rows)) == wanted
