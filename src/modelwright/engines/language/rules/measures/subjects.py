"""What `which` asks for: the column or the table between it and its verb."""

from modelwright.engines.language.rules.columns.index import Column
from modelwright.engines.language.rules.mentions.draft import Draft
from modelwright.engines.language.rules.mentions.mention import Mention
from modelwright.engines.language.rules.mentions.rows import person_column
from modelwright.engines.language.rules.text.lexicon import lexicon
from modelwright.engines.language.rules.text.patterns import pattern

_HAVING = pattern("superlatives having")
_GROUP_QUALITY = 0.42
"""How surely words between `which` and a verb must mean a column, 0 to 1."""
_SURE = 0.7
"""How surely words must mean a column, 0 to 1."""


def subject(draft: Draft, head: int, at: int) -> Column | None:
    """What stands between `which` and the verb: a column, or a table by its name."""
    cut = head
    for verb in _HAVING.finditer(draft.lower, draft.question.words[head].start):
        place = draft.at(verb.start())
        if head < place < at:
            cut = place
            group = draft.pick(head, cut, least=_GROUP_QUALITY)
            if group is not None and not draft.question.text[verb.start() :].startswith(
                "is the name"
            ):
                draft.claim(group.start, group.end, "group")
                return _naming(draft, group) or group.column
    if (told := _doing(draft, head, at)) is not None:
        return told
    if draft.lower.lstrip().startswith("who ") and len(draft.index.tables) == 1:
        return person_column(draft)
    return None


def _naming(draft: Draft, said: Mention) -> Column | None:
    """What names the rows, where a word for them is taken for a part of another column's name."""
    table = draft.index.tables[0].name
    alone = len(draft.index.tables) == 1 and said.named < _SURE
    rows = alone and draft.rows_named(said) and draft.index.named(table)
    return draft.index.naming(table) if rows else None


def _doing(draft: Draft, head: int, at: int) -> Column | None:
    """`Which van drove the most miles`: one word, whatever verb, between a name and its most.

    `Which van drove most` ends so.
    """
    named = draft.pick(head, head + 1, least=_SURE)
    if named is None or draft.text(named.end, named.end + 1) in lexicon().stop:
        return None
    led = draft.text(named.end + 1, at) == "the"
    if not (led or named.end + 1 == at == len(draft.claimed) - 1):
        return None
    draft.claim(named.start, named.end + 1, "group")
    return named.column
