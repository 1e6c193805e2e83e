"""Words of a question that its plan left out: some change the answer, the others are told.

A plan without `oldest` or `running total` answers another question. Words that change an answer
count against the plan; the others are named beside it, for the person who asks to judge.
"""

import re
from collections.abc import Sequence

from modelwright.engines.language.rules.answering.assumptions import (
    guessed_numbers,
    summed_unit_values,
)
from modelwright.engines.language.rules.answering.dropped_filters import dropped_filters
from modelwright.engines.language.rules.conditions.partial_values import values_with
from modelwright.engines.language.rules.measures.extreme_rows import SUPER
from modelwright.engines.language.rules.mentions.draft import Draft, entity
from modelwright.engines.language.rules.mentions.mention import MAY_NAME, SURELY_NAMED
from modelwright.engines.language.rules.mentions.negation import unread_denials
from modelwright.engines.language.rules.mentions.row_nouns import describes
from modelwright.engines.language.rules.plans.plan import Measure, Plan, columns
from modelwright.engines.language.rules.several.dropped_words import dropped_words
from modelwright.engines.language.rules.text.lexicon import lexicon
from modelwright.engines.language.rules.text.numbers import compared_numbers
from modelwright.engines.language.rules.text.patterns import pattern, patterns
from modelwright.engines.language.rules.text.words import words
from modelwright.engines.language.vocabulary import aggregate_pattern

_BEYOND = pattern("unread beyond")
_ALWAYS = pattern("unread always")
_SHAPES = pattern("unread shapes")
_AGGREGATES = patterns("unread aggregates")
_LEADS = pattern("unread leads")
_GROUPS = pattern("unread groups")
_HARMLESS = pattern("unread harmless")
_JUDGING = pattern("unread judging")
_DECIDING = pattern("unread deciding")
_LASTS = re.compile(
    r"^(?:(?:over|in|for) \S+ (?:day|week|month|quarter|year)|(?:in|for) \S+ (?:hour|minute))s?$"
)
_IDLE = frozenset({"", "condition", "everything", "measure", "select", "superlative"})
"""What a superlative is claimed by where it only stands among other words."""
_RIVALS = re.compile(
    r"\W*(?:who|which|what)\b[^,]*\b(?P<way>more|less|fewer)\b(?! than\b)[^,]*,.*\bor\b"
)
"""Two that are set against each other."""
_CLASS = re.compile(r"\dxx")
"""A class of codes, of which nothing says which they are."""
_SHORTEST = 3
"""Words of fewer letters tell nothing."""


def unread_requests(draft: Draft, plan: Plan) -> list[str]:
    """What was asked for and not read, so that any answer would be to another question.

    These are words of computing that no plan holds, superlatives and shares that found nothing to
    apply to, and in a single table what stands where a group or a value is named: `by mood`,
    `purple cases`.
    """
    found = list(draft.unread) + _uncomputed(draft, plan)
    found += (
        unranked(draft, plan)
        + _unmatched(draft, plan)
        + _uncounted(draft)
        + summed_unit_values(draft, plan)
    )
    if draft.lower.startswith("how much ") and not _shows_numbers(draft, plan):
        found.append("how much")
    if draft.several:
        found += dropped_words(draft, plan)
    else:
        used = columns(plan)
        found += guessed_numbers(draft) + unread_denials(draft, plan)
        found += _judged(draft, used) + _people(draft, used) + _newcomers(draft)
        found += dropped_filters(draft, plan, sorted(_unused(draft, used)))
        found += _ungrouped(draft, plan, used)
    return list(dict.fromkeys(found))


