"""Whether a question needs an earlier one to be understood: and by region, sort that by price."""

import re

from modelwright.engines.language.rules.mentions.draft import Draft, entity
from modelwright.engines.language.vocabulary import word_set

_AS_ONE = (
    r"(?= (?:by|as|per|down|into|to|again|only|sorted|ordered|over|are|is|were|was|have|had|has"
    r"|do|did)\b|\W*$)"
)
_THEN = r"(?:and|but|also|then|now|again)\b"
_ASKS = (
    r"(?:how|what|which|who|whose|when|where|show|list|give|count|find|display|tell|compare"
    r"|calculate|plot|chart|draw)\b"
)
_FOLLOWS = re.compile(
    # It goes on from something: `and by region`, `what about 2023`, `the same for women`.
    rf"^\W*(?:{_THEN}(?! {_ASKS})|(?:{_THEN}\W+)?"
    r"(?:or (?:by|for|in|per|with|without|only)\b"
    r"|(?:what|how) about\b|(?:do |show |give me )?(?:the )?same (?:for|but|by|in|per)\b"
    r"|(?:only|just) (?:in|for|from|on|since|before|after|between|with|without|where|of|by|at)\b"
    r"|why\W*$|in (?:\w+ )?order\W*$|(?:by|per|for each) \w+(?: and \w+)?\W*$"
    # It does something with `it` or `those`: `sort that by price`.
    r"|(?:please |can you |could you )?(?:sort|order|rank|group|filter|split|break|plot|chart|draw"
    r"|show|list|make|turn|limit|restrict|narrow|display|convert|put) (?:me )?(?:it|that|this|them"
    rf"|those|these){_AS_ONE}"
    # It asks of `those`, which nothing before names: `top 3 of those`, `how many of them are new`.
    r"|(?:(?:please|show|list|give|me|the|which|what|how|many|much|top|bottom|first|last|best|worst"
    r"|most|only|just|average|total|share|percentage|\d+|two|three|four|five|ten) )*"
    rf"(?:of |among )(?:those|these|them|that){_AS_ONE}))"
    # It changes an earlier one: `average instead`.
    r"|\binstead\b(?! of)"
)
_EARLIER = re.compile(r"\b(?:previous|last|earlier) (question|query|answer|result)s?\b")
_LEADS = word_set("small_words.narrowing")
_TESTS = frozenset({"group", "condition", "time", "negation"})
"""What only says which rows, or in what groups."""
_WHY = re.compile(r"\s*why\b")
_REASON = re.compile(r"reason|caus|why|explan|comment|note|remark")
_ASKING = word_set("small_words.asking")
FOLLOWS = (
    "Each question is read by itself, and this one goes on from another: "
    "ask it as one whole question."
)
UNTOLD = "The tables tell what was so, not why: ask for the numbers that may explain it."


def why_not_alone(draft: Draft) -> str:
    """Says why a question has no answer of its own: it goes on from another, or asks why."""
    return FOLLOWS if _follows(draft) else UNTOLD if _asks_why(draft) else ""


def _asks_why(draft: Draft) -> bool:
    """Whether reasons are asked for, of tables that hold none."""
    names = (column.facts.name.lower() for column in draft.index.columns)
    return bool(_WHY.match(draft.lower)) and not any(map(_REASON.search, names))


def _follows(draft: Draft) -> bool:
    """Whether a question is a part of one, to be put together with one asked before."""
    said = " ".join(draft.lower.split())
    return _FOLLOWS.search(said) is not None or _goes_back(draft, said) or _only_which(draft)


def _goes_back(draft: Draft, said: str) -> bool:
    """Whether an earlier question is named, and no table or column is called so."""
    earlier = _EARLIER.search(said)
    if earlier is None:
        return False
    names = [*(t.name for t in draft.index.tables), *(c.facts.name for c in draft.index.columns)]
    return not any(earlier[1] in name.lower() for name in names)


def _only_which(draft: Draft) -> bool:
    """Whether nothing but groups or tests is said, and of no rows: `by region`, `in 2023`."""
    said = [word.text for word in draft.question.words]
    return (
        said[:1] != []
        and said[0] in _LEADS
        and _TESTS.issuperset(by for by in draft.claimed if by not in {"", "everything"})
        and _ASKING.isdisjoint(said)
        and not any(entity(draft, at) and by not in _TESTS for at, by in enumerate(draft.claimed))
    )
