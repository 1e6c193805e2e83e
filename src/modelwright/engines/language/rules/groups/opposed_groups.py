"""Groups set beside each other: men and women, smokers and others, with and without a partner."""

import re
from itertools import pairwise

from modelwright.engines.language.rules.mentions.draft import Draft, entity
from modelwright.engines.language.rules.plans.plan import Bucket, Condition, Measure
from modelwright.engines.language.rules.text.patterns import pattern, patterns
from modelwright.engines.language.rules.times.time_conditions import COMPARED
from modelwright.engines.language.vocabulary import word_set

_CUES = patterns("contrasting cues")
_JOINTLY = pattern("contrasting jointly")
_OF_EACH = frozenset({"avg", "median", "min", "max", "per"})
"""Aggregates whose number of two groups together is none of theirs added up."""
_RIVALS = re.compile(r"^(?:who|which|do|does|are|is)\b.*\b(?:more|less|worse|\w+er)\b.*\bor\b")
_BESIDE = word_set("small_words.set_beside")
_TWO_SIDES = 2
"""Kinds of a column that a test parts in those who meet it and the others."""
_REACH = 4
"""In words: how far from the rest what it is the rest of may stand."""


def read_contrasts(draft: Draft) -> None:
    """Makes a group of each side of a test: of those who meet it and of the others."""
    if draft.several:
        return
    for kind, cue in _CUES:
        for match in cue.finditer(draft.lower):
            at, end = draft.at(match.start("rest")), draft.at(match.end("rest"))
            near = range(at, end + _REACH) if kind == "before" else range(at - _REACH, at + 1)
            found = [n for n, span in enumerate(draft.spans) if span[kind != "before"] in near]
            if kind in {"denied", "opposite"}:
                said = draft.question.terms[end - 1].stem
                found = [n for n in found if any(map(said.endswith, _stems(draft, n)))]
            if not found:
                continue
            draft.claim_text(match, "group", "rest")
            _split(draft, found[-1], match.group("rest"))
    _note_unlike(draft)
    _note_rivals(draft)


def _note_rivals(draft: Draft) -> None:
    """`Hard vs fruity`: two tests set against each other, of two columns or parts, are not met."""
    told = sorted(zip(draft.spans, draft.where, strict=False), key=lambda pair: pair[0])
    for ((_, end), (one, *_)), ((start, _), (other, *_)) in pairwise(told):
        said = draft.text(end, start)
        if said in {"vs", "versus"} and (one.ref != other.ref or one.op == "contains"):
            draft.unread.append(said)


def _note_unlike(draft: Draft) -> None:
    """`Returned and kept orders`: what is set beside a yes or no and is nowhere said."""
    free = draft.open_words()
    for (one, *_), (_, end) in zip(draft.where, draft.spans, strict=False):
        ends = entity(draft, end + 2) or end + 2 >= len(draft.claimed)
        beside = draft.text(end, end + 1) in _BESIDE and end + 1 in free and ends
        if beside and one.op == "=" and draft.index.column(one.ref).yes is not None:
            draft.unread.append(draft.text(end + 1, end + 2))


def _stems(draft: Draft, number: int) -> set[str]:
    start, end = draft.spans[number]
    return {term.stem for term in draft.question.terms[start:end]}


def _split(draft: Draft, number: int, rest: str) -> None:
    one = draft.where[number][0]
    column = draft.index.column(one.ref)
    if len(draft.where[number]) > 1 or one.op != "=" or column.facts.distinct != _TWO_SIDES:
        draft.unread.append(rest)
        return
    del draft.where[number], draft.spans[number]
    draft.group.append(Bucket(one.ref))


def compared_values(draft: Draft) -> None:
    """`Compare red and white wines` wants one row for each."""
    if not COMPARED.search(draft.lower):
        return
    for options in draft.where:
        one = options[0]
        bucket = Bucket(one.ref, "month of year" if one.part == "MONTH" else None)
        apart = one.part in {None, "MONTH"} and bucket not in draft.group
        if one.op == "in" and apart:
            draft.group.append(bucket)


def set_apart(draft: Draft) -> None:
    """`Average age of men and women`: a number of each, where one of both would be another's."""
    rivals = bool(_RIVALS.search(draft.lower))
    ranked = draft.order and not draft.group
    jointly = not rivals and _JOINTLY.search(draft.lower)
    if ranked or jointly or not (draft.select or draft.charted):
        return
    own = not draft.group and (rivals or all(map(_own, draft.select)))
    for (one, *others), (start, _) in zip(draft.where, draft.spans, strict=False):
        if others or not _of_kinds(one) or Bucket(one.ref) in draft.group:
            continue
        every = len(one.value) >= draft.index.column(one.ref).facts.distinct  # type: ignore[arg-type]
        if (every or own) and _joined(draft, start, rivals=rivals):
            draft.group.append(Bucket(one.ref))
            return


def _of_kinds(one: Condition) -> bool:
    """Whether a test names several values of a column."""
    return one.op == "in" and not one.part and isinstance(one.value, tuple)


def _joined(draft: Draft, start: int, *, rivals: bool) -> bool:
    """Whether `and` or a comma follows, or where one is to win an `or`."""
    rest = draft.question.text[draft.question.words[start].start :].replace(",", " , ").split()
    return not {"and", ",", "or" if rivals else ","}.isdisjoint(rest)


def _own(one: Measure) -> bool:
    """Whether a number of two groups together is none of theirs added up."""
    return one.aggregate in _OF_EACH or bool(one.share)