def _uncomputed(draft: Draft, plan: Plan) -> list[str]:
    """Words of computing, of shapes and of aggregates that the plan doesn't hold."""
    used, found = _aggregates(plan), []
    computes = any(used) or any(one.share for one in plan.select)
    idle = {"", "measure"} if draft.several and not computes else {""}
    cues = [_BEYOND, _SHAPES, *(cue for kind, cue in _AGGREGATES if kind not in used)]
    for match in (match for cue in cues for match in cue.finditer(draft.lower)):
        at = draft.at(match.start())
        if draft.claimed[at] in idle and not _names_column(draft, at):
            found.append(match.group())
    if "per" not in used and not any(one.ref and one.ref.lapses for one in plan.select):
        found += [one.group() for one in _ALWAYS.finditer(draft.lower) if not _ranks(draft, one)]
    return found


def _unmatched(draft: Draft, plan: Plan) -> list[str]:
    """`Which district has more rent, Old or New` of a plan that only lists the rows of both."""
    match = _RIVALS.match(draft.lower)
    return [match["way"]] if match and not (plan.order or any(_aggregates(plan))) else []


def _ranks(draft: Draft, match: re.Match[str]) -> bool:
    """Whether what is told of two amounts is ranked: `the largest difference between`."""
    ranked = any(isinstance(one.by, Measure) and one.by.other for one in draft.order)
    return ranked and draft.at(match.start()) + 1 == draft.of_two_at


def _ungrouped(draft: Draft, plan: Plan, used: set[tuple[str, str]]) -> list[str]:
    """Words that stand where a group or a value is named, or before the rows."""
    said, unknown = draft.question.words, _meaningless(draft)
    places = [at for at in unknown if _LEADS.search(draft.lower[: said[at].start])]
    places += [
        at
        for at in _unexplained(draft)
        if _GROUPS.search(draft.lower[: said[at].start]) and not _is_used(draft, at, used)
    ]
    places += [at for at in unknown if draft.claimed[at + 1 : at + 2] == ["rows"]]
    before = "measure" if plan.order else None
    return [said[at].raw for at in places if draft.claimed[at + 1 : at + 2] != [before]]


def _shows_numbers(draft: Draft, plan: Plan) -> bool:
    """Whether a plan shows numbers, or what may be some in a small table."""
    shown = [draft.index.column(one.ref) for one in plan.select if one.ref and not one.aggregate]
    texts = [column for column in shown if not (column.number or column.textual)]
    sure = draft.index.large or draft.several
    return bool(plan.select) and not (sure and shown and len(texts) == len(plan.select))


def uncomputable(draft: Draft) -> list[str]:
    """What is asked and no plan computes: a running total, a percentile."""
    places = [(match, draft.at(match.start())) for match in _BEYOND.finditer(draft.lower)]
    values = {at for link in draft.question.values for at in range(link.start, link.end)}
    values |= {at for at, by in enumerate(draft.claimed) if by == "time"}
    found = [match for match, at in places if at not in values and not _names_column(draft, at)]
    return [match.group() for match in [*found, *_ALWAYS.finditer(draft.lower)]]


def deciding_words(draft: Draft, words: Sequence[str]) -> list[str]:
    """Words without which an answer is to another question: oldest, before, `open` orders."""
    said = ((word, word.lower()) for word in words)
    before = ((at, draft.text(at, at + 1)) for at in _before_rows(draft))
    judged = {word for at, word in before if _JUDGING.fullmatch(word) or describes(draft, at)}
    return [
        word
        for word, low in said
        if SUPER.fullmatch(low) or _DECIDING.fullmatch(low) or low in judged
    ]


def forgets_request(draft: Draft, plan: Plan) -> bool:
    """Whether a look-up tests no number that is said, or ranks nothing where it is asked to."""
    tested = " ".join(str(one.value) for (one, *_) in plan.where)
    said = enumerate(draft.question.words)
    numbers = [at for at, word in said if _number(word.text) and _number(word.text) not in tested]
    if any(not _names_column(draft, at) for at in numbers):
        return True
    if _aggregates(plan) & {"min", "max"}:
        return False
    asked = [draft.at(match.start()) for match in SUPER.finditer(draft.lower)]
    asked += [at for at, word in enumerate(draft.question.words) if word.raw in draft.unread]
    return any(not _is_in_name(draft, at) for at in asked if draft.text(at, at + 1) not in tested)


