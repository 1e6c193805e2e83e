"""What a plan reads into words by guess: the column of a number, a sum of prices of one unit."""

from modelwright.engines.language.rules.columns.index import Column
from modelwright.engines.language.rules.mentions.draft import Draft
from modelwright.engines.language.rules.mentions.mention import MAY_NAME, WHOLLY_NAMED
from modelwright.engines.language.rules.mentions.rows import amount, averaged
from modelwright.engines.language.rules.mentions.units import about_age, unit_untold
from modelwright.engines.language.rules.plans.plan import Condition, Plan
from modelwright.engines.language.rules.text.numbers import SPELLED


def guessed_numbers(draft: Draft) -> list[str]:
    """Numbers tested of a column that no word names, where several could hold them: `two-story`."""
    if not draft.index.large:
        return []
    named = {m.column.at for m in draft.question.mentions if m.quality >= MAY_NAME}
    numbers = [one for one in draft.index.columns if amount(one) and one.yes is None]
    found = []
    for options, (start, end) in zip(draft.where, draft.spans, strict=False):
        column, value = draft.index.column(options[0].ref), options[0].value
        told = column.at in named or column.shape == "year" or about_age(column)
        if told or not _is_equal_number(options):
            continue
        said = draft.text(start, end)
        counted = any(word in SPELLED or word[:1].isdigit() for word in said.split())
        if counted and sum(_may_hold(each, value) for each in numbers) > 1:
            found.append(said)
    return found


def _is_equal_number(options: tuple[Condition, ...]) -> bool:
    """Whether a column is tested for one number, and for nothing else."""
    one, *others = options
    is_number = one.op == "=" and isinstance(one.value, int | float)
    return is_number and not (others or one.part or one.ref.lapses)


def unknown_units(draft: Draft) -> list[str]:
    """Units that are not known to be a column's: 10 `minutes` of a Duration."""
    return [
        draft.text(at, at + 1)
        for (one, *_), (_, end) in zip(draft.where, draft.spans, strict=False)
        for at in (end - 1, end)
        if not one.ref.lapses and unit_untold(draft.text(at, at + 1), draft.index.column(one.ref))
    ]


def _may_hold(column: Column, value: object) -> bool:
    known = [held for held, _ in column.facts.top]
    if len(known) == column.facts.distinct:
        return value in known
    low, high = column.facts.minimum, column.facts.maximum
    numbers = isinstance(low, int | float) and isinstance(high, int | float)
    return numbers and isinstance(value, int | float) and low <= value <= high  # type: ignore[operator]


def summed_unit_values(draft: Draft, plan: Plan) -> list[str]:
    """What is added up though it is of one unit, and not called so: the total value, of prices."""
    said = {term.stem for term in draft.question.terms}
    summed = [one.ref for one in plan.select if one.ref and one.aggregate == "sum"]
    columns = [draft.index.column(one) for one in summed if averaged(one)]
    return [
        draft.text(m.start, m.end)
        for column in columns
        if not said & {term.stem for term in column.name.terms if term.text != "per"}
        if all(m.named < WHOLLY_NAMED for m in draft.question.mentions.of(column.at))
        for m in draft.question.mentions.of(column.at)
    ]
