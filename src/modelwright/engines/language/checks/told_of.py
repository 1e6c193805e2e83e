"""Whether a figure is of what the words say: of groups, of the column behind it, of any figure.

`A median wait above 20` tests groups, `the maximum opened on` is of that date, and `monthly output`
is told by no date of production.
"""

import re
from collections.abc import Iterator

from sqlglot import exp

from modelwright.engines.language.catalog.meaning import Role
from modelwright.engines.language.checks.cues import cues_of, is_in_a_name, words_for
from modelwright.engines.language.checks.findings import Code, Finding, doubt, fault
from modelwright.engines.language.checks.statement import Place, Statement
from modelwright.engines.language.checks.words import QuestionWords
from modelwright.engines.language.linking.phrases import WHOLE
from modelwright.engines.language.readers import NameLink, ValueLink
from modelwright.engines.language.row_nouns import is_row_word
from modelwright.engines.language.rules.text.lexicon import concepts_of_name, spelled_out
from modelwright.engines.language.rules.text.words import Word, stem
from modelwright.engines.language.vocabulary import (
    aggregate_pattern,
    aggregates,
    any_case,
    phrase_pattern,
    word_set,
    word_values,
)

_OF_GROUPS = any_case(r".*\b(?:with|having|has|have|had|whose|where)\b(?P<what>[\w\s()]{1,60})$")
_MADE_OF_SEVERAL = phrase_pattern(
    [word for one in aggregates() if one.name in {"avg", "median", "sum"} for word in one.words]
)
_A_PERIOD = phrase_pattern(list(word_values("times.how_often")))
_LATEST = any_case(r"\b(?:latest|most recent|newest|earliest|first|last)\s+(?=\w)")
_OF = any_case(r"\bof\s+(?:the\s+|all\s+)?$")
_MOST = frozenset({"most", "fewest"})
_MEANS = word_set("averages.means", "averages.median")


def check_tested_groups(said: QuestionWords, sql: Statement) -> Iterator[Finding]:
    """Finds `counties with a median duration over 140` told of the durations over 140 alone."""
    figures = {place for one in sql.aggregates for place in sql.places(one)}
    if sql.find(exp.Having) is not None:
        return
    for cue in [*cues_of(said, "above"), *cues_of(said, "below")]:
        before = _OF_GROUPS.match(said.request.question[: cue.start])
        made = _MADE_OF_SEVERAL.search(before["what"]) if before else None
        if made is None or is_in_a_name(sql, made.group()):
            continue
        for test in sql.tests:
            compares = isinstance(test.node, exp.GT | exp.GTE | exp.LT | exp.LTE)
            if compares and not test.aggregated and figures & set(test.columns):
                message = f"“{made.group()}” is of each group, and single rows are compared."
                yield fault(Code.OTHER_ROWS, message, made.group())


def check_column_behind(said: QuestionWords, sql: Statement) -> Iterator[Finding]:
    """Finds the `maximum sold on` that is the highest price: the column so called is not read."""
    question = said.request.question
    computed = {one.end() for one in aggregate_pattern().finditer(question)}
    whole = [one for one in said.request.links.names if one.column and one.quality >= WHOLE]
    for link in whole:
        is_behind = len(question[: link.span[0]].rstrip()) in computed
        alike = {(one.table, one.column) for one in whole if one.span == link.span}
        is_part = any(_is_within(link.span, one.span) for one in whole)
        is_name = is_behind and not is_part and len(spelled_out(link.text)) > 1
        if is_name and sql.aggregates and not alike & sql.columns:
            message = f"“{link.text}” is computed of another column."
            yield fault(Code.THING_LEFT_OUT, message, link.text)


def _is_within(one: tuple[int, int], other: tuple[int, int]) -> bool:
    return one != other and other[0] <= one[0] and one[1] <= other[1]


