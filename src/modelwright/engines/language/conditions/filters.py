"""Which rows a question is about: dates, values, numbers, yes and no, and their negations."""

from dataclasses import replace

from modelwright.engines.facts import Value
from modelwright.engines.language.columns.index import Column, ref
from modelwright.engines.language.conditions.beside import read_beside
from modelwright.engines.language.conditions.lacking import (
    read_done,
    read_pending,
    read_undone_kinds,
    read_with,
    read_without,
)
from modelwright.engines.language.conditions.matching import read_matches
from modelwright.engines.language.conditions.near import read_near_values
from modelwright.engines.language.conditions.ordinals import read_levels
from modelwright.engines.language.conditions.partly import besides, read_partly, says_kind
from modelwright.engines.language.conditions.sieving import continued, uncounted, unlikely
from modelwright.engines.language.conditions.twins import forms, twins
from modelwright.engines.language.groups.contrasting import compared_values, read_contrasts
from modelwright.engines.language.groups.group_tests import read_averages, read_group_tests
from modelwright.engines.language.lookups.clues import Wanted, possible_conditions
from modelwright.engines.language.lookups.lookup import choose_conditions
from modelwright.engines.language.mentions.aliases import read_aliases
from modelwright.engines.language.mentions.denying import denial_of, denies, negated, unlike
from modelwright.engines.language.mentions.drafting import Draft, add_test, outdone, says_which
from modelwright.engines.language.mentions.mentions import Mention
from modelwright.engines.language.mentions.places import read_places
from modelwright.engines.language.plans.plan import Condition, Op
from modelwright.engines.language.ranks.outdoing import read_outdone, settle_outdone
from modelwright.engines.language.text.numbers import Compared, compared_numbers
from modelwright.engines.language.text.patterns import pattern, word_set
from modelwright.engines.language.text.words import stem
from modelwright.engines.language.times.lateness import read_lateness
from modelwright.engines.language.times.timing import join_periods, read_times

_NOT = word_set("filters not")
_WHOLE = 0.9
_JOINING = frozenset({"or", "nor", "by", "in", "from", "with", "a", "the"})
_NONE = frozenset({"no", "numb", "not", "non"})
_MISSING = pattern("filters missing")
_GROUPING = word_set("grouping words")
_PERIODS = frozenset({"hour", "day", "week", "month", "quarter", "year"})


def read_filters(draft: Draft, numbers_taken: list[tuple[int, int]]) -> None:
    """Adds every condition the question names and claims its words."""
    read_times(draft)
    read_averages(draft)
    outdone = read_outdone(draft)
    read_beside(draft)
    read_lateness(draft)
    read_matches(draft)
    read_levels(draft)
    read_with(draft)
    _read_missing(draft)
    read_group_tests(draft, numbers_taken)
    read_done(draft)
    read_aliases(draft)
    read_places(draft)
    _read_values(draft, numbers_taken)
    read_pending(draft)
    read_undone_kinds(draft)
    read_near_values(draft)
    _read_yes_no(draft)
    read_partly(draft)
    settle_outdone(draft, outdone)
    _merge(draft)
    join_periods(draft)
    _alternatives(draft)
    read_contrasts(draft)
    compared_values(draft)


def _read_missing(draft: Draft) -> None:
    match = _MISSING.search(draft.lower)
    if not match:
        read_without(draft)
        return
    at = draft.at(match.start())
    near = draft.pick(at, at + 5, lambda c: bool(c.facts.missing)) or draft.pick(max(0, at - 4), at)
    if near is None or not near.column.facts.missing:
        return
    draft.claim(near.start, near.end, "condition")
    add_test(draft, near.column, Condition(ref(near.column), "missing"), at, at + 1)


def _read_values(draft: Draft, numbers_taken: list[tuple[int, int]]) -> None:
    numbers = [
        one
        for one in compared_numbers(draft.question.text)
        if not any(low <= one.number_start < high for low, high in numbers_taken)
        and not _claimed(draft, one)
    ]
    possible = [
        one
        for one in possible_conditions(draft.question, numbers, draft.index.columns)
        if not any(draft.claimed[one.start : one.end])
        and not (_named_group(draft, one) or _of_another(draft, one) or _of_time(draft, one))
    ]
    years = {one.start for one in possible if _in_year(draft, one)}
    possible = [one for one in possible if one.start not in years or _in_year(draft, one)]
    possible = uncounted(draft, possible)
    if draft.home:
        possible = [one for one in possible if not unlikely(draft, one, possible)]
    chosen = choose_conditions(draft.question, possible, draft.home)
    told = [one for one in possible if one.op == "=" and _in_year(draft, one)]
    chosen += [one for one in told if len(told) == 1 and one not in chosen]
    for one in [*chosen, *continued(draft, chosen, possible)]:
        _apply(draft, one)


