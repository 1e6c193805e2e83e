"""How well questions in words are answered: a file of questions, each with its right answer.

Two ways of writing right SQL are compared by their results, in a session of its own, so that no
reader sees the right one.
"""

import csv
import json
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, cast

from modelwright_client.client import Client
from modelwright_client.errors import ApiError, ModelwrightError, UnavailableError
from modelwright_client.errors import ValidationError as NotAnsweredError
from modelwright_client.queries import Result
from modelwright_client.result_comparison import Row, same_result

MAX_ROWS = 10_000
"""Rows that an answer is compared by; longer ones are not compared."""
MAX_CHOICES = 3
"""Choices of a refused question that are compared with its right answer."""
SHOWN_ROWS = 3
"""Rows of a result that a report shows."""
KNOWN_MEMBERS = frozenset({"question", "sql", "expected", "unanswerable", "ordered", "follows"})
NOT_ANSWERED_BEFORE = "The question that it goes on from was not answered."

Verdict = Literal["right", "choices", "missed choices", "wrong", "refused", "failed"]
VERDICTS: tuple[Verdict, ...] = (
    "right",
    "choices",
    "missed choices",
    "wrong",
    "refused",
    "failed",
)
Progress = Callable[[int, int], None]


class QuestionFileError(ModelwrightError):
    """A file of questions cannot be read, or one of its questions has no right answer."""


@dataclass(frozen=True, slots=True)
class Question:
    """A question with what it should be answered with."""

    place: str
    """Where it stands, for messages."""
    text: str
    sql: str | None = None
    """SQL whose result is the right answer."""
    expected: Sequence[Row] | None = None
    """The rows of the right answer, where there is no SQL."""
    ordered: bool = False
    """Whether the order of the rows counts."""
    follows: bool = False
    """Whether it goes on from the question before it: `and only in 2024?`."""

    @property
    def is_answerable(self) -> bool:
        """Whether the data hold an answer."""
        return self.sql is not None or self.expected is not None


@dataclass(frozen=True, slots=True)
class Evaluated:
    """The result of a question."""

    question: Question
    verdict: Verdict
    seconds: float
    difference: str = ""
    """How a wrong answer differs from the right one, in a few words."""
    expected: Sequence[Row] = ()
    actual: Sequence[Row] = ()
    sql: str = ""
    interpretation: str = ""
    read_by: Sequence[str] = ()
    confidence: float | None = None
    why: str = ""
    """Why it was refused or failed."""

    def as_json(self) -> dict[str, Any]:
        """Writes it for other programs.

        Returns:
            Members of a JSON object.
        """
        return {
            "question": self.question.text,
            "answerable": self.question.is_answerable,
            "verdict": self.verdict,
            "difference": self.difference,
            "expected": [list(row) for row in self.expected[:SHOWN_ROWS]],
            "told": [list(row) for row in self.actual[:SHOWN_ROWS]],
            "generated_sql": self.sql,
            "interpretation": self.interpretation,
            "read_by": list(self.read_by),
            "confidence": self.confidence,
            "why": self.why,
            "seconds": round(self.seconds, 3),
        }


def read_questions(path: Path) -> list[Question]:
    """Reads a file of questions.

    Args:
        path: JSON Lines or CSV with the members `question`, and `sql`, `expected` or
            `unanswerable`; `ordered` where the order of the rows counts, `follows` where it goes on
            from the question before it.

    Returns:
        The questions in the order of the file.

    Raises:
        QuestionFileError: The file is neither, or a question lacks what it needs.
    """
    lines = _csv_lines(path) if path.suffix.lower() == ".csv" else _json_lines(path)
    found = [_question(f"{path.name} line {number}", members) for number, members in lines]
    if not found:
        raise QuestionFileError(f"{path.name} has no questions; write one in each line.")
    if found[0].follows:
        raise QuestionFileError(
            f"{found[0].place}: there is no question that it could follow; put that before it."
        )
    return found


def _json_lines(path: Path) -> Iterator[tuple[int, Mapping[str, Any]]]:
    for number, line in enumerate(_text(path).splitlines(), 1):
        if not line.strip():
            continue
        try:
            members = json.loads(line)
        except ValueError as problem:
            message = f"{path.name} line {number} is no JSON ({problem}); write one object a line."
            raise QuestionFileError(message) from problem
        if not isinstance(members, dict):
            raise QuestionFileError(f"{path.name} line {number} must be a JSON object.")
        yield number, members


