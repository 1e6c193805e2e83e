"""Which rows a question is about: dates, values, numbers, yes and no, and their negations."""

import re
from collections import Counter
from dataclasses import replace

from modelwright.engines.facts import Value
from modelwright.engines.language.rules.columns.index import Column, ref
from modelwright.engines.language.rules.columns.value_shapes import reaches
from modelwright.engines.language.rules.conditions.ages import read_ages
from modelwright.engines.language.rules.conditions.alternatives import (
    join_alternatives,
    merge_values,
)
from modelwright.engines.language.rules.conditions.ambiguous_values import (
    columns_alike,
    other_forms,
)
from modelwright.engines.language.rules.conditions.column_comparisons import read_beside
from modelwright.engines.language.rules.conditions.counted_deeds import read_counted_deeds
from modelwright.engines.language.rules.conditions.levels import read_levels
from modelwright.engines.language.rules.conditions.list_columns import in_lists
from modelwright.engines.language.rules.conditions.meant_values import is_meant, named_group
from modelwright.engines.language.rules.conditions.missing_values import (
    read_done,
    read_pending,
    read_undone_kinds,
    read_with,
    read_without,
)
from modelwright.engines.language.rules.conditions.near_values import read_near_values
from modelwright.engines.language.rules.conditions.partial_values import (
    read_partly,
    says_kind,
    values_beside,
)
from modelwright.engines.language.rules.conditions.text_matches import read_matches
from modelwright.engines.language.rules.conditions.unlikely_conditions import (
    AGAINST,
    compared_sides,
    further_tests,
    is_unlikely,
    without_anybody,
    without_counted,
    without_rarities,
)
from modelwright.engines.language.rules.groups.group_tests import read_averages, read_group_tests
from modelwright.engines.language.rules.groups.opposed_groups import compared_values, read_contrasts
from modelwright.engines.language.rules.lookups.clues import Wanted, possible_conditions
from modelwright.engines.language.rules.lookups.lookup import choose_conditions
from modelwright.engines.language.rules.mentions.aliases import read_aliases
from modelwright.engines.language.rules.mentions.draft import (
    Draft,
    add_test,
    names_other_better,
    says_which,
)
from modelwright.engines.language.rules.mentions.mention import WHOLLY_NAMED, Mention
from modelwright.engines.language.rules.mentions.negation import (
    denial_of,
    is_denial,
    is_opposite,
    negated,
    switched_off,
)
from modelwright.engines.language.rules.mentions.places import read_places
from modelwright.engines.language.rules.mentions.rows import amount
from modelwright.engines.language.rules.mentions.units import currency
from modelwright.engines.language.rules.mentions.worth import amount_of_rows, is_worth
from modelwright.engines.language.rules.plans.plan import Condition, Op
from modelwright.engines.language.rules.ranks.any_comparisons import read_outdone, settle_outdone
from modelwright.engines.language.rules.text.numbers import Compared, compared_numbers
from modelwright.engines.language.rules.text.patterns import pattern
from modelwright.engines.language.rules.text.words import stem
from modelwright.engines.language.rules.times.lateness import read_lateness
from modelwright.engines.language.rules.times.time_conditions import join_periods, read_times
from modelwright.engines.language.vocabulary import word_set
from modelwright.engines.language.written_number import as_whole

LARGE = 1000
"""Smaller numbers are reached by what nobody means; a year is no amount."""
FEW = 3
"""More amounts that reach so far are not told apart."""
_FLAG_SAID = 0.7
"""How much of a flag's name must be said at least, 0 to 1."""
_OF_FLAGS = word_set("values.parts_of_flags")
_RATES = word_set("names.rates_of_values")
_HEADS = word_set("small_words.heads")
_BESIDES = word_set("negation.besides")
_NONE = word_set("negation.none_stems")
_MISSING = pattern("filters missing")
_NOT_MISSING = re.compile(
    r"\b(?:not|no|never|without|\w+n['\N{RIGHT SINGLE QUOTATION MARK}]t)(?: ha(?:ve|s|ving))?"
    r"(?: (?:an?|any|the))? $"
)
_GROUPING = word_set("small_words.grouping", "small_words.across_groups")
_MONEY_SIGNS = frozenset("$€£")
_PERIODS = word_set("times.units", "times.hour")