def check_figures_of_dates(said: QuestionWords, sql: Statement) -> Iterator[Finding]:
    """Finds `monthly output` that counts rows: a date of production tells no output."""
    if not sql.counts or sql.find(exp.Sum, exp.Avg) is not None:
        return
    question = said.request.question
    before = {
        one.end() for each in (_A_PERIOD, aggregate_pattern()) for one in each.finditer(question)
    }
    names = [(name, sql.role((table, name))) for table, name in sql.columns]
    tables = [*sql.read_tables]
    called = {stem(part) for name, _ in names for part in spelled_out(name)}
    called |= {stem(part) for one in tables for part in " ".join(one.row_nouns).split()}
    linked = [one.span for one in said.request.links.names]
    for word in said.content:
        is_figure = len(question[: word.start].rstrip()) in before and not is_row_word(word)
        is_linked = any(start <= word.start < end for start, end in linked)
        if not is_figure or is_linked or word.stem in called:
            continue
        roles = {role for name, role in names if concepts_of_name(name) & said.concepts_of(word)}
        if roles == {Role.DATE}:
            yield fault(Code.WORD_LEFT_OUT, f"No figure is called “{word.raw}”.", word.raw)


def check_most_rows(said: QuestionWords, sql: Statement) -> Iterator[Finding]:
    """Finds `the day with the most sales` that is the one of the highest average price."""
    ranked = sql.ranking if sql.limits else None
    if ranked is None or ranked.find(exp.Avg) is None:
        return
    averages = words_for(said, "avg") or _MEANS & {word.text for word in said.all}
    for at, word in enumerate(said.all[:-1]):
        rows = said.all[at + 1]
        if word.text in _MOST and is_row_word(rows) and not averages:
            told = f"{word.raw} {rows.raw}"
            yield fault(Code.RANKED_BY_OTHER, f"“{told}” is ranked by an average.", told)


def check_latest_of_others(said: QuestionWords, sql: Statement) -> Iterator[Finding]:
    """Finds the `most recent visit` told by the date of joining, where one tells the last visit."""
    ordered = [
        place
        for order in sql.find_all(exp.Order)
        if isinstance(order.parent, exp.Window) or sql.limits
        for place in sql.places(order.expressions[0])
    ]
    dates = {place for place in ordered if sql.role(place) is Role.DATE}
    others = [
        (table.name, one.name)
        for table in sql.read_tables
        for one in table.columns
        if one.role is Role.DATE and (table.name, one.name) not in dates
    ]
    for word in _words_behind(said, _LATEST) if len(dates) == 1 else ():
        told, meant = _has(dates.pop(), word), [one for one in others if _has(one, word)]
        if meant and not told:
            message = f"“{word.raw}” is told by {meant[0][1]}, which ranks nothing."
            yield fault(Code.RANKED_BY_OTHER, message, word.raw)
        return


def _words_behind(said: QuestionWords, cue: re.Pattern[str]) -> Iterator[Word]:
    ends = [one.end() for one in cue.finditer(said.request.question)]
    return (word for word in said.all if word.start in ends)


def _has(place: Place, word: Word) -> bool:
    return word.stem in {stem(part) for part in spelled_out(place[1])}


def check_kinds_of_rows(said: QuestionWords, sql: Statement) -> Iterator[Finding]:
    """Finds `average yield of irrigated fields` told of each field: of all of them may be meant."""
    question = said.request.question
    if sql.find(exp.Avg) is None or cues_of(said, "each"):
        return
    links: list[NameLink | ValueLink] = [*said.request.links.values, *said.request.links.names]
    tested = [one.span for one in links if (one.table, one.column) in sql.tested_columns]
    for link in said.request.links.names:
        if (link.table, link.column) not in sql.grouped_columns:
            continue
        for start, end in tested:
            follows = end < link.span[0] and not question[end : link.span[0]].strip()
            if follows and _OF.search(question[:start]):
                message = f"It is not said that each “{link.text}” is told apart."
                yield doubt(Code.GROUP_ADDED, message, link.text)


CHECKS = (
    check_tested_groups,
    check_column_behind,
    check_figures_of_dates,
    check_most_rows,
    check_latest_of_others,
    check_kinds_of_rows,
)
