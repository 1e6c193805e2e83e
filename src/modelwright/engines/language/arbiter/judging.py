"""Runs and checks the candidates of one question, and groups those that give the same result."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial

from modelwright.engines.language.arbiter.rereading import reread
from modelwright.engines.language.arbiter.results import Result, same_result
from modelwright.engines.language.arbiter.rewriting import as_asked, counted_once, other_readings
from modelwright.engines.language.arbiter.settling import Settled
from modelwright.engines.language.arbiter.showing import Showing, with_figure
from modelwright.engines.language.arbiter.swapping import SWAPPABLE, swapped
from modelwright.engines.language.catalog.meaning import Catalog
from modelwright.engines.language.checks.checking import check, tested_columns
from modelwright.engines.language.checks.findings import Finding, Severity
from modelwright.engines.language.checks.outcome import check_outcome
from modelwright.engines.language.checks.words import QuestionWords
from modelwright.engines.language.readers import Candidate, Outcome, ReadRequest

MAX_CANDIDATES = 12
"""So many different statements of one question are run."""
Run = Callable[[str], Result]


@dataclass(frozen=True, slots=True)
class Judged:
    """A candidate that ran, with what was found of it."""

    candidate: Candidate
    findings: list[Finding]
    result: Result

    @property
    def faults(self) -> int:
        """How many faults the checks found."""
        return sum(one.severity is Severity.FAULT for one in self.findings)

    @property
    def doubts(self) -> int:
        """How many doubts they have."""
        return sum(one.severity is Severity.DOUBT for one in self.findings)

    @property
    def narrowness(self) -> int:
        """How few columns it shows, if it lists rows: what tells more of them comes first."""
        made = ("COUNT(", "SUM(", "AVG(", "GROUP BY")
        lists = not any(one in self.candidate.sql.upper() for one in made)
        return -len(self.result.columns) if lists else 0


class Judging:
    """Runs and checks what may be meant by one question, each statement once."""

    def __init__(self, request: ReadRequest, run: Run) -> None:
        self._request, self._run = request, run
        self._settled = Settled(request)
        self._said = QuestionWords(request)
        self._found = cache(partial(check, request=request, said=self._said))
        self._showing = Showing(request, run)
        self._results: dict[str, Result] = {}

    def groups(self, outcomes: Sequence[Outcome]) -> list[list[Judged]]:
        """Judges candidates, and what they may be besides; those of one result stand together."""
        asked = [as_asked(one, self._request) for one in outcomes if isinstance(one, Candidate)]
        candidates = [self._as_shown(one) for one in asked]
        judged = [
            (one, found)
            for one in [*candidates, *self._others(candidates)]
            if (found := self._judged(one)) is not None
        ]
        told = {one.sql: found.result for one, found in judged}
        catalog = self._request.catalog
        return _grouped(
            [
                replace(found, findings=_open_still(one, found.findings, told, catalog))
                for one, found in judged
            ]
        )

    def _as_shown(self, one: Candidate) -> Candidate:
        once = counted_once(one, self._found, self._request)
        return self._showing.whole(self._settled.as_before(once))

    def _others(self, candidates: Sequence[Candidate]) -> list[Candidate]:
        """Returns what nobody read, but the findings of candidates point to."""
        others = [
            self._showing.whole(other)
            for one in candidates
            for other in other_readings(one, self._open(one, self._found(one.sql)), self._said)
        ]
        read = {one.sql for one in candidates}
        return [one for one in others if one.sql not in read]

    def _judged(self, one: Candidate) -> Judged | None:
        """Runs a candidate, and checks what comes of it; None where it does not run."""
        shown = with_figure(one)
        if shown.sql not in self._results and len(self._results) < MAX_CANDIDATES:
            self._results[shown.sql] = self._run(shown.sql)
        result = self._results.get(shown.sql)
        if result is None or not result.ran:
            return None
        of_result = _of_result(one, self._said, result)
        return Judged(shown, self._open(one, [*self._found(one.sql), *of_result]), result)

    def _open(self, one: Candidate, findings: Sequence[Finding]) -> list[Finding]:
        """Leaves out what the conversation, or what rows are of, has settled."""
        return self._showing.settled(one.sql, self._settled.open(findings))


def _of_result(one: Candidate, said: QuestionWords, result: Result) -> Iterator[Finding]:
    has_periods = bool(said.request.links.periods)  # else nothing is asked of the columns
    tested = tested_columns(one.sql, said) if has_periods else frozenset()
    is_empty = result.is_empty or (" JOIN " in one.sql and result.is_none)
    return check_outcome(said.request, tested, is_empty=is_empty)


def _open_still(
    one: Candidate, findings: list[Finding], results: Mapping[str, Result], catalog: Catalog
) -> list[Finding]:
    """Leaves out what may be meant otherwise where all that may be meant has one result."""
    kept = list[Finding]()
    for each in findings:
        others = [*swapped(one, [each]), *reread(one, [each], catalog)]
        told = [result for other in others if (result := results.get(other.sql))]
        ways = len(each.words) - 1 if each.code in SWAPPABLE else len(others)
        is_alike = all(same_result(result, results[one.sql]) for result in told)
        if not told or len(told) < ways or not is_alike:
            kept.append(each)
    return kept


def _grouped(judged: Sequence[Judged]) -> list[list[Judged]]:
    groups: list[list[Judged]] = []
    for one in judged:
        home = next(
            (held for held in groups if all(same_result(x.result, one.result) for x in held)), None
        )
        if home is None:
            groups.append([one])
        else:
            home.append(one)
    return groups
