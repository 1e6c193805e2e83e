"""Words that tell what to do, and words like them that say what is meant: `draw percentage`."""

from collections.abc import Iterator

from sqlglot import exp

from modelwright.engines.language.checks.findings import Code, Finding, fault
from modelwright.engines.language.checks.statement import Statement
from modelwright.engines.language.checks.used_words import is_in_names
from modelwright.engines.language.checks.words import QuestionWords
from modelwright.engines.language.rules.text.commands import commands
from modelwright.engines.language.rules.text.lexicon import spelled_out
from modelwright.engines.language.rules.text.words import stem, words
from modelwright.engines.language.vocabulary import any_case

_NOUNS = any_case(r"\b(?:draws?|returns?|(?<!\bis )(?<!\bare )(?<!\bwas )(?<!\bwere )present)\b")
"""Words of commands that are nouns and adjectives as well; of what is present rows are asked."""
_BEFORE_SHARE = any_case(r"\s+(?:percent\w*|rates?|ratios?|shares?|pct|%)")
_COMMAND = any_case(
    r"(?:^|[.,;:!?]|\b(?:to|and|then|please|can|could|would|you|just|i|we|let's))\W*$"
)
_TOLD = any_case(
    r"\s+(?:an?|the|me|us|all|only|each|every|it|them|bar|line|pie|charts?|graphs?|plots?|top|\d)"
)
"""What stands before and behind a command."""


def check_commands(said: QuestionWords, sql: Statement) -> Iterator[Finding]:
    """Finds nouns that are left out as if they told what to do: `draw percentage`."""
    question = said.request.question
    of_figures = set(commands(question))
    for told in _NOUNS.finditer(question):
        is_share = _BEFORE_SHARE.match(question, told.end()) is not None
        is_told = (
            told.span() in of_figures
            or _COMMAND.search(question[: told.start()])
            or _TOLD.match(question, told.end())
        )
        word = told.group()
        if (is_share or not is_told) and not (is_in_names(sql, word) or _in_literals(sql, word)):
            yield fault(Code.WORD_LEFT_OUT, f"“{word}” was not used.", word)


def check_commanded(said: QuestionWords, sql: Statement) -> Iterator[Finding]:
    """Finds `return number of loans` that are those with the flag `returned`."""
    question = said.request.question
    for start, end in commands(question):
        told = stem(question[start:end].casefold())
        others = [one for one in said.all if one.start != start and one.stem == told]
        for test in sql.tests:
            of_names = {part for _, name in test.columns for part in spelled_out(name)}
            of_values = {word.text for one in test.literals for word in words(one.name)}
            if not others and told in {stem(one.casefold()) for one in of_names | of_values}:
                word = question[start:end]
                yield fault(Code.OTHER_KIND, f"“{word}” tells what to do, and no rows.", word)


def _in_literals(sql: Statement, told: str) -> bool:
    parts = {word.stem for one in sql.find_all(exp.Literal) for word in words(one.name)}
    return stem(told.casefold()) in parts
