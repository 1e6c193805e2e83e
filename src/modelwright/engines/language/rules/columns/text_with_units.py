"""Text that counts in a unit: `5 stars` and `12 kg` are kinds, and numbers where one computes."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from modelwright.engines.facts import Value
from modelwright.engines.language.rules.columns.index import Index
from modelwright.engines.language.rules.columns.typed_text import as_numbers
from modelwright.engines.language.rules.text.patterns import patterns

_AGGREGATES = patterns("durations aggregates")
_COMPUTED = frozenset({"avg", "median", "sum", "min", "max", "stddev"})
_COMPARED = frozenset({"<", "<=", ">", ">=", "between"})
Place = tuple[str, str]
"""A table and a column."""


def in_units(index: Index, values: Mapping[Place, Sequence[Value]] | None) -> frozenset[Place]:
    """The text columns whose values are numbers with a word for their unit."""
    texts = [one for one in index.columns if one.facts.type == "string"]
    places = {(one.table, one.facts.name): one for one in texts}
    return frozenset(
        place
        for place, one in places.items()
        if as_numbers(one.facts, (values or {}).get(place, ()), units=True)[0]
    )


def computes_with(question: str, plan: Mapping[str, Any], places: Collection[Place]) -> bool:
    """Whether a plan computes, compares or ranks the numbers of such columns, as is asked."""
    asked = any(cue.search(question) for _, cue in _AGGREGATES)
    shown = [one for one in plan.get("select", ()) if asked and one.get("aggregate") in _COMPUTED]
    ranked = [one["by"] for one in plan.get("order", ()) if plan.get("limit")]
    tested = [one for either in plan.get("where", ()) for one in either if one["op"] in _COMPARED]
    groups = [one["measure"] for one in plan.get("having", ())]
    refs = (one["ref"] for one in [*shown, *ranked, *tested, *groups] if one.get("ref"))
    return any((one["table"], one["column"]) in places for one in refs)
