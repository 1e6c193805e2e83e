"""Candidates that give the same result, judged together: who read it so, what is wrong with it."""

from collections.abc import Iterable
from dataclasses import dataclass

from modelwright.engines.language.arbiter.calibration import ALONE, BUILT_IN, MANY_PARTS, NOBODY
from modelwright.engines.language.arbiter.results import Result
from modelwright.engines.language.arbiter.swapping import RIVALLED
from modelwright.engines.language.checks.findings import Code, Finding, Severity
from modelwright.engines.language.readers import Candidate

MISREAD = frozenset({
    Code.NEGATION_DROPPED, Code.NEGATION_ADDED, Code.SUPERLATIVE_TURNED, Code.COMPARISON_TURNED,
    Code.COMPARISON_DROPPED, Code.WRONG_KEY, Code.SELF_KEY_MISSED, Code.PERIOD_DROPPED,
    Code.OTHER_DATE, Code.PERIOD_OUTSIDE, Code.RESTRICTION_DROPPED, Code.OTHER_UNIT,
    Code.NOT_ADDITIVE,
})  # fmt: skip
"""Faults of readings that tell something else than what was asked: these are not even offered."""
LEFT_ALONE = frozenset({Code.AGGREGATE_ADDED})
"""What makes a reading too doubtful to be answered where one built-in reader alone read it so."""
LEFT_OUT = frozenset({Code.NUMBER_LEFT_OUT, Code.THING_LEFT_OUT, Code.WORD_LEFT_OUT})
"""What makes it too doubtful where no language model read it so: both built-in readers may leave
out the same word."""
SETTLED_BY_CHOICE = RIVALLED | {Code.AMBIGUOUS_VALUE}
"""Doubts about what is meant, which nobody has who chose one of the readings."""


@dataclass(frozen=True, slots=True)
class Reading:
    """Candidates that give the same result, judged together."""

    candidates: tuple[Candidate, ...]
    """The best first."""
    findings: tuple[Finding, ...]
    """What the checks found of the best."""
    result: Result
    clues: dict[str, float]
    probability: float

    @property
    def best(self) -> Candidate:
        """The candidate that is shown."""
        return self.candidates[0]

    @property
    def read_by(self) -> tuple[str, ...]:
        """The readers that read it so."""
        return tuple(dict.fromkeys(one.reader for one in self.candidates))

    @property
    def is_faulty(self) -> bool:
        """Whether a check rules it out."""
        return any(one.severity is Severity.FAULT for one in self.findings)

    @property
    def doubts(self) -> int:
        """How many doubts the checks have of it."""
        return sum(one.severity is Severity.DOUBT for one in self.findings)

    @property
    def is_misread(self) -> bool:
        """Whether it is known to tell something else than what was asked, such as its opposite."""
        return any(one.severity is Severity.FAULT and one.code in MISREAD for one in self.findings)

    @property
    def is_lone_guess(self) -> bool:
        """Whether one built-in reader alone read it so, and is not to be trusted alone.

        It left a thing out or made a sum up, or the question has many parts: of 74 questions that
        no rule was made with, which the rules alone read, 46 of 55 were read rightly, and of those
        with clauses 10 of 19.
        """
        found = {one.code for one in self.findings}
        is_lone = len(self.read_by) == 1 and self.read_by[0] in BUILT_IN
        is_built_in = set(self.read_by) <= BUILT_IN
        is_manifold = bool(self.clues.get(MANY_PARTS) and self.clues.get(ALONE))
        is_doubtful = is_manifold or bool(found & LEFT_ALONE)
        return (is_lone and is_doubtful) or (is_built_in and bool(found & LEFT_OUT))

    @property
    def is_answerable(self) -> bool:
        """Whether somebody read it so, and nothing speaks against it."""
        is_read = not set(self.read_by) <= NOBODY
        return is_read and not self.is_faulty and not self.is_lone_guess

    @property
    def warnings(self) -> tuple[str, ...]:
        """What must be told with it: what is to be known, and what was left in doubt."""
        return self._told(one for one in self.findings if one.severity is not Severity.FAULT)

    @property
    def warnings_once_chosen(self) -> tuple[str, ...]:
        """The same where somebody chose this reading: what else may be meant is settled then."""
        return self._told(
            one
            for one in self.findings
            if one.severity is Severity.NOTE
            or (one.severity is Severity.DOUBT and one.code not in SETTLED_BY_CHOICE)
        )

    def _told(self, findings: Iterable[Finding]) -> tuple[str, ...]:
        return tuple(dict.fromkeys([*self.best.warnings, *(one.message for one in findings)]))
