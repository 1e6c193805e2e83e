"""Questions to the data of a session, in words or in SQL."""

from typing import Any, Literal, cast

from modelwright_client._http import Resource, drop_none, path
from modelwright_client.types import (
    ChartResult,
    TableResult,
    Unverified,
    VerifiedList,
    VerifiedQuery,
)

Result = TableResult | ChartResult
QueryType = Literal["natural_language", "sql"]


class Queries(Resource):
    """Questions to a session, in words or in SQL."""

    def ask(
        self,
        question: str,
        *,
        session_id: str | None = None,
        max_results: int | None = None,
        follows: str | None = None,
        choice_id: str | None = None,
    ) -> Result:
        """Answers a question in words; one that is not understood is a `ValidationError`.

        Args:
            question: The question, or what is said after the query that it follows.
            session_id: The session that is asked.
            max_results: Rows at most.
            follows: The query that it goes on from.
            choice_id: What is meant, of the `choices` of the error that the question met before.

        Returns:
            A table or a chart.

        Raises:
            ValidationError: It was not understood, or it may be meant in several ways; then its
                `choices` tell them.
        """
        more = {"follows": follows, "choice_id": choice_id}
        return self._query("natural_language", question, session_id, max_results, more)

    def sql(
        self, statement: str, *, session_id: str | None = None, max_results: int | None = None
    ) -> Result:
        """Runs one SELECT over the session's tables; anything else is a `ValidationError`.

        Args:
            statement: One SELECT.
            session_id: Id of the session.
            max_results: Rows at most.

        Returns:
            A table.
        """
        return self._query("sql", statement, session_id, max_results)

    def verify(
        self, query_id: str, *, sql: str | None = None, choice_id: str | None = None
    ) -> VerifiedQuery:
        """Keeps a question with its SQL as the right answer for its dataset.

        Args:
            query_id: The query that asked the question.
            sql: The SQL that is right, where it is not that of the answer.
            choice_id: The choice that is right, of those that the question met.

        Returns:
            The verified question.

        Raises:
            ValidationError: The SQL may not run, or its dates would not move with the question's.
        """
        body = drop_none({"sql": sql, "choice_id": choice_id})
        where = path("data", "queries", query_id, "verify")
        return self._calls.post(where, VerifiedQuery, body or None)

    def unverify(self, query_id: str) -> Unverified:
        """Withdraws the verification of a question.

        Args:
            query_id: Id of the query.

        Returns:
            The id of the query.
        """
        where = path("data", "queries", query_id, "verify")
        return self._calls.delete(where, Unverified)

    def verified(self, *, limit: int | None = None, offset: int | None = None) -> VerifiedList:
        """Lists the verified questions.

        Args:
            limit: How many entries at most.
            offset: How many entries to skip.

        Returns:
            A page of questions with their SQL.
        """
        query = {"limit": limit, "offset": offset}
        return self._calls.get("/data/verified-queries", VerifiedList, query)

    def _query(
        self,
        kind: QueryType,
        query: str,
        session_id: str | None,
        max_results: int | None,
        more: dict[str, str | None] | None = None,
    ) -> Result:
        body = {
            "query_type": kind,
            "query": query,
            "session_id": session_id,
            "max_results": max_results,
            **(more or {}),
        }
        # not repeated on 503: the query ran out of its time and would do so again
        answer = self._calls.ask("/data/query", dict[str, Any], drop_none(body), repeat=False)
        return cast("Result", answer)
