"""How tests go together: one of two, neither, two values of one column."""

from dataclasses import replace

from modelwright.engines.facts import Value
from modelwright.engines.language.rules.mentions.draft import Draft
from modelwright.engines.language.rules.plans.plan import Condition
from modelwright.engines.language.vocabulary import word_set

_NOT = word_set("negation.words")
_JOINING = word_set("small_words.joining")


def join_alternatives(draft: Draft) -> None:
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


def merge_values(draft: Draft) -> None:
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
