"""Words of a question that its plan left out: some change the answer, the others are told."""

from modelwright.engines.language.drafting import Draft, entity
from modelwright.engines.language.patterns import pattern, patterns
from modelwright.engines.language.plan import Measure, Plan

_BEYOND = pattern("unread beyond")
_SHAPES = pattern("unread shapes")
_AGGREGATES = patterns("unread aggregates")
_LEADS = pattern("unread leads")
_HARMLESS = pattern("unread harmless")
_NAMED, _SHORTEST = 0.45, 3


def changing(draft: Draft, plan: Plan) -> list[str]:
    """What was asked for and not read, so that any answer would be to another question.

    These are words of computing that no plan holds, superlatives and shares that found nothing to
    apply to, and what stands where a group or a value is named: `by mood`, `purple cases`.
    """
    if len(draft.index.tables) > 1:
        return []
    words, found = draft.question.words, list(draft.unread)
    used = _aggregates(plan)
    cues = [_BEYOND, _SHAPES, *(cue for kind, cue in _AGGREGATES if kind not in used)]
    for match in (match for cue in cues for match in cue.finditer(draft.lower)):
        at = draft.at(match.start())
        if not draft.claimed[at] and not _held(draft, at):
            found.append(match.group())
    leads = [at for at in _open(draft) if _LEADS.search(draft.lower[: words[at].start])]
    leads += [at for at in _open(draft) if draft.claimed[at + 1 : at + 2] == ["rows"]]
    found += [words[at].raw for at in leads]
    return list(dict.fromkeys(found))


def _aggregates(plan: Plan) -> set[str | None]:
    """What the plan computes, in whatever place."""
    shown = [*plan.select, *(one.measure for one in plan.having), *(o.by for o in plan.order)]
    inner = [m for one in plan.where for each in one if each.plan for m in each.plan.select]
    return {one.aggregate for one in [*shown, *inner] if isinstance(one, Measure)}


def left_out(draft: Draft) -> list[str]:
    """The telling words that the plan did not use."""
    words = draft.question.words
    return [words[at].raw for at in _open(draft)]


def _open(draft: Draft) -> list[int]:
    """Words that nothing explains and that name nothing."""
    return [
        at
        for at in draft.open_words()
        if not entity(draft, at) and not _held(draft, at) and _plain(draft.question.words[at].text)
    ]


def _plain(text: str) -> bool:
    return len(text) >= _SHORTEST and text.isalpha() and not _HARMLESS.fullmatch(text)


def _held(draft: Draft, at: int) -> bool:
    return any(m.start <= at < m.end and m.quality >= _NAMED for m in draft.question.mentions)
