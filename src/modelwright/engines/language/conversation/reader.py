"""Follow-ups on the statement that was answered before: one part of it changes, the rest stays.

The whole question of a follow-up is read as any other; here it is compared with the question before
it, word by word. Where only a value, a period, a measure, a group, a condition, an order or a
number of rows differs, the same part of the statement is replaced. What is read anew is read by the
readers of whole questions, from a question that asks for nothing else.
"""

from collections.abc import Sequence
from dataclasses import replace

from sqlglot import exp
from sqlglot.errors import SqlglotError

from modelwright.engines.language.arbiter.calibration import CONVERSATION
from modelwright.engines.language.conversation.changes.kinds import CHANGES
from modelwright.engines.language.conversation.parts import Part, changed_parts
from modelwright.engines.language.conversation.statement import AnsweredStatement, NoPlaceError
from modelwright.engines.language.linking.linking import Linker
from modelwright.engines.language.readers import (
    Candidate,
    Cannot,
    Exchange,
    Outcome,
    Reader,
    ReadRequest,
)

MOST_PARTS = 2
"""A follow-up that changes more parts of a question is read anew only."""


class ConversationReader:
    """Changes one part of the statement that was answered before."""

    name = CONVERSATION

    def __init__(self, linker: Linker, readers: Sequence[Reader]) -> None:
        self._linker = linker
        self._readers = tuple(readers)

    def read(self, request: ReadRequest) -> Sequence[Outcome]:
        """Reads a follow-up.

        Args:
            request: The whole question, with the one before it and its SQL.

        Returns:
            One candidate, or why there is none.

        Raises:
            TooLong: The reading was stopped.
        """
        before = request.conversation[-1] if request.conversation else None
        if before is None or not before.sql:
            return [_cannot("Nothing was answered before.")]
        parts = changed_parts(before.question, request.question, self._linker, request.today)
        if not 0 < len(parts) <= MOST_PARTS:
            return [_cannot("More than a part of it changes.")]
        try:
            sql = self._changed(before, parts, request)
        except (NoPlaceError, SqlglotError) as problem:
            return [_cannot(str(problem) or "What changes has no place in the statement.")]
        told = " and ".join(f"“{one.new}”" if one.new else f"no “{one.old}”" for one in parts)
        return [Candidate(sql, CONVERSATION, f"What answered “{before.question}”, with {told}.")]

    def _changed(self, before: Exchange, parts: Sequence[Part], request: ReadRequest) -> str:
        statement = AnsweredStatement(before.sql, request.catalog)
        first, used_before = statement.sql(), statement.tables_used()
        probes = Probes(before.question, statement, request, self._linker, self._readers)
        for part in sorted(parts, key=lambda one: one.begins):  # rows are counted when all is said
            used = next(filter(None, (one(statement, part, probes.read) for one in CHANGES)), None)
            if used is None:
                raise NoPlaceError
            lost = part.lost(used)
            if lost:
                raise NoPlaceError(f"“{lost[0]}” would be lost.")
            statement.settle()
        statement.leave(used_before - statement.tables_used())
        if statement.sql() == first:
            raise NoPlaceError("Nothing changes.")
        return statement.sql()


def _cannot(why: str) -> Cannot:
    return Cannot(CONVERSATION, why, not_understood=True)


class Probes:
    """Reads one part by itself: from a question that asks for nothing else, of the same rows."""

    def __init__(
        self,
        earlier: str,
        statement: AnsweredStatement,
        request: ReadRequest,
        linker: Linker,
        readers: Sequence[Reader],
    ) -> None:
        self._earlier = earlier
        self._statement = statement
        self._request = request
        self._linker = linker
        self._readers = readers

    def read(self, asking: str, said: str) -> AnsweredStatement:
        """Reads `how many`, the rows of the statement, and what is said.

        Args:
            asking: What goes before the word for the rows.
            said: What is asked of them.

        Returns:
            The first statement that begins at a table that the answered one reads, its tables
            called as they are there. Readers that read it in different ways read nothing.
        """
        question = f"{asking} {self._rows()} {said}"
        links = self._linker.link(question, self._request.today)
        request = replace(self._request, question=question, links=links, conversation=())
        outcomes = [one for reader in self._readers for one in reader.read(request)]
        candidates = [one for one in outcomes if isinstance(one, Candidate)]
        found = [used for one in candidates if (used := self._usable(one)) is not None]
        if not found:
            raise NoPlaceError(f"“{question}” is not understood by itself.")
        if len({one.asked_for for one in found}) > 1:
            raise NoPlaceError(f"“{question}” is read in several ways.")
        found[0].rename_as_in(self._statement)
        return found[0]

    def _usable(self, one: Candidate) -> AnsweredStatement | None:
        try:
            found = AnsweredStatement(one.sql, self._request.catalog)
            begins_here = self._statement.alias(found.sources[0].name) is not None
        except NoPlaceError:
            return None
        asks_more = found.part("having") or found.part("limit") or found.tree.find(exp.Window)
        return found if begins_here and not asks_more and not one.ignored_words else None

    def _rows(self) -> str:
        """Returns the word for the rows that the statement tells of."""
        table = self._statement.finest
        links = self._linker.link(self._earlier, self._request.today)
        own = [one.text for one in links.names if one.column is None and one.table == table]
        known = self._request.catalog.table(table)
        return next(iter([*own, *(known.row_nouns if known else ())]), "rows")


__all__ = ["CONVERSATION", "ConversationReader", "Probes"]
