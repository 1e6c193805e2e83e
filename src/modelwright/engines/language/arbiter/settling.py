"""What a conversation has settled: a column that was taken before is meant again."""

from collections.abc import Iterator, Sequence

from modelwright.engines.language.arbiter.swapping import with_rival
from modelwright.engines.language.catalog.meaning import Role
from modelwright.engines.language.checks.checking import check, used_columns
from modelwright.engines.language.checks.findings import Code, Finding
from modelwright.engines.language.readers import Candidate, ReadRequest
from modelwright.engines.language.rules.text.words import stem, words

DATES = frozenset({"date", "day", "time", "at", "on"})
"""What names of dates have in common."""


class Settled:
    """The columns that the answer before used; none where a question begins a conversation."""

    def __init__(self, request: ReadRequest) -> None:
        before = request.conversation[-1].sql if request.conversation else ""
        self._used = used_columns(before, request.catalog) if before else frozenset()
        self._names = {column for _, column in self._used}
        self._request = request

    def as_before(self, candidate: Candidate) -> Candidate:
        """Takes the column of the answer before where a candidate took a rival of it."""
        if not self._used:
            return candidate
        for taken, meant in [*self._other_names(candidate), *self._other_dates(candidate)]:
            made = with_rival(candidate, taken, meant)
            candidate = candidate if made is None else made
        return candidate

    def open(self, findings: Sequence[Finding]) -> list[Finding]:
        """Leaves out doubts about names that the conversation has settled."""
        return [
            one
            for one in findings
            if one.code is not Code.AMBIGUOUS_NAME or one.words[0] not in self._names
        ]

    def _other_names(self, candidate: Candidate) -> Iterator[tuple[str, str]]:
        for one in check(candidate.sql, self._request):
            if one.code is not Code.AMBIGUOUS_NAME or one.words[0] in self._names:
                continue
            taken, *rivals = one.words
            meant = [rival for rival in rivals if rival in self._names]
            if len(meant) == 1:
                yield taken, meant[0]

    def _other_dates(self, candidate: Candidate) -> Iterator[tuple[str, str]]:
        """Yields dates that a period was taken for, where another of the table was before."""
        for table, name in sorted(used_columns(candidate.sql, self._request.catalog)):
            column = self._request.catalog.column(table, name)
            if column is None or column.role is not Role.DATE or (table, name) in self._used:
                continue
            before = [other for of, other in self._used if of == table and self._is_date(of, other)]
            if len(before) == 1 and not self._is_named(table, column.label):
                yield name, before[0]

    def _is_named(self, table: str, label: str) -> bool:
        """Whether a date is named: by what its name says more than that of the rows, or wholly."""
        said = {word.stem for word in words(self._request.question)}
        told = {stem(word.text) for word in words(label)}
        of = self._request.catalog.table(table)
        rows = {stem(word.text) for noun in (of.row_nouns if of else ()) for word in words(noun)}
        return told <= said or bool((told - rows - DATES) & said)

    def _is_date(self, table: str, name: str) -> bool:
        column = self._request.catalog.column(table, name)
        return column is not None and column.role is Role.DATE
