"""Countries and states named in full where a table holds their codes, and the other way round."""

import json
from functools import cache
from importlib.resources import files

from modelwright.engines.language.rules.columns.index import Held
from modelwright.engines.language.rules.mentions.draft import Draft
from modelwright.engines.language.rules.mentions.negation import add_value
from modelwright.engines.language.rules.text.words import squeezed

_LONGEST = 4
"""Names of places have no more words."""
_LONGEST_CODE = 3
"""Letters of a code."""
_RARE = 20
"""A value of so many times fewer rows than the place is a rarity."""


def read_places(draft: Draft) -> None:
    """`Loans in California` are those of the state CA; `in the UK`, of the United Kingdom."""
    for length in range(_LONGEST, 0, -1):
        for at in range(len(draft.claimed) - length + 1):
            if any(draft.claimed[at : at + length]):
                continue
            held = _other_name_held(draft, at, at + length)
            if held is not None and not _is_itself_held(draft, at, at + length, held):
                add_value(draft, held.column, held.value, at, at + length)


def _is_itself_held(draft: Draft, start: int, end: int, other: Held) -> bool:
    """Whether words are a value as they stand, or begin one, which is no rarity beside the other.

    Where thousands of rows are of the state CA, `in California` is not the town of that name.
    """
    links = [one for one in draft.question.values if one.exact and one.start <= start < one.end]
    if any(one.start < start or one.end > end for one in links):
        return True
    most = max((each.column.times(each.value) for one in links for each in one.held), default=-1)
    return most >= 0 and _RARE * most >= other.column.times(other.value)


def _other_name_held(draft: Draft, start: int, end: int) -> Held | None:
    """A value that is another name of the place; codes are names only in capitals."""
    said = draft.question.text[
        draft.question.words[start].start : draft.question.words[end - 1].end
    ]
    others = (
        [] if len(said) <= _LONGEST_CODE and not said.isupper() else _names().get(said.lower(), [])
    )
    others = others or (_names().get(said, []) if said in {"uk", "usa", "uae"} else [])
    found = (
        held
        for name in others
        for held in draft.index.squeezed_values.get(squeezed(name), ())
        if str(held.value).lower() == name.lower() and not held.column.number
    )
    return max(found, key=lambda held: held.column.times(held.value), default=None)


@cache
def _names() -> dict[str, list[str]]:
    """For each name of a place, in lower case, all its names."""
    text = (files(__package__) / "places.json").read_text("utf-8")
    found: dict[str, list[str]] = {}
    for group in json.loads(text):
        for name in group:
            found.setdefault(name.lower(), []).extend(one for one in group if one != name)
    return found
