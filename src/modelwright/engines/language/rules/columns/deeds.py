"""What a verb's noun says that was done to some rows: `escalation`, `hires`, `failures`."""

from modelwright.engines.language.rules.columns.index import SHORTEST_DONE, Index, ref
from modelwright.engines.language.rules.plans.plan import Condition
from modelwright.engines.language.rules.text.roots import deed, root


def deeds_done(index: Index, word: str) -> list[Condition]:
    """Finds the flags and the kinds that a noun speaks of; the flags alone where there are any.

    Args:
        index: What the words of a session mean; of several tables nothing is found.
        word: One folded word.

    Returns:
        A test for each: `escalated = yes`, `stage = hired`.
    """
    if len(index.tables) > 1 or len(word) < SHORTEST_DONE:
        return []
    meant = root(word), deed(word)
    flags = [one for key in meant for one in index.flags_done.get(key, ())]
    found = flags or [one for key in meant for one in index.kinds_done.get(key, ())]
    return list(dict.fromkeys(Condition(ref(one.column), "=", one.value) for one in found))