def read_filters(draft: Draft) -> None:
    """Adds every condition the question names and claims its words."""
    read_times(draft)
    read_ages(draft)
    read_averages(draft)
    outdone = read_outdone(draft)
    read_beside(draft)
    read_lateness(draft)
    read_matches(draft)
    read_levels(draft)
    read_with(draft)
    _read_missing(draft)
    read_counted_deeds(draft)
    read_group_tests(draft)
    read_done(draft)
    read_aliases(draft)
    read_places(draft)
    _read_worth(draft)
    _read_values(draft)
    _read_large(draft)
    read_pending(draft)
    read_undone_kinds(draft)
    read_near_values(draft)
    _read_yes_no(draft)
    read_partly(draft)
    settle_outdone(draft, outdone)
    merge_values(draft)
    join_periods(draft)
    join_alternatives(draft)
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
    denied = _NOT_MISSING.search(draft.lower[: match.start()])
    if denied:
        draft.claim(draft.at(denied.start()), at, "negation")
    op: Op = "present" if denied else "missing"
    add_test(draft, near.column, Condition(ref(near.column), op), at, at + 1)


def _read_worth(draft: Draft) -> None:
    """`Invoices over 10000`, `visits over 50 €`: of the only amount that rows are worth."""
    if draft.several or not draft.index.large:
        return
    said = [one for one in compared_numbers(draft.question.text) if one.op not in {"=", "!="}]
    for one in said:
        start, end = draft.at(one.start), draft.at(one.end)
        unit = bool(currency(draft.text(end, end + 1)))
        money = unit or not _MONEY_SIGNS.isdisjoint(draft.question.text[one.start : one.end + 2])
        rows = is_worth(draft, start - 1)
        taken = any(low <= one.number_start < high for low, high in draft.numbers_taken)
        named = draft.pick(0, len(draft.claimed), lambda c: c.number) is not None
        counted = not unit and end < len(draft.claimed) and draft.question.terms[end].weight == 1
        if one.percent or taken or named or counted or _is_claimed(draft, one):
            continue
        column = amount_of_rows(draft) if money or rows else None
        if column is not None:
            test = Condition(ref(column), one.op, as_whole(one.number), one.upper)
            add_test(draft, column, test, start, end + unit)


def _read_large(draft: Draft) -> None:
    """`Houses under 400000`: of the amounts that reach so far, the first that every row has."""
    if draft.several or not draft.index.large:
        return
    for one in compared_numbers(draft.question.text):
        start, end = draft.at(one.start), draft.at(one.end)
        is_end = end >= len(draft.claimed) or draft.question.terms[end].weight < 1
        taken = any(low <= one.number_start < high for low, high in draft.numbers_taken)
        is_plain = one.op not in {"=", "!="} and not one.percent and one.number >= LARGE
        if not (is_plain and is_end) or taken or _is_claimed(draft, one):
            continue
        reached = [
            each for each in draft.index.columns if amount(each) and reaches(each.facts, one.number)
        ]
        whole = [each for each in reached if not each.facts.missing] or reached
        if whole and len(reached) <= FEW:  # the others are asked back about
            test = Condition(ref(whole[0]), one.op, as_whole(one.number), one.upper)
            add_test(draft, whole[0], test, start, end)


def _read_values(draft: Draft) -> None:
    """Adds tests for values and numbers, of the columns that are likeliest meant."""
    possible = _possible(draft)
    sides = compared_sides(draft, possible)
    said = {at for one in sides for at in range(one.start, one.end)}
    possible = [one for one in possible if said.isdisjoint(range(one.start, one.end))]
    chosen = [*sides, *choose_conditions(draft.question, possible, draft.home)]
    years = [one for one in possible if one.op == "=" and _in_year(draft, one)]
    chosen += [one for one in years if len(years) == 1 and one not in chosen]
    taken = {at for one in chosen for at in range(one.start, one.end)}
    chosen += [one for one in possible if one.start not in taken and is_meant(draft, one)]
    for one in [*chosen, *further_tests(draft, chosen, possible)]:
        _apply(draft, one)