def _csv_lines(path: Path) -> Iterator[tuple[int, Mapping[str, Any]]]:
    reader = csv.DictReader(_text(path).splitlines(keepends=True))
    for row in reader:
        if None in row:
            raise QuestionFileError(
                f"{path.name} line {reader.line_num} has more cells than there are heads; quote"
                " what holds a comma."
            )
        given = {head: cell for head, cell in row.items() if cell not in (None, "")}
        for head in ("expected", "unanswerable", "ordered", "follows"):
            if head in given:
                given[head] = _value(given[head])
        if given:
            yield reader.line_num, given


def _text(path: Path) -> str:
    try:
        return path.read_text("utf-8-sig")
    except UnicodeDecodeError as problem:
        raise QuestionFileError(
            f"{path.name} is not in UTF-8 ({problem.reason}); save it as UTF-8."
        ) from problem


def _value(cell: str) -> Any:
    try:
        return json.loads(cell.lower() if cell.lower() in {"true", "false"} else cell)
    except ValueError:
        return cell


def _question(place: str, members: Mapping[str, Any]) -> Question:
    if unknown := set(members) - KNOWN_MEMBERS:
        known = ", ".join(sorted(KNOWN_MEMBERS))
        raise QuestionFileError(f"{place}: unknown {min(unknown)!r}; there are {known}.")
    text, sql = members.get("question"), members.get("sql")
    if not isinstance(text, str) or not text.strip():
        raise QuestionFileError(f"{place}: question must be a text.")
    if sql is not None and (not isinstance(sql, str) or not sql.strip()):
        raise QuestionFileError(f"{place}: sql must be a SELECT.")
    for name in ("unanswerable", "ordered", "follows"):
        if not isinstance(members.get(name, False), bool):
            raise QuestionFileError(f"{place}: {name} must be true or false.")
    given = [sql is not None, "expected" in members, members.get("unanswerable", False)]
    if sum(given) != 1:
        raise QuestionFileError(f"{place}: give one of sql, expected and unanswerable.")
    expected = _rows(members["expected"]) if "expected" in members else None
    ordered, follows = (members.get(name, False) for name in ("ordered", "follows"))
    return Question(place, text, sql, expected, ordered, follows)


def _rows(expected: Any) -> list[Row]:
    """Reads a value, a list of values or a list of rows as rows."""
    if not isinstance(expected, list):
        return [[expected]]
    return [one if isinstance(one, list) else [one] for one in expected]


