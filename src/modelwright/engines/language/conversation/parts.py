"""Where two questions of a conversation differ, word by word, and what is named there.

A change of a statement is trusted only if it explains every word that was added or left out; what a
part holds beyond that would be lost in silence.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from difflib import SequenceMatcher

from modelwright.engines.language.conversation.words import END
from modelwright.engines.language.linking.linking import Linker
from modelwright.engines.language.readers import (
    Links,
    NameLink,
    NumberLink,
    Period,
    ValueLink,
)
from modelwright.engines.language.rules.text.words import words

Link = Period | ValueLink | NameLink | NumberLink

_WORD = re.compile(r"[^\s,]+|,")


@dataclass(frozen=True, slots=True)
class Used:
    """What of a part a change puts in place; whatever else the part holds would be lost."""

    old: tuple[Link, ...] = ()
    new: tuple[Link, ...] = ()
    words: str = ""
    """Words that it explains besides those of the links."""


@dataclass(frozen=True, slots=True)
class Part:
    """Words of the earlier question, and those that stand in their place in the whole one."""

    old: str
    new: str
    old_links: Links
    new_links: Links
    """Their links in the whole questions; those of what is beside them are left out."""
    before: str
    """The whole question up to the new words."""
    whole: str
    new_span: tuple[int, int]

    @property
    def begins(self) -> bool:
        """Whether the questions differ from their first word on."""
        return not self.before

    def used_up(self) -> Used:
        """Returns what a change uses that takes the part as a whole."""
        return Used(_all(self.old_links), _all(self.new_links), f"{self.old} {self.new}")

    def lost(self, used: Used) -> list[str]:
        """Returns the words of either question that a change leaves out."""
        return [
            *_left(self.old_links, used.old, used.words),
            *_left(self.new_links, used.new, used.words),
        ]


def _all(links: Links) -> tuple[Link, ...]:
    return (*links.periods, *links.of_tables, *links.numbers)


def _left(links: Links, used: Sequence[Link], explained: str) -> list[str]:
    known = {one.text for text in (explained, *(link.text for link in used)) for one in words(text)}
    unexplained = (one for one in links.unlinked if not {word.text for word in words(one)} <= known)
    unused = (
        one.text for one in _all(links) if not any(meet(one.span, other.span) for other in used)
    )
    return [*unused, *unexplained]


def changed_parts(earlier: str, whole: str, linker: Linker, today: date) -> list[Part]:
    """Compares two questions.

    Args:
        earlier: The question that was answered.
        whole: The whole question of what was said after it.
        linker: Links the words of both to the tables.
        today: The day on which it is said.

    Returns:
        The runs of words that differ, in order.
    """
    earlier, whole = END.sub("", earlier), END.sub("", whole)
    old, new = list(_WORD.finditer(earlier)), list(_WORD.finditer(whole))
    same = SequenceMatcher(
        None,
        [one.group().lower() for one in old],
        [one.group().lower() for one in new],
        autojunk=False,
    )
    found = []
    for kind, a, b, c, d in same.get_opcodes():
        if kind == "equal":
            continue
        was, now = _span(old, a, b, len(earlier)), _span(new, c, d, len(whole))
        of_old, of_new = _links(earlier, was, linker, today), _links(whole, now, linker, today)
        texts = earlier[slice(*was)], whole[slice(*now)]
        found.append(Part(*texts, of_old, of_new, whole[: now[0]], whole, now))
    return found


def meet(one: tuple[int, int], other: tuple[int, int]) -> bool:
    """Returns whether two spans have a character in common."""
    return one[0] < other[1] and other[0] < one[1]


def _span(told: Sequence[re.Match[str]], start: int, end: int, length: int) -> tuple[int, int]:
    if start == end:
        at = told[start].start() if start < len(told) else length
        return at, at
    return told[start].start(), told[end - 1].end()


def _links(text: str, span: tuple[int, int], linker: Linker, today: date) -> Links:
    """Links a part as it stands in its question; what nothing explains is that of it alone."""
    links = linker.link(text, today)
    return Links(
        tuple(one for one in links.periods if meet(one.span, span)),
        tuple(one for one in links.values if meet(one.span, span)),
        tuple(one for one in links.names if meet(one.span, span)),
        tuple(one for one in links.numbers if meet(one.span, span)),
        linker.link(text[slice(*span)], today).unlinked,
    )