def unasked(draft: Draft, plan: Plan) -> list[str]:
    """Superlatives of a look-up that tests nothing and shows a column that no word names."""
    named = draft.question.mentions.columns
    if plan.where or columns(plan) & named:
        return []
    return [match.group() for match in SUPER.finditer(draft.lower)]


def _number(text: str) -> str:
    """A number's digits as values show them: 43966 of 43,966, 25 of 25%."""
    return text.replace(",", "").rstrip("%") if text[:1].isdigit() else ""


def unranked(draft: Draft, plan: Plan) -> list[str]:
    """Superlatives of a plan that neither ranks rows nor shows the ends of a number."""
    ranked = plan.order and not draft.group
    if ranked or (plan.limit and plan.order) or _aggregates(plan) & {"min", "max"}:
        return []
    found = [(match.group(), draft.at(match.start())) for match in SUPER.finditer(draft.lower)]
    return [
        word
        for word, at in found
        if draft.claimed[at] in _IDLE
        and draft.text(at - 1, at) != "at"
        and not _is_in_name(draft, at)
        if not draft.question.is_value(at)
    ]


def _is_in_name(draft: Draft, at: int) -> bool:
    """Whether a word is in the name of a column, alone or with others: `max temp` of temp_max."""
    word = draft.question.terms[at].stem
    return any(
        m.end > m.start + 1 or word in {term.stem for term in m.column.name.terms}
        for m in draft.question.mentions.over(at)
        if m.quality >= MAY_NAME
    )


def _uncounted(draft: Draft) -> list[str]:
    """Numbers that are compared with nothing: `before 1800` where no column tells years."""
    said = draft.question.words
    found = [(one, draft.at(one.number_start)) for one in compared_numbers(draft.question.text)]
    idle = [(one, at) for one, at in found if draft.claimed[at : at + 1] == [""]]
    return [
        said[at].raw
        for one, at in idle
        if (one.op != "=" and not _LASTS.search(draft.text(at - 1, at + 2)))
        or (one.op == "=" and said[at].text.isdigit() and not _calls_column(draft, at))
    ] + [
        word.raw
        for at, word in enumerate(said)
        if _CLASS.fullmatch(word.text) and not (draft.claimed[at] or _names_column(draft, at))
    ]


def _aggregates(plan: Plan) -> set[str | None]:
    """What the plan computes, in whatever place."""
    shown = [*plan.select, *(one.measure for one in plan.having), *(o.by for o in plan.order)]
    inner = [m for one in plan.where for each in one if each.plan for m in each.plan.select]
    return {one.aggregate for one in [*shown, *inner] if isinstance(one, Measure)}


def unused_words(draft: Draft, plan: Plan, *, looked: bool = False) -> list[str]:
    """The telling words that the plan did not use, those that name a column it lacks included.

    Of a look-up they are those of the tests that it does without.
    """
    said, used = draft.question.words, columns(plan)
    if looked:
        tests = zip(draft.where, draft.spans, strict=False)
        spans = [span for (one, *_), span in tests if (one.ref.table, one.ref.column) not in used]
        lost = (at for span in spans for at in range(*span))
        return [said[at].raw for at in lost if draft.question.terms[at].weight == 1]
    return [said[at].raw for at in sorted(_unused(draft, used) | _before_rows(draft))]


def _unused(draft: Draft, used: set[tuple[str, str]]) -> set[int]:
    return {at for at in _unexplained(draft) if not _is_used(draft, at, used)}


def _people(draft: Draft, used: set[tuple[str, str]]) -> list[str]:
    """`Men` and `women` where no column tells who is which, or the plan lacks the one that does."""
    kinds = frozenset().union(*lexicon().aliases)
    return [
        word.raw
        for at, word in enumerate(draft.question.words)
        if word.text in kinds and len(word.text) >= _SHORTEST
        if not draft.claimed[at]
        and used.isdisjoint(
            (m.column.table, m.column.facts.name) for m in draft.question.mentions.over(at)
        )
    ]


