"""Names that are only a part of a value: Delta for `Delta Air Lines Inc.`, people named Allen.

People say `Delta`, the table says `Delta Air Lines Inc.`. A capital shows that a name is meant;
where none of the values has it, no row would be found by equality, and where several have it all of
them count.
"""

from collections.abc import Sequence

from modelwright.engines.facts import Value
from modelwright.engines.language.rules.columns.index import Column, ref
from modelwright.engines.language.rules.columns.schema import join_path
from modelwright.engines.language.rules.mentions.draft import Draft, add_test, named_tables
from modelwright.engines.language.rules.mentions.negation import negated
from modelwright.engines.language.rules.mentions.unknown_names import unknown_names
from modelwright.engines.language.rules.plans.plan import Condition

_FEW = 5
"""So many values are listed; of more the part that they share is looked for."""
_MOST_WORDS = 20
"""Longer values are texts: names are looked for where they begin."""
Stems = tuple[str, ...]


def read_names(draft: Draft) -> None:
    """Adds a test for each capitalised name that no value is, but that some values have."""
    for run in unknown_names(draft):
        if draft.claimed[run[0]]:
            continue
        words = draft.question.words[run[0] : run[-1] + 1]
        stems = tuple(word.stem for word in words)
        found = _within_reach(draft, _beginning_with(draft, stems)) or _within_reach(
            draft, _having(draft, stems)
        )
        if not found:
            continue
        column = max(found, key=lambda one: (_names_rows(draft, one), len(found[one]), -one.at))
        values = tuple(found[column])
        denied = negated(draft, run[0])
        if len(values) == 1:
            test = Condition(ref(column), "!=" if denied else "=", values[0])
        elif len(values) <= _FEW or denied:
            test = Condition(ref(column), "not in" if denied else "in", values)
        else:
            test = Condition(
                ref(column), "contains", draft.question.text[words[0].start : words[-1].end]
            )
        add_test(draft, column, test, run[0], run[-1] + 1)


def _names_rows(draft: Draft, column: Column) -> bool:
    return draft.index.naming(column.table) is column


def _within_reach(draft: Draft, found: dict[Column, list[Value]]) -> dict[Column, list[Value]]:
    """The columns that what is asked about can be joined with."""
    home = max(draft.home, key=lambda name: draft.home[name], default="")
    main = [*named_tables(draft), home][0]
    if not main:
        return found
    near = {one for one in found if join_path(draft.index.keys, main, one.table) is not None}
    return {one: values for one, values in found.items() if one in near}


def _beginning_with(draft: Draft, stems: Stems) -> dict[Column, list[Value]]:
    """The values that begin with these words."""
    known = draft.index.values.get(stems[0], {})
    return _by_column(draft, [one for one in known if one[: len(stems)] == stems])


def _having(draft: Draft, stems: Stems) -> dict[Column, list[Value]]:
    """The values that have these words side by side."""
    size = len(stems)
    found = [
        one
        for known in draft.index.values.values()
        for one in known
        if stems[0] in one
        and any(one[at : at + size] == stems for at in range(min(len(one), _MOST_WORDS)))
    ]
    return _by_column(draft, found)


def _by_column(draft: Draft, found: Sequence[Stems]) -> dict[Column, list[Value]]:
    told: dict[Column, list[Value]] = {}
    for stems in found:
        for held in draft.index.values[stems[0]][stems]:
            told.setdefault(held.column, []).append(held.value)
    return told
