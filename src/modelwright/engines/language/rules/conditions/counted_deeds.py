"""How often something was done to rows that count it: `reopened more than twice`, `never visited`.

A column of the only table counts it, called by the noun of the verb: Reopen Count, visits.
"""

import re

from modelwright.engines.language.rules.columns.deeds import deeds_done
from modelwright.engines.language.rules.columns.index import Column, ref
from modelwright.engines.language.rules.mentions.draft import Draft, add_test, entity
from modelwright.engines.language.rules.plans.plan import Condition, Op
from modelwright.engines.language.rules.text.numbers import SPELLED
from modelwright.engines.language.rules.text.roots import deed, root
from modelwright.engines.language.rules.text.words import name_parts
from modelwright.engines.language.vocabulary import any_case, word_set

_OPS: dict[str, Op] = {
    "more than": ">", "over": ">", "at least": ">=", "less than": "<", "fewer than": "<",
    "at most": "<=", "exactly": "=", "": "=",
}  # fmt: skip
_TIMES = {"once": 1, "twice": 2, "thrice": 3}
_SO_OFTEN = any_case(
    rf"\b(?P<deed>[a-z]+) (?:(?P<how>{'|'.join(filter(None, _OPS))}) )?"
    rf"(?:(?P<word>{'|'.join(_TIMES)})|(?P<n>\d+|{'|'.join(sorted(SPELLED))}) times)\b"
)
_NEVER = any_case(r"\bnever (?:been |were |was )?(?P<deed>[a-z]+)\b")
_DONE = any_case(r"\b(?:was|were|been|got|gets?) (?P<deed>[a-z]+ed)\b")
_BEFORE_ROWS = any_case(r"\b(?P<deed>[a-z]+ed) (?P<rows>[a-z]+)\b")
_HOW_OFTEN = any_case(r"\b(?:times|often|most|least|more|less|fewer|frequently|average|total)\b")
_COUNTING = word_set("names.of_counted_deeds")
"""What the name of a number of deeds has besides; those of this year alone tell no `never`."""


def read_counted_deeds(draft: Draft) -> None:
    """Adds a test of the only number of what was done to a row."""
    if draft.several:
        return
    for told in _SO_OFTEN.finditer(draft.lower):
        number = _TIMES.get(told["word"] or "") or SPELLED.get(told["n"] or "") or told["n"]
        _add(draft, told, _OPS[told["how"] or ""], int(number))
    for told in _NEVER.finditer(draft.lower):
        _add(draft, told, "=", 0)
    if _HOW_OFTEN.search(draft.lower):
        return
    for told in _DONE.finditer(draft.lower):
        _add(draft, told, ">", 0)
    for told in _BEFORE_ROWS.finditer(draft.lower):
        if entity(draft, draft.at(told.start("rows"))):
            _add(draft, told, ">", 0, group="deed")


def _add(draft: Draft, told: re.Match[str], op: Op, number: int, group: int | str = 0) -> None:
    start, end = (draft.at(place) for place in told.span(group))
    end = max(end, start + 1)
    column = _counting(draft, told["deed"])
    if column is not None and not any(draft.claimed[start:end]):
        draft.claim_text(told, "condition", group)
        add_test(draft, column, Condition(ref(column), op, number), start, end)


def _counting(draft: Draft, word: str) -> Column | None:
    """The only number of what a verb does, where no date, no flag and no value tells it."""
    own = {deed(word), root(word)}
    called = [one for one in draft.index.columns if own & _deeds_of(one)]
    only = called[0] if len(called) == 1 else None
    if only is None or deeds_done(draft.index, word) or only.facts.type != "integer":
        return None
    rest = [one for one in name_parts(only.facts.name) if not own & {deed(one), root(one)}]
    return only if only.facts.minimum == 0 and set(rest) <= _COUNTING else None


def _deeds_of(column: Column) -> set[str]:
    return {made(part) for part in name_parts(column.facts.name) for made in (deed, root)}
