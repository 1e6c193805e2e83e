"""In which order rows of several tables are shown: sorted by, in alphabetical order of."""

import re
from dataclasses import replace

from modelwright.engines.language.rules.columns.index import ref
from modelwright.engines.language.rules.measures.extremes import counted_table, numbered, of_pointed
from modelwright.engines.language.rules.mentions.best_mentions import best_mentions
from modelwright.engines.language.rules.mentions.draft import Draft
from modelwright.engines.language.rules.mentions.mention import Mention
from modelwright.engines.language.rules.plans.plan import Measure, Order
from modelwright.engines.language.rules.ranks.sort_orders import from_the_top
from modelwright.engines.language.rules.text.patterns import pattern, patterns

_CUES = tuple(cue for _, cue in patterns("sorting cues"))
_END = pattern("sorting end")
_DOWN = pattern("sorting down")
_WAY = pattern("sorting way")
_AGGREGATES = patterns("superlatives aggregates")
_JOINED = re.compile(r"(?:,|\b(?:and|then|by))(?: (?:then|by|the|their|its))*\s*\Z")
_COUNTED = re.compile(r"(?:the )?(?:total )?(?:number|count|amount)s? of\b")


def read_sorting(draft: Draft) -> None:
    """Reads the clause that sorts, claims its words, and notes what it sorts by."""
    said = (found for one in _CUES if (found := one.search(draft.lower)))
    cue = next((one for one in said if not draft.claimed[draft.at(one.start())]), None)
    if cue is None:
        return
    end = _END.search(draft.lower, cue.end())
    start, stop = draft.at(cue.end()), draft.at(end.start()) if end else len(draft.claimed)
    down = bool(_DOWN.search(draft.lower)) or cue.re is _CUES[0]
    for match in [cue, *_WAY.finditer(draft.lower)]:
        draft.claim_text(match, "order", "cue" if match is cue else 0)
    keys = _keys(draft, start, stop)
    draft.claim(start, stop, "order")
    if (
        draft.limit
        and len(keys) == 1
        and not keys[0].aggregate
        and of_pointed(draft, start, keys[0])
    ):
        keys, draft.ranked = [replace(keys[0], aggregate="sum")], True
    draft.order = [Order(key, down) for key in keys]
    draft.sorted = not keys


def _keys(draft: Draft, start: int, stop: int) -> list[Measure]:
    counted = _COUNTED.search(draft.text(start, stop))
    if counted:
        at = start + len(draft.text(start, stop)[: counted.end()].split())
        own = numbered(draft, start, at + 3)
        if own is not None:
            return [Measure(None, ref(own.column))]
        draft.counted = counted_table(draft, at) or draft.counted
        return [Measure("count")]
    kind = next((k for k, cue in _AGGREGATES if cue.match(draft.text(start, stop))), None)
    named = [
        one
        for one in best_mentions(draft, taken=True)
        if start <= one.start < stop and one.end <= stop
    ]
    if kind is not None and named and named[0].column.number:
        return [Measure(kind, ref(named[0].column))]  # type: ignore[arg-type]
    listed = [one for one in named if one is named[0] or _joined(draft, one)]
    return [Measure(None, ref(one.column)) for one in listed]


def _joined(draft: Draft, one: Mention) -> bool:
    """Whether it is a further key: `by name and age`, not `by weight delivered`."""
    return bool(_JOINED.search(draft.lower[: draft.question.words[one.start].start]))


def sort_shown(draft: Draft) -> None:
    """`In alphabetical order` alone sorts by what is shown first."""
    if draft.sorted and draft.select and not draft.order:
        shown = Order(draft.select[0], bool(_DOWN.search(draft.lower)))
        draft.order = [from_the_top(draft, shown)]
