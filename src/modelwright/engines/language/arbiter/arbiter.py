"""Decides between readings by their results: an answer, choices, or a refusal.

Judging runs and checks what was read; which readings are offered is told by offering.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from modelwright.engines.language.arbiter.calibration import (
    BUILT_IN,
    CONVERSATION,
    NOBODY,
    Weights,
    clues_of,
    probability,
    weights,
)
from modelwright.engines.language.arbiter.judging import Judged, Judging, Run
from modelwright.engines.language.arbiter.offering import (
    MAX_CHOICES,
    asked_back,
    offered,
    outside_the_data,
    why_asked,
)
from modelwright.engines.language.arbiter.reading import Reading
from modelwright.engines.language.arbiter.results import Result, same_result
from modelwright.engines.language.checks.findings import Severity
from modelwright.engines.language.readers import Candidate, Cannot, Failed, Outcome, ReadRequest
from modelwright.engines.language.wording import quoting_little

RIGHT_OF_ANSWERED = 0.95
"""The share of answers that are right where language models read as well, unless the operator says
otherwise: readers of two kinds that agree are that often right."""
RIGHT_WITHOUT_MODELS = 0.9
"""The same where the built-in readers read alone: 95 % would leave most questions unanswered."""
RIGHTLY_COMPILED = 0.96
"""The share of follow-ups that are made into the whole question that was meant, of 146 that nothing
was made with: what is read of one must be right more often, so that the answer is as often right as
any other."""


@dataclass(frozen=True, slots=True)
class Answer:
    """One reading is likely enough."""

    reading: Reading
    warnings: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Choices:
    """No reading is likely enough, but one of these may be meant; the likeliest first."""

    readings: tuple[Reading, ...]
    why: str


@dataclass(frozen=True, slots=True)
class Refused:
    """Nothing that could be meant was found."""

    why: str
    suggestions: tuple[str, ...] = ()


Decision = Answer | Choices | Refused


class Arbiter:
    """Judges readings alike every time: it draws no lots and reads no clock."""

    def __init__(
        self, right_of_answered: float | None = None, fitted: Weights | None = None
    ) -> None:
        """Makes an arbiter.

        Args:
            right_of_answered: The share of answers that must be right; None takes what is usual
                with and without language models.
            fitted: Weights; None takes those that ship.
        """
        self._weights = fitted or weights()
        self._right_of_answered = right_of_answered

    def least(self, request: ReadRequest, outcomes: Sequence[Outcome]) -> float:
        """Returns how likely a reading must be to be answered, by who has read what."""
        has_models = any(one.reader not in BUILT_IN | {CONVERSATION} for one in outcomes)
        usual = RIGHT_OF_ANSWERED if has_models else RIGHT_WITHOUT_MODELS
        wanted = usual if self._right_of_answered is None else self._right_of_answered
        if request.conversation:
            wanted = min(1.0, wanted / RIGHTLY_COMPILED)
        several = len(request.catalog.tables) > 1
        return self._weights.threshold(wanted, has_models=has_models, several=several)

    def decide(
        self,
        request: ReadRequest,
        outcomes: Sequence[Outcome],
        run: Run,
        turned_down: Sequence[str] | None = None,
    ) -> Decision:
        """Decides what a question is answered with.

        What is not sure when the first model has read is no surer by being asked again: of what
        a second model and samples then made likely enough, half was right
        (docs/development/asking.md). It is only offered.

        Args:
            request: The question, with catalog and links.
            outcomes: What the readers made of it, in the order of the readers.
            run: Runs one SELECT in the sandbox.
            turned_down: What it would be of choices that were offered before it and not taken;
                only what goes on from the one that was is answered as well. None where there
                were no choices, or none was taken.

        Returns:
            An answer, choices or a refusal.
        """
        left = [run(one) for one in turned_down or ()]
        readings = _but(self.judge(request, outcomes, run), left)
        denied = _denial(outcomes)
        if denied is not None:
            readings = [one for one in readings if set(one.read_by) - BUILT_IN - {CONVERSATION}]
            if not readings:
                return Refused(quoting_little(denied.reason), denied.suggestions)
        least = self.least(request, outcomes)
        contested = asked_back(readings, least)
        is_open = bool(denied or contested) or _is_asked_again(outcomes)
        is_kept = turned_down is not None and _is_only_kept(readings)
        best = readings[0] if readings and not is_open else None
        if best and best.is_answerable and (best.probability >= least or is_kept):
            return Answer(best, (*best.warnings, *_failures(outcomes)))
        choices = offered(readings, contested)
        if choices:
            why = quoting_little(why_asked(choices, readings, request.question))
            return Choices(tuple(choices), " ".join([why, *_failures(outcomes)]))
        refused = _refusal(outcomes, readings)
        return replace(refused, why=quoting_little(refused.why))

    def judge(self, request: ReadRequest, outcomes: Sequence[Outcome], run: Run) -> list[Reading]:
        """Runs and checks all candidates and groups those with equal results.

        Args:
            request: The question, with catalog and links.
            outcomes: What the readers made of it.
            run: Runs one SELECT in the sandbox.

        Returns:
            The readings, the likeliest first.
        """
        groups = Judging(request, run).groups(outcomes)
        readings = [self._reading(group, outcomes, request) for group in groups]
        return sorted(readings, key=lambda one: (one.is_faulty, -one.probability))

    def _reading(
        self, group: Sequence[Judged], outcomes: Sequence[Outcome], request: ReadRequest
    ) -> Reading:
        """Puts candidates of one result together; the soundest of them is what runs."""
        read = [one for one in group if one.candidate.reader not in NOBODY]
        if any(not one.faults for one in read):
            group = read
        group = sorted(
            group,
            key=lambda one: (one.faults, one.doubts, not one.candidate.chart, one.narrowness),
        )
        best, findings = group[0].candidate, group[0].findings
        candidates = tuple(one.candidate for one in group)
        tables = len(request.catalog.tables)
        clues = clues_of(request.question, candidates, findings, outcomes, tables=tables)
        return Reading(
            (replace(best, interpretation=_interpretation(candidates)), *candidates[1:]),
            tuple(findings),
            group[0].result,
            clues,
            round(probability(clues, self._weights), 4),
        )


def _but(readings: list[Reading], turned_down: Sequence[Result]) -> list[Reading]:
    """Leaves out what goes on from a choice that was not taken."""
    return [
        one
        for one in readings
        if CONVERSATION in one.read_by
        or not any(same_result(one.result, result) for result in turned_down)
    ]


def _is_asked_again(outcomes: Sequence[Outcome]) -> bool:
    """Returns whether a second model or samples of one tell of it: nothing was sure before.

    Args:
        outcomes: What the readers made of a question.
    """
    told = [one for one in outcomes if not isinstance(one, Failed)]
    models = {one.reader for one in told} - BUILT_IN - {CONVERSATION}
    return len(models) > 1 or any(one.samples for one in told)


def _is_only_kept(readings: Sequence[Reading]) -> bool:
    """Whether what goes on from the choice that was taken is the only sound reading that is left.

    What is in doubt of it was so before, and was taken.
    """
    sound = [one for one in readings if not one.is_faulty]
    return len(sound) == 1 and CONVERSATION in sound[0].read_by


def _interpretation(candidates: Sequence[Candidate]) -> str:
    """Takes the sentence of the first that has one; they all give the same."""
    return next((one.interpretation for one in candidates if one.interpretation), "")


def _denial(outcomes: Sequence[Outcome]) -> Cannot | None:
    """Returns what says that the data cannot tell it, if a reader does."""
    return next((o for o in outcomes if isinstance(o, Cannot) and not o.not_understood), None)


def _failures(outcomes: Sequence[Outcome]) -> tuple[str, ...]:
    return tuple(
        f"{one.reader}: {one.reason}"
        for one in outcomes
        if isinstance(one, Failed) and not one.samples
    )


def _refusal(outcomes: Sequence[Outcome], readings: Sequence[Reading]) -> Refused:
    denied = [one for one in outcomes if isinstance(one, Cannot)]
    outside = outside_the_data(readings)
    if outside and all(one.not_understood for one in denied):
        return Refused(outside)
    if denied:
        return Refused(denied[0].reason, denied[0].suggestions)
    if readings:
        told = [one.message for one in readings[0].findings if one.severity is not Severity.NOTE]
        return Refused(" ".join(["It was not understood.", *told[:MAX_CHOICES]]))
    failed = [one.reason for one in outcomes if isinstance(one, Failed)]
    return Refused(" ".join(failed) or "It was read as SQL that cannot be run.")


def wants_samples(model: str, outcomes: Sequence[Outcome], decision: Decision) -> bool:
    """Returns whether samples of a model may tell more: it read, it drew none, none is sure.

    Args:
        model: The model's name.
        outcomes: What the readers made of the question so far.
        decision: What it would be answered with.
    """
    told = [one for one in outcomes if one.reader == model]
    is_drawn = any(one.samples for one in told)
    has_read = any(isinstance(one, Candidate) for one in told)
    return has_read and not is_drawn and not isinstance(decision, Answer)
