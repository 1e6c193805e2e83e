"""The reader: what becomes of what a model answers."""

import json
from collections.abc import Sequence
from dataclasses import replace
from time import monotonic

import pytest
from tests.unit.engines.language.llm.made import Scripted, asked, store, trying

from modelwright.engines.language.llm.completion import Completion, CompletionFailed, Turn
from modelwright.engines.language.llm.reader import (
    ANSWER_SCHEMA,
    LEAST_SAMPLING_SECONDS,
    ModelReader,
)
from modelwright.engines.language.readers import Candidate, Cannot, Example, Failed

RIGHT = "SELECT customer FROM orders WHERE group_ = 'b'"
WRONG = "SELECT nothing FROM orders"


def as_json(sql: str | None, **more: object) -> str:
    return json.dumps({"sql": sql, "interpretation": "Said so.", "chart": None} | more)


class TestSql:
    def test_becomes_a_candidate_in_real_names(self):
        model = Scripted([RIGHT + ";"], logprobs=(-0.1, -0.7, -0.2))
        (found,) = ModelReader(model).read(asked("who is in b?", try_sql=trying(store())))
        assert isinstance(found, Candidate)
        assert store().execute(found.sql).fetchall() == [("Zoe",)]
        assert (found.reader, found.min_logprob) == ("scripted", -0.7)

    def test_is_corrected_once_by_the_engines_message(self):
        model = Scripted([WRONG, RIGHT])
        (found,) = ModelReader(model).read(asked("who?", try_sql=trying(store())))
        assert isinstance(found, Candidate)
        assert model.heard[1][-2] == Turn("assistant", WRONG)
        assert "nothing" in model.heard[1][-1].content

    def test_fails_after_two_mistakes(self):
        model = Scripted([WRONG, WRONG, RIGHT])
        (found,) = ModelReader(model).read(asked("who?", try_sql=trying(store())))
        assert isinstance(found, Failed)
        assert len(model.heard) == 2

    @pytest.mark.parametrize(
        "text",
        ["hello there", "DROP TABLE orders", "SELECT 1; DROP TABLE orders", "\x00", "🙂" * 9],
    )
    def test_hostile_output_is_only_text(self, text: str):
        (found,) = ModelReader(Scripted([text, text])).read(asked("who?"))
        assert isinstance(found, Failed)


class TestSamples:
    MORE = "SELECT COUNT(*) FROM orders"

    def test_are_told_with_how_many_say_so_the_most_frequent_first(self):
        model = Scripted([RIGHT], samples=(self.MORE, RIGHT, "CANNOT", RIGHT))
        request = asked("who?", try_sql=trying(store()))
        reader = ModelReader(model)
        reader.read(request)
        first, second, third = reader.read(replace(request, sampled=True))
        assert isinstance(first, Candidate)
        assert isinstance(second, Candidate)
        assert store().execute(first.sql).fetchall() == [("Zoe",)]
        assert store().execute(second.sql).fetchall() == [(2,)]
        assert isinstance(third, Cannot)
        assert third.not_understood
        assert [one.samples for one in (first, second, third)] == [2, 1, 1]
        assert model.drawn == model.heard

    def test_take_the_place_of_sql_that_cannot_be_run(self):
        model = Scripted([WRONG], samples=(WRONG, RIGHT, WRONG, RIGHT))
        found = ModelReader(model).read(asked("who?", try_sql=trying(store())))
        assert [(type(one), one.samples) for one in found] == [(Failed, 2), (Candidate, 2)]
        assert len(model.heard) == 1

    def test_of_which_none_can_be_run_are_one_failure_with_its_reason(self):
        model = Scripted([WRONG], samples=(WRONG, WRONG))
        first, others = ModelReader(model).read(asked("who?", try_sql=trying(store())))
        assert isinstance(first, Failed)
        assert "nothing" in first.reason
        assert others.samples == 2

    def test_of_a_model_that_is_away_are_no_failure(self):
        model = Scripted([RIGHT])

        def away(*_: object) -> Sequence[Completion]:
            raise CompletionFailed("It is away.")

        model.sample = away  # type: ignore[method-assign, assignment]
        assert ModelReader(model).read(asked("who?", sampled=True)) == []

    def test_are_not_drawn_without_time(self):
        model = Scripted([RIGHT], samples=(RIGHT,))
        until = monotonic() + LEAST_SAMPLING_SECONDS / 2
        assert ModelReader(model).read(asked("who?", sampled=True, deadline=until)) == []
        assert model.drawn == []


class TestCannot:
    def test_of_a_grammar_is_told(self):
        (found,) = ModelReader(Scripted(["CANNOT"])).read(asked("who is tall?"))
        assert isinstance(found, Cannot)
        assert not found.not_understood

    def test_of_json_is_told_with_its_sentence(self):
        model = Scripted([as_json(None)], answers_json=True)
        (found,) = ModelReader(model).read(asked("who is tall?"))
        assert isinstance(found, Cannot)
        assert found.reason == "Said so."


class TestConstraint:
    def test_is_a_grammar_of_the_schemas_names(self):
        model = Scripted([RIGHT])
        ModelReader(model).read(asked("who?"))
        assert '"orders." ("order_id"' in model.constraints[0].grammar
        assert model.constraints[0].json_schema is None

    def test_is_a_json_schema_for_endpoints(self):
        model = Scripted([as_json(RIGHT)], answers_json=True)
        ModelReader(model).read(asked("who?"))
        assert model.constraints[0].json_schema == ANSWER_SCHEMA


class TestJson:
    def test_with_a_chart_becomes_a_wish(self):
        chart = {"type": "bar_chart", "label": "a", "values": ["b"], "title": "T"}
        model = Scripted([f"Here:\n```json\n{as_json(RIGHT, chart=chart)}\n```"], answers_json=True)
        (found,) = ModelReader(model).read(asked("who?"))
        assert isinstance(found, Candidate)
        assert found.chart is not None
        assert (found.chart.type, found.interpretation) == ("bar_chart", "Said so.")

    @pytest.mark.parametrize(
        "text",
        ["", "no", "[]", "{}", '{"sql": 7}', '{"sql": "SELECT 1", "chart": {"type": "globe"}}'],
    )
    def test_of_another_shape_fails(self, text: str):
        (found,) = ModelReader(Scripted([text], answers_json=True)).read(asked("who?"))
        assert isinstance(found, Failed)


class TestTime:
    def test_a_model_that_is_away_fails(self):
        (found,) = ModelReader(Scripted([])).read(asked("who?"))
        assert found == Failed("scripted", "It has nothing to say.")

    def test_is_not_asked_when_it_is_over(self):
        model = Scripted([RIGHT])
        (found,) = ModelReader(model).read(asked("who?", deadline=monotonic() - 1))
        assert isinstance(found, Failed)
        assert model.heard == []

    def test_is_not_asked_when_nobody_waits(self):
        model = Scripted([RIGHT])
        (found,) = ModelReader(model).read(asked("who?", stopped=lambda: True))
        assert isinstance(found, Failed)
        assert model.heard == []


class TestOpening:
    def test_is_what_questions_begin_with(self):
        model = Scripted([RIGHT])
        request = asked("who?", examples=(Example("a?", "SELECT 1"),), data_id="upl_1")
        reader = ModelReader(model)
        reader.read(request)
        assert model.heard[0][0] == reader.opening(request.tables, request.catalog)
        assert model.owners == ["upl_1"]
