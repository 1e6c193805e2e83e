"""`modelwright evaluate-questions`: how well a file of questions is answered.

Whether answers can be relied on depends on one's own data: the rate is measured on one's own
questions.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from modelwright_client import terminal
from modelwright_client.client import Client
from modelwright_client.commands.options import ApiKey, Json, Url, connect
from modelwright_client.evaluation import (
    SHOWN_ROWS,
    VERDICTS,
    Evaluated,
    Evaluation,
    Summary,
    read_questions,
    summary_of,
)
from modelwright_client.result_comparison import Row


def register(app: typer.Typer) -> None:
    """Adds the command."""
    app.command("evaluate-questions")(evaluate_questions)


def evaluate_questions(
    file: Annotated[
        Path,
        typer.Argument(
            help="JSON Lines or CSV: question, and one of sql, expected, unanswerable.",
            exists=True,
            dir_okay=False,
        ),
    ],
    upload: Annotated[
        str | None, typer.Option(help="Upload to ask, in sessions of its own.")
    ] = None,
    session: Annotated[str | None, typer.Option(help="Session to ask in, else --upload.")] = None,
    api_key: ApiKey = None,
    url: Url = None,
    as_json: Json = False,
) -> None:
    """Asks a file of questions and counts the right, wrong and refused answers."""
    if (upload is None) == (session is None):
        raise typer.BadParameter("Give either --upload or --session.")
    questions = read_questions(file)
    with (
        connect(api_key, url) as client,
        _sessions(client, upload, session) as ids,
        terminal.progress("asking", quiet=as_json) as bar,
    ):
        found = Evaluation(client, *ids).run(
            questions, lambda done, of: bar(100 * done / of, f"{done} of {of}")
        )
    summary = summary_of(found)
    if as_json:
        terminal.raw({"summary": asdict(summary), "questions": [one.as_json() for one in found]})
    else:
        _show(found, summary)


@contextmanager
def _sessions(client: Client, upload: str | None, session: str | None) -> Iterator[tuple[str, str]]:
    """Opens a session to ask and one to run SQL, and ends them; a given one stays as it is."""
    if upload is None:
        yield session or "", session or ""
        return
    opened: list[str] = []
    try:
        opened += [client.sessions.create(upload, name="evaluation")["session_id"] for _ in "ab"]
        yield opened[0], opened[1]
    finally:
        for one in opened:
            client.sessions.end(one)


def _show(found: Sequence[Evaluated], summary: Summary) -> None:
    """Prints what was not answered rightly, then the counts."""
    rows = [
        (
            one.question.text,
            one.verdict,
            one.difference or one.why,
            _written(one.expected),
            _written(one.actual),
        )
        for one in found
        if one.verdict != "right"
    ]
    if rows:
        terminal.table(("question", "verdict", "difference", "expected", "answered"), rows)
    counts = [
        (name, *(asked[verdict] for verdict in VERDICTS))
        for name, asked in (
            ("answerable", summary.answerable),
            ("unanswerable", summary.unanswerable),
        )
        if sum(asked.values())
    ]
    terminal.table(("questions", *VERDICTS), counts)
    if summary.differences:
        terminal.table(("wrong answers", "count"), list(summary.differences.items()))
    share = summary.right_of_answered
    terminal.facts(
        {
            "right of answered": None if share is None else f"{share:.1%}",
            "seconds a question": summary.seconds_per_question,
        }
    )


def _written(rows: Sequence[Row]) -> str:
    """Writes the first rows, and how many more there are."""
    cells = [", ".join(terminal.text(cell) for cell in row) for row in rows[:SHOWN_ROWS]]
    more = f" … and {len(rows) - SHOWN_ROWS} more" if len(rows) > SHOWN_ROWS else ""
    return " | ".join(cells) + more
