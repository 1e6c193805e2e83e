"""Asks the product over its API as a person does: files, a session, questions, choices, turns."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import httpx

from benchmarks.asking.__main__ import MOST_CHOICES
from modelwright_client.result_comparison import same_result

Upload = Callable[[Mapping[str, str], str | None], str]
"""Uploads files, as a version of a dataset where one is named; gives the upload's id."""
MOST_ROWS = 10_000
RIGHT = "right"
CHOICES = "choices"
REFUSED = "refused"


@dataclass(frozen=True)
class Said:
    """What the API said to a question."""

    status: int
    body: Mapping[str, Any]
    asked: str
    query_id: str = ""

    @property
    def choices(self) -> list[Mapping[str, Any]]:
        """The readings that are offered in place of an answer."""
        details = self.body.get("error", {}).get("details", ())
        return [one for one in details if one["field"] == "choice"]

    @property
    def told(self) -> str:
        """Everything that is told in words."""
        error = self.body.get("error", {}).get("message", "")
        words = [error, self.body.get("interpretation") or "", *self.body.get("warnings", ())]
        return " ".join(words)

    @property
    def sql(self) -> str:
        """The SQL of the answer, or of each choice."""
        found = [one["generated_sql"] for one in self.choices]
        return "; ".join(found) or self.body.get("generated_sql") or ""


@dataclass
class Asking:
    """One session, asked over HTTP."""

    client: httpx.Client
    session_id: str
    asked: list[Said] = field(default_factory=list)

    @classmethod
    def of_files(
        cls, client: httpx.Client, upload: Upload, files: Mapping[str, str], name: str | None = None
    ) -> "Asking":
        """Uploads files and opens a session over them."""
        return cls.opened(client, {"upload_id": upload(files, name)})

    @classmethod
    def opened(cls, client: httpx.Client, body: Mapping[str, Any]) -> "Asking":
        """Opens a session as it is asked for; ends those before it, of which there may be few."""
        for one in client.get("/data/sessions").json()["sessions"]:
            client.delete(f"/data/sessions/{one['session_id']}")
        made = client.post("/data/sessions", json=body)
        if made.status_code != httpx.codes.OK:
            raise RuntimeError(made.text)
        return cls(client, made.json()["session_id"])

    def ask(self, question: str, **members: Any) -> Said:
        """Asks a question in words; `follows` and `choice_id` are members."""
        answer = self._query("natural_language", question, **members)
        body = answer.json()
        query_id = body.get("query_id") or self._newest()
        said = Said(answer.status_code, body, question, query_id)
        self.asked.append(said)
        return said

    def rows(self, sql: str) -> list[Any] | None:
        """Runs SQL; None where it is refused."""
        answer = self._query("sql", sql, max_results=MOST_ROWS)
        return list(answer.json()["rows"]) if answer.status_code == httpx.codes.OK else None

    def go_on(self, first: Said, said: str, golds: Sequence[str] = ()) -> Said:
        """Says what follows on a question; of choices the right one is taken first, if it is there.

        A person who is offered readings takes one before going on.
        """
        taken = [one for one in first.choices if self._fits(self.rows(one["generated_sql"]), golds)]
        if taken:
            first = self.ask(first.asked, choice_id=taken[0]["choice_id"])
        return self.ask(said, follows=first.query_id)

    def verify(self, said: Said, **body: Any) -> httpx.Response:
        """Says that an answer, a choice or some SQL is right."""
        return self.client.post(f"/data/queries/{said.query_id}/verify", json=body or None)

    def verdict(self, said: Said, golds: Sequence[str], *, may_refuse: bool = False) -> str:
        """Judges what was said by the rows that SQL gives."""
        if said.choices:
            shown = [self.rows(one["generated_sql"]) for one in said.choices[:MOST_CHOICES]]
            return CHOICES if any(self._fits(one, golds) for one in shown) else "missed choices"
        if said.status != httpx.codes.OK:
            return RIGHT if may_refuse and said.told else REFUSED
        return RIGHT if self._fits(self.rows(said.body["generated_sql"]), golds) else "wrong"

    def _fits(self, rows: Sequence[Any] | None, golds: Sequence[str]) -> bool:
        return rows is not None and any(
            same_result(right, rows) for gold in golds if (right := self.rows(gold)) is not None
        )

    def _query(self, kind: str, query: str, **members: Any) -> httpx.Response:
        body = {"query_type": kind, "query": query, "session_id": self.session_id, **members}
        return self.client.post("/data/query", json=body)

    def _newest(self) -> str:
        listed = self.client.get(f"/data/sessions/{self.session_id}/queries", params={"limit": 1})
        return str(listed.json()["queries"][0]["query_id"])
