"""Files of questions with their right answers, and what is said of the answers to them."""

import json
from pathlib import Path
from typing import Any

import pytest
from tests.unit.client.scripted import Answer, Scripted, client_of

from modelwright_client.evaluation import (
    Evaluated,
    Evaluation,
    Question,
    QuestionFileError,
    difference_of,
    read_questions,
    summary_of,
)


def answer(rows: list[list[Any]], **more: Any) -> Answer:
    told = {
        "query_id": "qry_1",
        "result_type": "table",
        "columns": [f"c{at}" for at in range(len(rows[0]) if rows else 1)],
        "rows": rows,
        "row_count": len(rows),
        "truncated": False,
        "execution_time_ms": 1.0,
        "generated_sql": "SELECT 1",
    }
    return Answer(told | more)


def choices(*statements: str) -> Answer:
    details = [{"field": "query", "message": "It may be meant in several ways."}]
    details += [
        {"field": "choice", "message": f"way {sql}", "choice_id": "c", "generated_sql": sql}
        for sql in statements
    ]
    error = {"code": "validation_failed", "message": "Choose.", "status": 422, "details": details}
    return Answer({"error": error}, 422)


def evaluated(question: Question, *answers: Answer) -> Evaluated:
    with client_of(Scripted(*answers)) as client:
        (found,) = Evaluation(client, "sess_1", "sess_2").run([question])
    return found


def written(folder: Path, text: str, name: str = "questions.jsonl") -> Path:
    path = folder / name
    path.write_text(text)
    return path


class TestFile:
    def test_json_lines_and_csv_say_the_same(self, tmp_path: Path):
        lines = [
            {"question": "how many", "expected": 3},
            {"question": "per city", "sql": "select city, count(*) from t group by 1"},
            {"question": "names, sorted", "expected": ["a", "b"], "ordered": True},
            {"question": "tomorrow's weather", "unanswerable": True},
        ]
        sheet = (
            "question,sql,expected,unanswerable,ordered\n"
            "how many,,3,,\n"
            'per city,"select city, count(*) from t group by 1",,,\n'
            '"names, sorted",,"[""a"", ""b""]",,TRUE\n'
            "tomorrow's weather,,,true,\n"
        )
        found = read_questions(written(tmp_path, "\n".join(map(json.dumps, lines))))
        same = read_questions(written(tmp_path, sheet, "questions.csv"))

        def told(one: Question) -> tuple[Any, ...]:
            return one.text, one.sql, one.expected, one.ordered, one.is_answerable

        assert [told(one) for one in found] == [told(one) for one in same]
        assert found[0].expected == [[3]]
        assert found[2].expected == [["a"], ["b"]]
        assert not found[3].is_answerable

    @pytest.mark.parametrize(
        ("text", "said"),
        [
            ("", "no questions"),
            ("{", "line 1 is no JSON"),
            ("[1]", "line 1 must be a JSON object"),
            ('{"question": " ", "expected": 1}', "line 1: question must be a text"),
            ('{"question": "a"}', "line 1: give one of sql, expected and unanswerable"),
            ('{"question": "a", "sql": "select 1", "expected": 1}', "give one of"),
            ('\n{"question": "a", "sql": 1}', "line 2: sql must be a SELECT"),
            ('{"question": "a", "expected": 1, "order": true}', "unknown 'order'"),
            ('{"question": "a", "expected": 1, "ordered": "no"}', "ordered must be true or false"),
            ('{"question": "a", "expected": 1, "follows": true}', "no question that it could"),
        ],
    )
    def test_a_file_that_cannot_be_used_says_where_and_why(
        self, tmp_path: Path, text: str, said: str
    ):
        with pytest.raises(QuestionFileError, match=said):
            read_questions(written(tmp_path, text))

    def test_a_row_of_too_many_cells_is_told(self, tmp_path: Path):
        path = written(tmp_path, "question,sql\nhow many,select a, b from t\n", "q.csv")
        with pytest.raises(QuestionFileError, match="more cells than there are heads"):
            read_questions(path)


