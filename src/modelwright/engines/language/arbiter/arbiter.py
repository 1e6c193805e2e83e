"""Decides between readings by their results: an answer, choices, or a refusal."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial

from modelwright.engines.language.arbiter.averaged_things import of_whole_things
from modelwright.engines.language.arbiter.calibration import (
    BUILT_IN,
    CONVERSATION,
    GRAMMAR,
    JOINED,
    NOBODY,
    REREAD,
    RULES,
    Weights,
    clues_of,
    probability,
    weights,
)
from modelwright.engines.language.arbiter.looking_up import looked_up
from modelwright.engines.language.arbiter.rereading import MEANT_EITHER_WAY, in_years, reread
from modelwright.engines.language.arbiter.results import Result, same_result
from modelwright.engines.language.arbiter.settling import Settled
from modelwright.engines.language.arbiter.showing import Showing, with_figure
from modelwright.engines.language.arbiter.swapping import (
    RIVALLED,
    SWAPPABLE,
    WAYS_TO_DENY,
    added_up,
    all_by_number,
    by_key,
    denied_otherwise,
    listed_once,
    of_groups,
    swapped,
    turned,
)
from modelwright.engines.language.arbiter.whole_rows import with_its_row
from modelwright.engines.language.catalog import Catalog
from modelwright.engines.language.checks.checking import check, tested_columns
from modelwright.engines.language.checks.findings import Code, Finding, Severity
from modelwright.engines.language.checks.joins import is_unique
from modelwright.engines.language.checks.outcome import check_outcome
from modelwright.engines.language.checks.ranking import asks_for_several
from modelwright.engines.language.checks.words import QuestionWords
from modelwright.engines.language.grain import at_own_grain
from modelwright.engines.language.key_names import with_keys, with_names
from modelwright.engines.language.readers import Candidate, Cannot, Failed, Outcome, ReadRequest
from modelwright.engines.language.whole_names import told_whole, with_whole_names
from modelwright.engines.language.wording import quoting_little

MAX_CANDIDATES = 12
"""So many different statements of one question are run."""
MAX_CHOICES = 3
"""Readings that are offered where none is sure enough; more nobody compares."""
LEAST_CHOICE = 0.03
"""Readings less likely than this are not offered."""
MISREAD = frozenset({
    Code.NEGATION_DROPPED, Code.NEGATION_ADDED, Code.SUPERLATIVE_TURNED, Code.COMPARISON_TURNED,
    Code.COMPARISON_DROPPED, Code.WRONG_KEY, Code.SELF_KEY_MISSED, Code.PERIOD_DROPPED,
    Code.OTHER_DATE, Code.PERIOD_OUTSIDE, Code.RESTRICTION_DROPPED, Code.OTHER_UNIT,
    Code.NOT_ADDITIVE,
})  # fmt: skip
"""Faults of readings that tell something else than what was asked: these are not even offered."""
LEFT_ALONE = frozenset({Code.AGGREGATE_ADDED})
"""What makes a reading too doubtful to be answered where one built-in reader alone read it so."""
LEFT_OUT = frozenset({Code.THING_LEFT_OUT, Code.WORD_LEFT_OUT})
"""What makes it too doubtful where no language model read it so: both built-in readers may leave
out the same word."""
SETTLED_BY_CHOICE = RIVALLED | {Code.AMBIGUOUS_VALUE}
"""Doubts about what is meant, which nobody has who chose one of the readings."""
RIGHT_OF_ANSWERED = 0.95
"""The share of answers that are right where language models read as well, unless the operator says
otherwise: readers of two kinds that agree are that often right."""
RIGHT_WITHOUT_MODELS = 0.9
"""The same where the built-in readers read alone: 95 % would leave most questions unanswered."""
RIGHTLY_COMPILED = 0.96
"""The share of follow-ups that are made into the whole question that was meant, of 146 that nothing
was made with: what is read of one must be right more often, so that the answer is as often right as
any other."""

_ONLY_FIRST = re.compile(r", the first only")
Run = Callable[[str], Result]


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
    def is_misread(self) -> bool:
        """Whether it is known to tell something else than what was asked, such as its opposite."""
        return any(one.severity is Severity.FAULT and one.code in MISREAD for one in self.findings)

    @property
    def is_lone_guess(self) -> bool:
        """Whether one built-in reader alone read it so, and left a thing out or made a sum up."""
        found = {one.code for one in self.findings}
        is_lone = len(self.read_by) == 1 and self.read_by[0] in BUILT_IN
        is_built_in = set(self.read_by) <= BUILT_IN
        return (is_lone and bool(found & LEFT_ALONE)) or (is_built_in and bool(found & LEFT_OUT))

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
        failures = _failures(outcomes)
        denied = _denial(outcomes)
        if denied is not None:
            readings = [one for one in readings if set(one.read_by) - BUILT_IN - {CONVERSATION}]
            if not readings:
                return Refused(quoting_little(denied.reason), denied.suggestions)
        best = readings[0] if readings else None
        least = self.least(request, outcomes)
        contested = _contested(readings) or _rivalling(readings) or _denying(readings)
        contested = contested or _meant_either_way(readings) or _as_sure(readings, least)
        contested = contested or _read_otherwise(readings)
        is_open = bool(denied or contested) or _is_asked_again(outcomes)
        is_sure = best is not None and best.probability >= least
        is_sure = is_sure or (turned_down is not None and _is_only_kept(readings))
        if best and best.is_answerable and is_sure and not is_open:
            return Answer(best, (*best.warnings, *failures))
        offered = _offered(readings, contested)
        if offered:
            why = quoting_little(_why_asked(offered, readings, request.question))
            return Choices(tuple(offered), " ".join([why, *failures]))
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
        settled = Settled(request)
        said = QuestionWords(request)
        found = cache(partial(check, request=request, said=said))
        judged: list[tuple[Candidate, Candidate, list[Finding]]] = []
        told: dict[str, Result] = {}
        results: dict[str, Result] = {}
        showing = Showing(request, run)
        candidates = [
            showing.whole(settled.as_before(_told_once(_counted_once(one, found, request), found)))
            for one in (
                _at_own_grain(_with_names(_as_asked(each, request), request), request)
                for each in outcomes
                if isinstance(each, Candidate)
            )
        ]
        given = {one.sql for one in candidates}
        swaps = [
            showing.whole(one)
            for each in candidates
            for one in _other_readings(
                each, showing.settled(each.sql, settled.open(found(each.sql))), said
            )
        ]
        for one in [*candidates, *(one for one in swaps if one.sql not in given)]:
            shown = with_figure(one)
            if shown.sql not in results and len(results) < MAX_CANDIDATES:
                results[shown.sql] = run(shown.sql)
            result = results.get(shown.sql)
            if result is not None and result.ran:
                outcome = _of_result(one, said, result)
                findings = showing.settled(one.sql, settled.open([*found(one.sql), *outcome]))
                told[one.sql] = result
                judged.append((one, shown, findings))
        still = partial(_open_still, results=told, catalog=request.catalog)
        groups = _grouped([(shown, still(one, what), told[one.sql]) for one, shown, what in judged])
        readings = [self._reading(group, outcomes, request) for group in groups]
        return sorted(readings, key=lambda one: (one.is_faulty, -one.probability))

    def _reading(
        self,
        group: list[tuple[Candidate, list[Finding], Result]],
        outcomes: Sequence[Outcome],
        request: ReadRequest,
    ) -> Reading:
        """Puts candidates of one result together; the soundest of them is what runs."""
        read = [one for one in group if one[0].reader not in NOBODY]
        if any(not _faults(findings) for _, findings, _ in read):
            group = read
        group = sorted(
            group,
            key=lambda one: (_faults(one[1]), _doubts(one[1]), not one[0].chart, _narrowness(one)),
        )
        best, findings, result = group[0]
        candidates = tuple(one for one, _, _ in group)
        clues = clues_of(candidates, findings, outcomes, tables=len(request.catalog.tables))
        return Reading(
            (replace(best, interpretation=_interpretation(candidates)), *candidates[1:]),
            tuple(findings),
            result,
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


def _is_only_kept(readings: Sequence[Reading]) -> bool:
    """Whether what goes on from the choice that was taken is the only sound reading that is left.

    What is in doubt of it was so before, and was taken.
    """
    sound = [one for one in readings if not one.is_faulty]
    return len(sound) == 1 and CONVERSATION in sound[0].read_by


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


def _is_asked_again(outcomes: Sequence[Outcome]) -> bool:
    """Returns whether a second model or samples of one tell of it: nothing was sure before.

    Args:
        outcomes: What the readers made of a question.
    """
    told = [one for one in outcomes if not isinstance(one, Failed)]
    models = {one.reader for one in told} - BUILT_IN - {CONVERSATION}
    return len(models) > 1 or any(one.samples for one in told)


def _contested(readings: Sequence[Reading]) -> list[Reading]:
    """Returns what a conversation and the built-in readers read otherwise, if these two agree.

    Neither is surer than the other: the question is asked back.
    """
    sound = [one for one in readings if not one.is_faulty]
    kept = [one for one in sound if CONVERSATION in one.read_by]
    anew = [one for one in sound if len(BUILT_IN & set(one.read_by)) > 1 and one not in kept]
    return [*kept, *anew] if kept and anew else []


def _rivalling(readings: Sequence[Reading]) -> list[Reading]:
    """Returns the likeliest reading and those with another column that the words name as well.

    No word tells which is meant, and they give something else: the question is asked back.
    """
    best = readings[0] if readings else None
    if best is None or best.is_faulty:
        return []
    rivals = {name for one in best.findings if one.code in RIVALLED for name in one.words[1:]}
    others = [
        one
        for one in readings[1:]
        if not one.is_faulty and any(_reads(one.best.sql, name) for name in rivals)
    ]
    return [best, *others][:MAX_CHOICES] if others else []


def _denying(readings: Sequence[Reading]) -> list[Reading]:
    """Returns the likeliest reading and what denies the same otherwise: no car, or all but cars."""
    sound = [one for one in readings if not one.is_faulty]
    if not sound or not _denied_in(sound[0]):
        return []
    others = [one for one in sound[1:] if _denied_in(one) == _denied_in(sound[0])]
    return [sound[0], *others][:MAX_CHOICES] if others else []


def _meant_either_way(readings: Sequence[Reading]) -> list[Reading]:
    """Returns a reading and what else may be meant: a mean of rows, the last October."""
    sound = [one for one in readings if not one.is_faulty]
    if not sound or not any(one.code in MEANT_EITHER_WAY for one in sound[0].findings):
        return []
    others = [one for one in sound[1:] if set(one.read_by) == {REREAD}]
    return [sound[0], *others][:MAX_CHOICES] if others else []


def _denied_in(reading: Reading) -> set[tuple[str, ...]]:
    """Returns what a reading denies that can be denied in two ways."""
    found = (one for one in reading.findings if one.code is Code.AMBIGUOUS_VALUE)
    return {one.words for one in found if len(one.words) == WAYS_TO_DENY}


def _as_sure(readings: Sequence[Reading], least: float) -> list[Reading]:
    """Returns the readings that are likely enough, where as many readers read another one so.

    Each alone would be answered: what the readers do not agree on is asked back.
    """
    sound = [
        one
        for one in readings
        if not one.is_faulty and one.probability >= least and not set(one.read_by) <= NOBODY
    ]
    rivals = [
        one
        for one in sound[1:]
        if len(one.read_by) >= len(sound[0].read_by)
        or (len(_by_whom(one)) >= len(_by_whom(sound[0])) and not _doubts(list(one.findings)))
    ]
    return [sound[0], *rivals][:MAX_CHOICES] if rivals else []


def _read_otherwise(readings: Sequence[Reading]) -> list[Reading]:
    """Returns the likeliest reading and what the third built-in reader undoubtedly reads instead.

    Two of them are the same rules: where they agree, what the other one says weighs as much.
    """
    sound = [one for one in readings if not one.is_faulty]
    if not sound or not set(sound[0].read_by) >= {RULES, JOINED}:
        return []
    others = [
        one
        for one in sound[1:]
        if GRAMMAR in _by_whom(one) - _by_whom(sound[0]) and not _doubts(list(one.findings))
    ]
    return [sound[0], *others][:MAX_CHOICES] if others else []


def _by_whom(reading: Reading) -> set[str]:
    """Returns who read it so, those left out who stand for what nobody read."""
    return set(reading.read_by) - NOBODY


def _reads(sql: str, column: str) -> bool:
    return re.search(rf'(?<!\w)"?{re.escape(column)}"?(?!\w)', sql, re.IGNORECASE) is not None


def _offered(readings: Sequence[Reading], contested: Sequence[Reading]) -> list[Reading]:
    """Returns the readings to choose from: likely ones, and those that contest the best."""
    likely = [
        one
        for one in readings
        if (one.probability >= LEAST_CHOICE or one in contested) and not one.is_misread
    ]
    return _first(likely, contested)


def _first(likely: Sequence[Reading], contested: Sequence[Reading]) -> list[Reading]:
    """Returns the choices: the likeliest, and always what is contested."""
    others = [one for one in likely if one not in contested]
    kept = [*contested, *others[: max(0, MAX_CHOICES - len(contested))]]
    return [one for one in likely if one in kept][:MAX_CHOICES]


def _other_readings(
    one: Candidate, findings: Sequence[Finding], said: QuestionWords
) -> list[Candidate]:
    """Returns readings that nobody read, which the findings of a candidate point to."""
    request = said.request
    return [
        *swapped(one, findings),
        *added_up(one, findings),
        *denied_otherwise(one, findings),
        *turned(one, request.question),
        *of_groups(one, findings),
        *looked_up(one, findings, request.catalog),
        *reread(one, findings, request.catalog),
        *in_years(one, findings, said),
    ]


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


def _with_names(one: Candidate, request: ReadRequest) -> Candidate:
    """Writes a candidate so that it tells whole names, not the keys that lead to them."""
    named = with_names(one.sql, request)
    whole = with_whole_names(named, request.catalog, request.links.names)
    is_more = whole != named
    told = told_whole(one.interpretation, request.catalog) if is_more else one.interpretation
    return replace(one, sql=with_keys(whole, request), interpretation=told)


def _at_own_grain(one: Candidate, request: ReadRequest) -> Candidate:
    """Writes a candidate so that each measure is added up over the rows of its own table."""
    made = at_own_grain(
        one.sql, request.catalog, lambda table, column: is_unique(request, (table, column))
    )
    return one if made is None else replace(one, sql=made)


def _counted_once(
    one: Candidate, found: Callable[[str], list[Finding]], request: ReadRequest
) -> Candidate:
    """Writes a candidate so that things a join repeats are counted by their key."""
    repeated = [
        each.words[0] for each in found(one.sql) if each.code is Code.FAN_OUT and each.words
    ]
    table = request.catalog.table(repeated[0]) if repeated else None
    made = by_key(one.sql, table.name, table.key) if table and table.key else None
    return one if made is None else replace(one, sql=made)


def _as_asked(one: Candidate, request: ReadRequest) -> Candidate:
    """Writes the commonest, an extreme and an average so that they are what is asked for."""
    one = of_whole_things(with_its_row(one, request), request)
    made = all_by_number(one.sql) if asks_for_several(request.question) else None
    if made is None:
        return one
    return replace(one, sql=made, interpretation=_ONLY_FIRST.sub("", one.interpretation))


def _told_once(one: Candidate, found: Callable[[str], list[Finding]]) -> Candidate:
    """Writes a list of kinds so that each is told once."""
    repeats = any(each.code is Code.DISTINCT_DROPPED for each in found(one.sql))
    made = listed_once(one.sql) if repeats else None
    return one if made is None else replace(one, sql=made)


def _of_result(one: Candidate, said: QuestionWords, result: Result) -> Iterator[Finding]:
    has_periods = bool(said.request.links.periods)  # else nothing is asked of the columns
    tested = tested_columns(one.sql, said) if has_periods else frozenset()
    is_empty = result.is_empty or (" JOIN " in one.sql and result.is_none)
    return check_outcome(said.request, tested, is_empty=is_empty)


def _grouped(
    judged: list[tuple[Candidate, list[Finding], Result]],
) -> list[list[tuple[Candidate, list[Finding], Result]]]:
    groups: list[list[tuple[Candidate, list[Finding], Result]]] = []
    for one in judged:
        home = next((held for held in groups if all(same_result(x[2], one[2]) for x in held)), None)
        if home is None:
            groups.append([one])
        else:
            home.append(one)
    return groups


def _faults(findings: list[Finding]) -> int:
    return sum(one.severity is Severity.FAULT for one in findings)


def _doubts(findings: list[Finding]) -> int:
    return sum(one.severity is Severity.DOUBT for one in findings)


def _narrowness(one: tuple[Candidate, list[Finding], Result]) -> int:
    """Prefers the reading of listed rows that tells more of them."""
    candidate, _, result = one
    lists = not any(
        made in candidate.sql.upper() for made in ("COUNT(", "SUM(", "AVG(", "GROUP BY")
    )
    return -len(result.columns) if lists else 0


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


def _why_asked(offered: Sequence[Reading], readings: Sequence[Reading], question: str) -> str:
    outside = _outside_the_data(readings)
    if outside and all(set(one.read_by) <= NOBODY for one in offered):
        return outside
    if len(offered) > 1:
        return "The question can be read in several ways."
    told = question.casefold()
    open_ones = [one for one in offered[0].findings if one.severity is not Severity.NOTE]
    words = [word for one in open_ones for word in one.words if word.casefold() in told]
    if words:
        told = ", ".join(f"“{word}”" for word in dict.fromkeys(words))
        return f"It is not sure that {told} was understood."
    whys = " ".join(dict.fromkeys(one.message for one in open_ones[:MAX_CHOICES]))
    return f"It is not sure that the question was understood. {whys}".rstrip()


def _refusal(outcomes: Sequence[Outcome], readings: Sequence[Reading]) -> Refused:
    denied = [one for one in outcomes if isinstance(one, Cannot)]
    outside = _outside_the_data(readings)
    if outside and all(one.not_understood for one in denied):
        return Refused(outside)
    if denied:
        return Refused(denied[0].reason, denied[0].suggestions)
    if readings:
        told = [one.message for one in readings[0].findings if one.severity is not Severity.NOTE]
        return Refused(" ".join(["It was not understood.", *told[:MAX_CHOICES]]))
    failed = [one.reason for one in outcomes if isinstance(one, Failed)]
    return Refused(" ".join(failed) or "It was read as SQL that cannot be run.")


def _outside_the_data(readings: Sequence[Reading]) -> str:
    """Tells where the data begin or end, if nothing else is wrong with a reading."""
    for one in readings:
        faults = [each for each in one.findings if each.severity is Severity.FAULT]
        if faults and all(each.code is Code.PERIOD_OUTSIDE for each in faults):
            return " ".join(each.message for each in faults)
    return ""
