"""Words that stand for a value whichever of them a table holds: women for Female, F or woman."""

from modelwright.engines.facts import Value
from modelwright.engines.language.rules.columns.index import Column
from modelwright.engines.language.rules.mentions.draft import Draft
from modelwright.engines.language.rules.mentions.negation import add_value
from modelwright.engines.language.rules.text.lexicon import lexicon

_MOST_KINDS = 10
"""A column of more values tells no men from women."""


def read_aliases(draft: Draft) -> None:
    """Women are the rows whose sex is Female, F or woman."""
    for at, term in enumerate(draft.question.terms):
        group = next((g for g in lexicon().aliases if term.text in g), None)
        if group is None or draft.claimed[at]:
            continue
        for column in sorted(draft.index.columns, key=lambda column: not _tells_both(column)):
            plain = _commonest(column)
            value = next((plain[word] for word in plain if word in group), None)
            kinds = not column.number and column.facts.distinct <= _MOST_KINDS
            if value is not None and kinds:
                add_value(draft, column, value, at, at + 1)
                break


def _tells_both(column: Column) -> bool:
    """Whether a column tells men from women, and M is no region."""
    held = _commonest(column).keys()
    return sum(bool(held & group) for group in lexicon().aliases) > 1


def _commonest(column: Column) -> dict[str, Value]:
    """The commonest values, without a word that ends them all: `female` of Female Clients."""
    values = {str(value).lower(): value for value, _ in column.facts.top[:_MOST_KINDS]}
    ends = {text.rpartition(" ")[2] for text in values}
    end = f" {ends.pop()}" if len(ends) == 1 < len(values) else ""
    return {text.removesuffix(end): value for text, value in values.items()}
