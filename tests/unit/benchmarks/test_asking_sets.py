"""The questions of the benchmark: enough of them, each half on its own tables, gold that runs."""

import pytest
from benchmarks.asking import fetch, sets

FETCHED = (fetch.CACHE / "tables").exists() and sets.SPIDER.exists()


def test_there_are_as_many_as_the_design_asks_for() -> None:
    every = [one for half in sets.HALVES for one in sets.asked(half)]

    assert sum(len(one.questions) for one in every) >= 600
    assert sum(not one.several for one in every) >= 30
    assert sum(one.several for one in every) >= 15
    assert sum(len(one.unanswerable) for one in every) >= 60
    assert sum(len(one.conversations) for one in every) >= 60
    intents = [intent for one in every for intent in one.intents]
    assert sum(intent.wish is None for intent in intents) >= 120
    assert sum(intent.wish is not None for intent in intents) >= 150


@pytest.mark.parametrize("half", sets.HALVES)
def test_each_half_keeps_to_its_tables_and_asks_nothing_twice(half: sets.Half) -> None:
    for one in sets.asked(half):
        assert sets.half(one.name) == half
        asked = [question.asked for question in one.questions]
        assert len(asked) == len(set(asked)), one.name


@pytest.mark.skipif(not FETCHED, reason="run `python -m benchmarks.asking.fetch` first")
@pytest.mark.parametrize("half", sets.HALVES)
def test_every_gold_runs(half: sets.Half) -> None:
    for one in sets.asked(half):
        with sets.data(one.name).store() as store:
            golds = [sql for question in one.questions for sql in question.sql]
            golds += [sql for talk in one.conversations for sql in (*talk.sql, *talk.then_sql)]
            for sql in golds:
                assert store.execute(sql).description, sql