def _possible(draft: Draft) -> list[Wanted]:
    """The tests that unexplained words may ask for, without those that can't be meant."""
    numbers = [
        one
        for one in compared_numbers(draft.question.text)
        if not any(low <= one.number_start < high for low, high in draft.numbers_taken)
        and not _is_claimed(draft, one)
    ]
    possible = [
        one
        for one in possible_conditions(draft.question, numbers, draft.index.columns)
        if not any(draft.claimed[one.start : one.end])
        and not (named_group(draft, one) or _of_another(draft, one) or _is_period(draft, one))
    ]
    years = {one.start for one in possible if _in_year(draft, one)}
    possible = [one for one in possible if one.start not in years or _in_year(draft, one)]
    possible = without_counted(draft, possible)
    possible = _without_guesses(draft, without_anybody(draft, possible))
    if draft.home:
        return [one for one in possible if not is_unlikely(draft, one, possible)]
    return without_rarities(possible)


def _without_guesses(draft: Draft, possible: list[Wanted]) -> list[Wanted]:
    """`Taller than 180` of a table without heights may be of any column with such numbers."""
    if not draft.index.large:
        return possible
    counts = Counter(one.start for one in possible)
    return [one for one in possible if counts[one.start] == 1 or not _is_guess(one)]


def _is_guess(one: Wanted) -> bool:
    """Whether nothing says of which column a number is more or less."""
    told = one.features
    return one.op != "=" and "unnamed" in told and not (told["worth"] or told["year"])


def _in_year(draft: Draft, one: Wanted) -> bool:
    """`By quantity in 2016` is of the year, whatever number stands before it."""
    return one.column.shape == "year" and draft.text(one.start - 1, one.start) in {"in", "since"}


def _is_claimed(draft: Draft, one: Compared) -> bool:
    start, end = draft.at(one.number_start), draft.at(one.end)
    return any(draft.claimed[start : max(start + 1, end)])


def _is_period(draft: Draft, one: Wanted) -> bool:
    """`By hour of day` is no tariff called Day."""
    before = draft.text(one.start - 1, one.start)
    return draft.text(one.start, one.end) in _PERIODS and before in {*_GROUPING, "of"}


def _of_another(draft: Draft, one: Wanted) -> bool:
    """`No internet service` denies InternetService, whatever other column holds these words."""
    return is_denial(str(one.value)) and any(
        m.end <= one.end and m.named > WHOLLY_NAMED and _value_of_no(m.column) is not None
        for m in draft.question.mentions.starting(one.start, one.end)
        if m.column is not one.column
    )


def _value_of_no(column: Column) -> Value | None:
    """The value that says no, where there is one."""
    if column.yes is not None:
        return column.no
    kinds = (value for value, _ in column.facts.top if stem(str(value).lower()) == "no")
    return None if column.number else next(kinds, None)


def _apply(draft: Draft, one: Wanted) -> None:
    start = _with_name(draft, one)
    op: Op = one.op
    denied = negated(draft, start) or negated(draft, one.start)
    if op == "=" and denied != _is_denial(draft, one):
        op = "!="
    made, begun = Condition(ref(one.column), op, one.value, one.upper), one.start
    if one.value in one.column.parts:
        made = in_lists(one.column, made)
    elif op == "=" and (more := values_beside(draft, one, start)):
        made, begun = replace(made, op="in", value=(*more, one.value)), start
    elif more := other_forms(draft, one):
        made = replace(made, op="in" if op == "=" else "not in", value=(one.value, *more))
    draft.claim(start, one.end, "condition")
    add_test(draft, one.column, made, begun, one.end)
    if made.op == "=":
        draft.where[-1] += tuple(replace(made, ref=ref(twin)) for twin in columns_alike(draft, one))