class TestVerdict:
    EXPECTED = Question("line 1", "how many", expected=[[3]])
    BY_SQL = Question("line 1", "how many", sql="select 3")
    UNANSWERABLE = Question("line 1", "tomorrow?")

    def test_right_by_what_is_expected_and_by_sql(self):
        told = evaluated(self.EXPECTED, answer([[3]], read_by=["rules"], confidence=0.9))
        assert (told.verdict, told.read_by, told.confidence) == ("right", ["rules"], 0.9)
        assert evaluated(self.BY_SQL, answer([[3]]), answer([[3]])).verdict == "right"

    def test_wrong_says_how_it_differs(self):
        told = evaluated(self.EXPECTED, answer([[4]]))
        assert (told.verdict, told.difference) == ("wrong", "other values")

    def test_a_choice_counts_where_its_sql_gives_the_right_rows(self):
        told = evaluated(self.EXPECTED, choices("one", "two"), answer([[4]]), answer([[3]]))
        assert (told.verdict, told.sql, told.interpretation) == ("choices", "two", "way two")
        told = evaluated(self.EXPECTED, choices("one"), answer([[4]]))
        assert told.verdict == "missed choices"

    def test_a_choice_behind_the_third_does_not_count(self):
        wrong = [answer([[4]])] * 3
        told = evaluated(self.EXPECTED, choices("a", "b", "c", "d"), *wrong, answer([[3]]))
        assert told.verdict == "missed choices"

    def test_a_refusal_is_right_only_where_there_is_no_answer(self):
        refusal = Answer.refusal(422, "validation_failed")
        assert evaluated(self.EXPECTED, refusal).verdict == "refused"
        assert evaluated(self.UNANSWERABLE, refusal).verdict == "right"
        assert evaluated(self.UNANSWERABLE, answer([[3]])).verdict == "wrong"

    def test_a_question_that_runs_out_of_time_failed(self):
        told = evaluated(self.EXPECTED, Answer.refusal(503, "service_unavailable"))
        assert told.verdict == "failed"

    def test_refused_sql_of_a_right_answer_stops_with_its_place(self):
        with pytest.raises(QuestionFileError, match="line 1: its sql is refused"):
            evaluated(self.BY_SQL, Answer.refusal(422, "validation_failed"))

    def test_a_right_answer_that_is_cut_stops(self):
        with pytest.raises(QuestionFileError, match="more than 10000 rows"):
            evaluated(self.BY_SQL, answer([[3]], truncated=True))

    def test_a_chart_is_judged_by_its_sql(self):
        chart = {"query_id": "q", "result_type": "visualization", "generated_sql": "SELECT 3"}
        told = evaluated(self.EXPECTED, Answer(chart), answer([[3]]))
        assert told.verdict == "right"


class TestFollowing:
    QUESTIONS = (
        Question("line 1", "how many", expected=[[3]]),
        Question("line 2", "and in 2024", expected=[[2]], follows=True),
        Question("line 3", "and 2025", expected=[[1]], follows=True),
    )

    def test_goes_on_from_the_query_before(self):
        app = Scripted(answer([[3]]), answer([[2]], query_id="qry_2"), answer([[9]]))
        with client_of(app) as client:
            found = Evaluation(client, "sess_1", "sess_2").run(self.QUESTIONS)
        assert [one.verdict for one in found] == ["right", "right", "wrong"]
        followed = [asked.json.get("follows") for asked in app.asked]
        assert followed == [None, "qry_1", "qry_2"]

    def test_what_follows_nothing_is_not_asked(self):
        app = Scripted(Answer.refusal(422, "validation_failed"))
        with client_of(app) as client:
            found = Evaluation(client, "sess_1", "sess_2").run(self.QUESTIONS)
        assert [one.verdict for one in found] == ["refused"] * 3
        assert len(app.asked) == 1
        assert "was not answered" in found[1].why


@pytest.mark.parametrize(
    ("expected", "told", "ordered", "difference"),
    [
        ([[1, "a"]], [["a", 1]], False, ""),
        ([[1], [2]], [[2], [1]], True, "other order"),
        ([[1], [2]], [[1]], False, "fewer rows"),
        ([[1]], [[1], [2]], False, "more rows"),
        ([["a", 1]], [["a"]], False, "fewer columns"),
        ([[1]], [[2]], False, "other values"),
        ([[1]], None, False, "cannot be compared"),
    ],
)
def test_differences_have_names(expected: Any, told: Any, ordered: bool, difference: str) -> None:
    assert difference_of(expected, told, ordered=ordered) == difference


def test_the_summary_counts_wrong_answers_of_both_kinds():
    asked, unanswerable = Question("1", "a", expected=[[1]]), Question("2", "b")
    found = [
        Evaluated(asked, "right", 1.0),
        Evaluated(asked, "wrong", 3.0, "more rows"),
        Evaluated(asked, "refused", 2.0),
        Evaluated(unanswerable, "wrong", 2.0, "answered, though the data do not hold it"),
    ]
    told = summary_of(found)
    assert told.answerable["right"] == told.answerable["wrong"] == told.answerable["refused"] == 1
    assert told.unanswerable["wrong"] == 1
    assert told.right_of_answered == pytest.approx(1 / 3)
    assert told.seconds_per_question == 2.0
    assert told.differences["more rows"] == 1