def _in_year(draft: Draft, one: Wanted) -> bool:
    """`By quantity in 2016` is of the year, whatever number stands before it."""
    return one.column.shape == "year" and draft.text(one.start - 1, one.start) in {"in", "since"}


def _claimed(draft: Draft, one: Compared) -> bool:
    start, end = draft.at(one.number_start), draft.at(one.end)
    return any(draft.claimed[start : max(start + 1, end)])


def _named_group(draft: Draft, one: Wanted) -> bool:
    """A value that is also the name of what follows `by` is that name."""
    return (
        bool(one.features.get("is a name", 0.0) > 0.9)  # noqa: PLR2004
        and draft.text(one.start - 1, one.start) in _GROUPING
    )


def _of_time(draft: Draft, one: Wanted) -> bool:
    """`By hour of day` is no tariff called Day."""
    before = draft.text(one.start - 1, one.start)
    return draft.text(one.start, one.end) in _PERIODS and before in {*_GROUPING, "of"}


def _of_another(draft: Draft, one: Wanted) -> bool:
    """`No internet service` denies InternetService, whatever other column holds these words."""
    return denies(str(one.value)) and any(
        m.end <= one.end and m.named > _WHOLE and _no(m.column) is not None
        for m in draft.question.mentions.starting(one.start, one.end)
        if m.column is not one.column
    )


def _no(column: Column) -> Value | None:
    """The value that says no, where there is one."""
    if column.yes is not None:
        return column.no
    kinds = (value for value, _ in column.facts.top if stem(str(value).lower()) == "no")
    return None if column.number else next(kinds, None)


def _apply(draft: Draft, one: Wanted) -> None:
    start = _with_name(draft, one)
    op: Op = one.op
    denied = negated(draft, start) or negated(draft, one.start)
    if op == "=" and denied != _turned(draft, one):
        op = "!="
    made, begun = Condition(ref(one.column), op, one.value, one.upper), one.start
    if op == "=" and (more := besides(draft, one, start)):
        made, begun = replace(made, op="in", value=(*more, one.value)), start
    elif more := forms(draft, one):
        made = replace(made, op="in" if op == "=" else "not in", value=(one.value, *more))
    draft.claim(start, one.end, "condition")
    add_test(draft, one.column, made, begun, one.end)
    if made.op == "=":
        draft.where[-1] += tuple(replace(made, ref=ref(twin)) for twin in twins(draft, one))


def _turned(draft: Draft, one: Wanted) -> bool:
    """Whether a value denies what the words say: `a checking account`, `no checking account`."""
    said = draft.text(one.start, one.end)
    return "text" in one.features and denies(str(one.value)) and not denies(said)


def _with_name(draft: Draft, one: Wanted) -> int:
    """Claims the column's name beside its value, and gives where the condition begins."""
    start = one.start
    near = [
        m
        for m in draft.question.mentions.of(one.column.at)
        if draft.free(m) and not (_grouped(draft, m) or says_kind(draft, m) or outdone(draft, m))
    ]
    before = [m for m in near if 0 <= one.start - m.end <= 3]  # noqa: PLR2004 - "is", "of", "with a"
    after = [m for m in near if 0 <= m.start - one.end <= 1]
    said = max((m.quality for m in before), default=0.0)
    if before and all(m.quality <= said for m in after):
        best = max(before, key=lambda m: m.quality)
        draft.claim(best.start, best.end, "condition")
        start = best.start
    elif after:
        best = max(after, key=lambda m: m.quality)
        draft.claim(best.start, best.end, "condition")
    return start


def _grouped(draft: Draft, mention: Mention) -> bool:
    if says_which(draft, mention):
        return False
    return bool(set(draft.text(mention.start - 2, mention.start).split()) & _GROUPING)