def _is_denial(draft: Draft, one: Wanted) -> bool:
    """Whether a value denies what the words say: `a checking account`, `no checking account`."""
    said = draft.text(one.start, one.end)
    return "text" in one.features and is_denial(str(one.value)) and not is_denial(said)


def _with_name(draft: Draft, one: Wanted) -> int:
    """Claims the column's name beside its value, and gives where the condition begins."""
    start = one.start
    near = [
        m
        for m in draft.question.mentions.of(one.column.at)
        if draft.free(m)
        and not (_is_group(draft, m) or says_kind(draft, m) or names_other_better(draft, m))
    ]
    before = [m for m in near if 0 <= one.start - m.end <= 3]  # noqa: PLR2004 - "is", "of", "with a"
    before = [m for m in before if not _parts_values(draft, m, one)]
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


def _parts_values(draft: Draft, mention: Mention, one: Wanted) -> bool:
    """`Day vs night` has two values, `airlines other than Delta` shows the airlines."""
    between = draft.text(mention.end, one.start)
    heads = mention.start == 0 or draft.text(0, mention.start) in _HEADS
    return between in AGAINST or (heads and between in _BESIDES)


def _is_group(draft: Draft, mention: Mention) -> bool:
    if says_which(draft, mention):
        return False
    return bool(set(draft.text(mention.start - 2, mention.start).split()) & _GROUPING)


def _read_yes_no(draft: Draft) -> None:
    for mention in sorted(draft.question.mentions, key=lambda m: -draft.worth(m)):
        column = mention.column
        is_said = mention.named >= _FLAG_SAID or _says_all_but_asking(draft, mention)
        if not is_said or not draft.free(mention) or _is_group(draft, mention):
            continue
        twice = column in draft.filtered and not _is_opposite(draft, column, mention)
        if twice or _followed_by_rate(draft, mention) or _leaves_place(draft, mention):
            continue
        denied = _value_of_no(column)
        no = denied is not None and _is_denied(draft, mention)
        if column.yes is None and not no:
            continue
        value = denied if no else column.yes
        draft.claim(mention.start, mention.end, "condition")
        test = Condition(ref(column), "=", value)
        add_test(draft, column, test, mention.start, mention.end)


def _says_all_but_asking(draft: Draft, mention: Mention) -> bool:
    """Whether what a flag is of is said: `interpreter` of Interpreter Required."""
    said = mention.column.name.terms
    telling = [one.stem for one in said if one.text not in _OF_FLAGS]
    is_flag = mention.column.yes is not None and 0 < len(telling) < len(said)
    return is_flag and telling == [
        one.stem for one in draft.question.terms[mention.start : mention.end]
    ]


def _is_opposite(draft: Draft, column: Column, mention: Mention) -> bool:
    """`churned and retained`: the same column both ways."""
    held = {one.value for (one, *_) in draft.where if one.ref == ref(column)}
    value = column.no if _is_denied(draft, mention) else column.yes
    return bool(held) and value not in held


def _is_denied(draft: Draft, mention: Mention) -> bool:
    """`Died` of a column Survived, `survived` of a column Death, and what is denied."""
    said = {draft.question.terms[at].stem for at in range(mention.start, mention.end)}
    inside = {draft.text(at, at + 1) for at in range(mention.start, mention.end)}
    denial = denial_of(mention.column)
    denied = negated(draft, mention.start) or ("not" in inside and not denial)
    denied = denied or (mention.column.yes is not None and switched_off(draft, mention.end))
    named = denial and not said & _NONE
    return not denied if named else is_opposite(draft, mention) != denied


def _leaves_place(draft: Draft, mention: Mention) -> bool:
    """`Flights that left Paris` were not given up: a place is left."""
    said = draft.text(mention.start, mention.end) == "left"
    return said and draft.claimed[mention.end : mention.end + 1] == ["condition"]


def _followed_by_rate(draft: Draft, mention: Mention) -> bool:
    return draft.text(mention.end, mention.end + 1) in _RATES