def _judged(draft: Draft, used: set[tuple[str, str]]) -> list[str]:
    """What is called high or low and names a column that the plan lacks: `high earners`."""
    said = [word.text for word in draft.question.words]
    return [
        f"{said[at - 1]} {said[at]}"
        for at in draft.open_words()
        if at and _JUDGING.fullmatch(said[at - 1]) and not _is_used(draft, at, used)
        if draft.question.mentions.quality_at(at) > SURELY_NAMED
    ]


def _newcomers(draft: Draft) -> list[str]:
    """`New users by month` where users stand in many rows: no plan tells who came first when."""
    places = [
        at for at, by in enumerate(draft.claimed) if not by and draft.text(at, at + 1) == "new"
    ]
    return [
        draft.text(at, at + 2)
        for at in places
        if any(m.column.refers and m.named > MAY_NAME for m in draft.question.mentions.over(at + 1))
    ]


def _before_rows(draft: Draft) -> set[int]:
    """Words that say nothing elsewhere, set before the rows: `airport trips`, `long trips`."""
    said = [word.text for word in draft.question.words]
    tables = draft.question.table_words
    found = set()
    for at in set(draft.open_words()) - tables:
        judging = _JUDGING.fullmatch(said[at]) and said[at - 1] != "how"
        judging = judging or describes(draft, at)
        if (judging or entity(draft, at)) and _rows_at(draft, at + 1):
            found.add(at)
    return found


def _rows_at(draft: Draft, at: int) -> bool:
    open_or_rows = draft.claimed[at : at + 1] in ([""], ["rows"])
    return open_or_rows and entity(draft, at)


def _is_used(draft: Draft, at: int, used: set[tuple[str, str]]) -> bool:
    """Whether no column that the plan lacks is named better by a word than those it has."""
    told = list(draft.question.mentions.over(at))
    best = max((m.quality for m in told), default=0.0)
    return any((m.column.table, m.column.facts.name) in used for m in told if m.quality >= best)


def _meaningless(draft: Draft) -> list[int]:
    """Words that nothing explains and that name nothing."""
    return [at for at in _unexplained(draft) if not _names_column(draft, at)]


def nameless_words(draft: Draft) -> list[str]:
    """The words that nothing explains and that name nothing in the tables, as they are written."""
    places = set(_meaningless(draft)) - draft.question.table_words
    said = (draft.question.words[at].raw for at in sorted(places))
    return [one for one in said if not is_computing(one)]


def is_computing(said: str) -> bool:
    """Whether words say what is computed, of whatever it is: `average`, `total`, `the highest`."""
    low = said.lower()
    return bool(aggregate_pattern().fullmatch(low) or SUPER.fullmatch(low))


def _unexplained(draft: Draft) -> list[int]:
    texts = [word.text for word in draft.question.words]
    return [
        at
        for at in draft.open_words()
        if _is_telling(texts[at]) and not _only_rows(draft, at)
        if at == 0 or not texts[at - 1][:1].isdigit()
    ]


def _only_rows(draft: Draft, at: int) -> bool:
    """Whether a word names the rows and no difference of theirs: not `car` of `car (new)`."""
    stem = draft.question.terms[at].stem
    parts = [value for _, values in values_with(draft.index, stem) for value in values]
    return entity(draft, at) and all(words(str(value))[0].stem != stem for value in parts)


def _is_telling(text: str) -> bool:
    return len(text) >= _SHORTEST and text.isalpha() and not _HARMLESS.fullmatch(text)


def _calls_column(draft: Draft, at: int) -> bool:
    """Whether a number calls a column: 2019 or `campaign 3`, not the 3 of a name of more."""
    return any(
        m.quality >= MAY_NAME and (m.end > m.start + 1 or m.named > SURELY_NAMED)
        for m in draft.question.mentions.over(at)
    )


def _names_column(draft: Draft, at: int) -> bool:
    return draft.question.mentions.quality_at(at) >= MAY_NAME