class Evaluation:
    """Asks questions in one session and runs the SQL of right answers in another."""

    def __init__(self, client: Client, session_id: str, checking_session_id: str) -> None:
        """Takes the sessions; both may be the same, but each takes only so many queries a minute.

        Args:
            client: The client that asks.
            session_id: The session that is asked.
            checking_session_id: The session that runs SQL.
        """
        self._client = client
        self._session = session_id
        self._checking = checking_session_id
        self._last: str | None = None
        """The query that answered the question before."""

    def run(
        self, questions: Sequence[Question], progress: Progress = lambda *_: None
    ) -> list[Evaluated]:
        """Asks every question.

        Args:
            questions: What is asked.
            progress: Called with how many of how many questions are done.

        Returns:
            What came of each, in the same order.

        Raises:
            QuestionFileError: The SQL of a right answer is refused, or has too many rows.
        """
        found = []
        for number, question in enumerate(questions):
            progress(number, len(questions))
            found.append(self._evaluate(question))
        return found

    def _evaluate(self, question: Question) -> Evaluated:
        expected = self._expected(question)
        follows, self._last = self._last if question.follows else None, None
        if question.follows and follows is None:
            return Evaluated(question, "refused", 0.0, expected=expected, why=NOT_ANSWERED_BEFORE)
        started = time.monotonic()
        try:
            answer = self._client.queries.ask(
                question.text, session_id=self._session, max_results=MAX_ROWS, follows=follows
            )
        except NotAnsweredError as refusal:
            return self._refused(question, expected, refusal, time.monotonic() - started)
        except UnavailableError as failure:
            took = time.monotonic() - started
            return Evaluated(question, "failed", took, expected=expected, why=failure.message)
        return self._answered(question, expected, answer, time.monotonic() - started)

    def _answered(
        self, question: Question, expected: Sequence[Row], answer: Result, seconds: float
    ) -> Evaluated:
        """Judges an answer by its rows; any is wrong to a question that has none."""
        self._last, sql = answer["query_id"], answer["generated_sql"]
        actual = answer["rows"] if answer["result_type"] == "table" else self._result_of(sql)
        difference = "answered, though the data do not hold it"
        if question.is_answerable:
            difference = difference_of(expected, actual, ordered=question.ordered)
        said = cast("Mapping[str, Any]", answer)
        return Evaluated(
            question,
            "wrong" if difference else "right",
            seconds,
            difference,
            expected,
            actual or (),
            sql,
            said.get("interpretation") or "",
            said.get("read_by") or (),
            said.get("confidence"),
        )

    def _refused(
        self,
        question: Question,
        expected: Sequence[Row],
        refusal: ApiError,
        seconds: float,
    ) -> Evaluated:
        """Judges a refusal: right of a question without an answer, or if a choice is right."""
        why = refusal.message
        offered: list[Mapping[str, Any]] = [
            one for one in refusal.details if one.get("field") == "choice"
        ]
        if not offered:
            verdict: Verdict = "refused" if question.is_answerable else "right"
            return Evaluated(question, verdict, seconds, expected=expected, why=why)
        for one in offered[:MAX_CHOICES] if question.is_answerable else ():
            actual = self._result_of(one["generated_sql"])
            if not difference_of(expected, actual, ordered=question.ordered):
                sql, meant = one["generated_sql"], one["message"]
                return Evaluated(
                    question, "choices", seconds, "", expected, actual or (), sql, meant, why=why
                )
        return Evaluated(question, "missed choices", seconds, expected=expected, why=why)

    def _expected(self, question: Question) -> Sequence[Row]:
        if question.sql is None:
            return question.expected or ()
        try:
            found = self._sql(question.sql)
        except NotAnsweredError as refusal:
            message = f"{question.place}: its sql is refused: {refusal.message}"
            raise QuestionFileError(message) from refusal
        if found is None:
            raise QuestionFileError(
                f"{question.place}: its sql has more than {MAX_ROWS} rows; give it a LIMIT."
            )
        return found

    def _result_of(self, sql: str) -> Sequence[Row] | None:
        try:
            return self._sql(sql)
        except (NotAnsweredError, UnavailableError):
            return None

    def _sql(self, sql: str) -> Sequence[Row] | None:
        answer = self._client.queries.sql(sql, session_id=self._checking, max_results=MAX_ROWS)
        if answer["result_type"] != "table" or answer["truncated"]:
            return None
        return answer["rows"]


def difference_of(
    expected: Sequence[Row], actual: Sequence[Row] | None, *, ordered: bool = False
) -> str:
    """Says how a result differs from the right one.

    Args:
        expected: The rows of the right answer.
        actual: The rows that are judged; None where there are too many or none could be read.
        ordered: Whether the order of the rows counts.

    Returns:
        A few words, alike for like differences; empty where both say the same.
    """
    if actual is None:
        return "cannot be compared"
    if same_result(expected, actual, ordered=ordered):
        return ""
    if same_result(expected, actual):
        return "other order"
    if len(expected) != len(actual):
        return "fewer rows" if len(actual) < len(expected) else "more rows"
    if expected and len(actual[0]) < len(expected[0]):
        return "fewer columns"
    return "other values"


@dataclass(frozen=True, slots=True)
class Summary:
    """The figures of an evaluation."""

    answerable: Mapping[str, int]
    """Questions that the data answer, by verdict."""
    unanswerable: Mapping[str, int]
    """Those that they do not, by verdict; to refuse them is right."""
    differences: Mapping[str, int]
    """Wrong answers by how they differ, the most frequent first."""
    right_of_answered: float | None
    seconds_per_question: float


def summary_of(found: Sequence[Evaluated]) -> Summary:
    """Counts what came of questions.

    Args:
        found: What came of each.

    Returns:
        The figures.
    """
    answerable = Counter(one.verdict for one in found if one.question.is_answerable)
    unanswerable = Counter(one.verdict for one in found if not one.question.is_answerable)
    differences = Counter(one.difference for one in found if one.difference)
    right = answerable["right"]
    answered = right + answerable["wrong"] + unanswerable["wrong"]
    return Summary(
        {name: answerable[name] for name in VERDICTS},
        {name: unanswerable[name] for name in VERDICTS},
        dict(differences.most_common()),
        right / answered if answered else None,
        sum(one.seconds for one in found) / max(1, len(found)),
    )
