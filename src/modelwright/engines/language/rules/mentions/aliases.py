"""Words that stand for a value whichever of them a table holds: women for Female, F or woman."""

from modelwright.engines.facts import Value
from modelwright.engines.language.rules.columns.index import Column, ref
from modelwright.engines.language.rules.mentions.denying import negated
from modelwright.engines.language.rules.mentions.drafting import Draft, add_test
from modelwright.engines.language.rules.plans.plan import Condition, Op
from modelwright.engines.language.rules.text.lexicon import lexicon


def read_aliases(draft: Draft) -> None:
    """Women are the rows whose sex is Female, F or woman."""
    for at, term in enumerate(draft.question.terms):
        group = next((g for g in lexicon().aliases if term.text in g), None)
        if group is None or draft.claimed[at]:
            continue
        for column in sorted(draft.index.columns, key=lambda column: not _both(column)):
            plain = _plain(column)
            value = next((plain[word] for word in plain if word in group), None)
            if value is not None and not column.number and column.facts.distinct <= 10:  # noqa: PLR2004
                op: Op = "!=" if negated(draft, at) else "="
                add_test(draft, column, Condition(ref(column), op, value), at, at + 1)
                break


def _both(column: Column) -> bool:
    """Whether a column tells men from women, and M is no region."""
    held = _plain(column).keys()
    return sum(bool(held & group) for group in lexicon().aliases) > 1


def _plain(column: Column) -> dict[str, Value]:
    """The commonest values, without a word that ends them all: `female` of Female Clients."""
    values = {str(value).lower(): value for value, _ in column.facts.top[:10]}
    ends = {text.rpartition(" ")[2] for text in values}
    end = f" {ends.pop()}" if len(ends) == 1 < len(values) else ""
    return {text.removesuffix(end): value for text, value in values.items()}
