"""Countries and states named in full where a table holds their codes, and the other way round.

`California` finds no row where a table says CA. The names of places are known beforehand, as
nothing in the data tells them; a value that is held as it stands comes first.
"""

import json
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files

from modelwright.engines.language.rules.columns.index import Held
from modelwright.engines.language.rules.mentions.draft import Draft
from modelwright.engines.language.rules.mentions.negation import add_value
from modelwright.engines.language.rules.text.words import squeezed
from modelwright.engines.language.vocabulary import word_values

_LONGEST = 4
"""Names of places have no more words."""
_LONGEST_CODE = 3
"""Letters of a code."""
_CALLED: Mapping[str, Sequence[str]] = word_values("names.demonyms")
_REACH = 3
"""So many words before the name of a language stands that it is spoken: `in French or German`."""
_SPOKEN = frozenset({"in", "speak", "speaks", "speaking", "spoken"})
_LANGUAGES = frozenset({"lang", "language", "languages", "locale"})
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
    others: Sequence[str] = (
        [] if len(said) <= _LONGEST_CODE and not said.isupper() else _names().get(said.lower(), [])
    )
    others = others or (_names().get(said, []) if said in {"uk", "usa", "uae"} else [])
    others = others or called_by(said)
    found = (
        held
        for name in others
        for held in draft.index.squeezed_values.get(squeezed(name), ())
        if str(held.value).lower() == name.lower() and not held.column.number
    )
    spoken = not _SPOKEN.isdisjoint(draft.text(start - _REACH, start).split())
    return max(
        found,
        key=lambda held: (spoken and _is_of_languages(held), held.column.times(held.value)),
        default=None,
    )


def _is_of_languages(held: Held) -> bool:
    return not _LANGUAGES.isdisjoint(term.text for term in held.column.name.terms)


def called_by(said: str) -> Sequence[str]:
    """Returns what tables hold of what is called by an adjective: Japan, JP of `Japanese`."""
    folded = said.lower()
    return _CALLED.get(folded) or _CALLED.get(folded.removesuffix("s"), ())


def other_names(said: str) -> Sequence[str]:
    """Returns, in lower case, whatever else a place is called that a word names."""
    return called_by(said) or [one.lower() for one in _names().get(said.lower(), ())]


@cache
def _names() -> dict[str, list[str]]:
    """For each name of a place, in lower case, all its names."""
    text = (files(__package__) / "places.json").read_text("utf-8")
    found: dict[str, list[str]] = {}
    for group in json.loads(text):
        for name in group:
            found.setdefault(name.lower(), []).extend(one for one in group if one != name)
    return found