def _read_yes_no(draft: Draft) -> None:
    for mention in sorted(draft.question.mentions, key=lambda m: -draft.worth(m)):
        column = mention.column
        if mention.named < 0.7 or not draft.free(mention) or _grouped(draft, mention):  # noqa: PLR2004
            continue
        twice = column in draft.filtered and not _opposed(draft, column, mention)
        if twice or _followed_by_rate(draft, mention):
            continue
        denied = _no(column)
        no = denied is not None and _negative(draft, mention)
        if column.yes is None and not no:
            continue
        value = denied if no else column.yes
        draft.claim(mention.start, mention.end, "condition")
        test = Condition(ref(column), "=", value)
        add_test(draft, column, test, mention.start, mention.end)


def _opposed(draft: Draft, column: Column, mention: Mention) -> bool:
    """`churned and retained`: the same column both ways."""
    held = {one.value for (one, *_) in draft.where if one.ref == ref(column)}
    value = column.no if _negative(draft, mention) else column.yes
    return bool(held) and value not in held


def _negative(draft: Draft, mention: Mention) -> bool:
    """`Died` of a column Survived, `survived` of a column Death, and what is denied."""
    said = {draft.question.terms[at].stem for at in range(mention.start, mention.end)}
    inside = {draft.text(at, at + 1) for at in range(mention.start, mention.end)}
    denial = denial_of(mention.column)
    denied = negated(draft, mention.start) or ("not" in inside and not denial)
    named = denial and not said & _NONE
    return not denied if named else unlike(draft, mention) or denied


def _followed_by_rate(draft: Draft, mention: Mention) -> bool:
    return draft.text(mention.end, mention.end + 1) in {"rate", "rates", "ratio", "status"}


def _alternatives(draft: Draft) -> None:
    """`8 cylinders or made before 1980`: one test of two is enough; `without A or B` lacks both."""
    at = 0
    while at + 1 < len(draft.where):
        low, high = draft.spans[at][1], draft.spans[at + 1][0]
        both = _denies(draft.where[at]) and _denies(draft.where[at + 1])
        words = set(draft.text(low, high).split())
        if _denied_too(draft.where[at], draft.where[at + 1]) and words <= _JOINING:
            two = draft.where[at + 1][0]
            draft.where[at + 1] = (replace(two, op="!=" if two.op == "=" else "not in"),)
            at += 1
        elif {"or", "either"} & words and not (both and not _NOT & words):
            draft.where[at] += draft.where.pop(at + 1)
            draft.spans[at] = (draft.spans[at][0], draft.spans.pop(at + 1)[1])
        else:
            at += 1


def _denied_too(one: tuple[Condition, ...], other: tuple[Condition, ...]) -> bool:
    """`Not paid by card or app` is by neither."""
    alone = len(one) == len(other) == 1 and one[0].ref == other[0].ref
    return alone and one[0].op == "!=" and other[0].op in {"=", "in"}


def _denies(options: tuple[Condition, ...]) -> bool:
    return options[-1].value is False or options[-1].op in {"!=", "missing"}


def _merge(draft: Draft) -> None:
    """Two values of one column are alternatives: A or B, A and B."""
    kept: list[tuple[Condition, ...]] = []
    spans: list[tuple[int, int]] = []
    told = sorted(zip(draft.spans, draft.where, strict=True), key=lambda pair: pair[0])
    for span, options in told:
        twin = next((at for at, other in enumerate(kept) if _twins(other[0], options[0])), None)
        if twin is None or options[0].op == "!=" or len(options) > 1:
            kept.append(options)
            spans.append(span)
        else:
            before = kept[twin][0]
            values = (*_each(before), *_each(options[0]))
            kept[twin] = (replace(before, op="in", value=values),)
            spans[twin] = (spans[twin][0], max(spans[twin][1], span[1]))
    draft.where, draft.spans = kept, spans


def _each(one: Condition) -> tuple[Value, ...]:
    if isinstance(one.value, tuple):
        return one.value
    return () if one.value is None else (one.value,)


def _twins(one: Condition, other: Condition) -> bool:
    """Whether two tests of the same column with the same sign stand side by side."""
    same = one.ref == other.ref and one.part == other.part and not (one.plan or other.plan)
    alike = one.op == other.op or {one.op, other.op} == {"=", "in"}
    return same and alike and other.op in {"=", "!=", "in"}
