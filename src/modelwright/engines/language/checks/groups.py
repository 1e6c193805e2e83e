"""Whether the SQL makes the groups that the question asks for, and no others: `each`, `per`."""

from collections.abc import Iterator

from sqlglot import exp

from modelwright.engines.language.catalog import CatalogTable, Role
from modelwright.engines.language.checks.cues import cues_of, is_in_a_name
from modelwright.engines.language.checks.findings import Code, Finding, doubt, fault
from modelwright.engines.language.checks.statement import Statement
from modelwright.engines.language.checks.unexplained import is_nearly_named
from modelwright.engines.language.checks.words import QuestionWords
from modelwright.engines.language.rules.text.lexicon import spelled_out
from modelwright.engines.language.rules.text.words import name_parts, stem
from modelwright.engines.language.vocabulary import Cue, any_case, word_set

_TIME_GROUPS = any_case(
    r"\b(?:days?|dail(?:y)|dates?|weeks?|weekly|weekdays?|weekends?|months?|monthly|quarters?|quarterly|years?"
    r"|yearly|annual(?:ly)?|hours?|hourly|decades?|when|times?|trends?|histor(?:y|ical)|seasons?"
    r"|evol\w+|develop\w+|growth|growing|grow|grew|progress\w*|running|cumulative|latest|last)\b"
)
_EACH_SURE = word_set("checks.each")
_OF_EACH = any_case(r"\b(?:of|for|in)\s+(?:each|every)\s+[a-z]+")
_ASKS_UNNAMED = word_set("checks.asks_unnamed")
"""Words that ask for groups without saying of what."""
_KEY_NAMES = word_set("checks.key_names")
"""What numbers of things are called behind them."""
_SHARE_OF = any_case(
    r"(?:\b(?:share|percentage|percent|proportion|fraction)|%)\s+of\s+(?:(?:all|our|the)\s+)*"
    r"(?P<noun>[a-z]+)\b"
)
_PER_ONE = any_case(r"\bper\s+(?P<what>[a-z]+)\b")


def check_each(said: QuestionWords, sql: Statement) -> Iterator[Finding]:
    """Finds `each` without groups."""
    cues = [cue for cue in cues_of(said, "each") if cue.text in _EACH_SURE]
    if not cues or sql.group_keys or sql.find(exp.Window, exp.Distinct, exp.Pivot):
        return
    told = cues[0].text
    if sql.aggregates:
        if not _is_rate(sql, cues) and not is_in_a_name(sql, told):
            yield doubt(Code.EACH_DROPPED, f"“{told}” makes no groups.", told)
    elif sql.limits and (each := _OF_EACH.search(said.request.question)):
        yield fault(Code.EACH_DROPPED, f"“{each.group()}” makes no groups.", each.group())
    elif not sql.divides and len(sql.columns) > 1:
        for cue in cues:
            if cue.text == "per" and _is_kind_named(said, sql, cue.end):
                yield doubt(Code.EACH_DROPPED, f"“{cue.text}” makes no groups.", cue.text)


def check_shared_things(said: QuestionWords, sql: Statement) -> Iterator[Finding]:
    """Finds `what share of orders` that is a share of the lines of each order."""
    asked = _SHARE_OF.search(said.request.question)
    noun = stem(asked["noun"].casefold()) if asked else ""
    if not sql.divides or any(cue.text in _EACH_SURE for cue in cues_of(said, "each")):
        return
    for key in sql.group_keys:
        for place in sql.places(key):
            parts = name_parts(place[1])
            if parts and noun == stem(parts[0]) and _KEY_NAMES.issuperset(parts[1:]):
                message = f"A share of {asked['noun']} was asked for, and one of each is told."  # type: ignore[index]
                yield fault(Code.GROUP_ADDED, message, noun)


def check_other_rates(said: QuestionWords, sql: Statement) -> Iterator[Finding]:
    """Finds `price per person` that is told by the price per night."""
    if sql.divides and not sql.group_keys:
        return
    names = (name_parts(name) for _, name in sql.written_columns)
    rates = [parts for parts in names if "per" in parts[:-1]]
    for told in _PER_ONE.finditer(said.request.question):
        is_said = any(stem(parts[parts.index("per") + 1]) in said.stems for parts in rates)
        if rates and not is_said:
            make = doubt if sql.group_keys else fault
            yield make(Code.EACH_DROPPED, f"“{told.group()}” is not told.", told.group())


def check_added_groups(said: QuestionWords, sql: Statement) -> Iterator[Finding]:
    """Finds groups that nothing names."""
    for key in sql.group_keys:
        for table, column in sql.places(key):
            if not _is_named(said, sql, table, column):
                yield doubt(Code.GROUP_ADDED, f"Nothing asks for groups of “{column}”.")


def _is_kind_named(said: QuestionWords, sql: Statement, at: int) -> bool:
    """Whether a column of kinds is named next: `per item`, not `per hour`."""
    named = [one for one in said.request.links.names if one.column and one.span[0] == at + 1]
    columns = [sql.catalog.column(one.table, str(one.column)) for one in named]
    return any(one is not None and one.role in {Role.DIMENSION, Role.FLAG} for one in columns)


def _is_rate(sql: Statement, cues: list[Cue]) -> bool:
    """Whether one figure may be told: per year, on average. `each` always wants groups."""
    if all(cue.text == "per" for cue in cues):
        return sql.divides
    return sql.find(exp.Div) is not None


def _is_named(said: QuestionWords, sql: Statement, table: str, name: str) -> bool:
    """Whether the question names a column: by its name, a word alike, or its table's rows."""
    column = sql.catalog.column(table, name)
    told = sql.catalog.table(table)
    if column is None or told is None or column.role is Role.ID:
        return True
    if column.role is Role.DATE:
        return _speaks_of_time(said, name)
    linked = {(one.table, one.column) for one in said.request.links.names}
    linked |= {(one.table, one.column) for one in said.request.links.values}
    if (table, name) in linked or not _ASKS_UNNAMED.isdisjoint(word.text for word in said.all):
        return True
    parts = {stem(part) for one in (name, *column.synonyms) for part in spelled_out(one)}
    called = parts | _row_stems(sql, told)
    return not called.isdisjoint(said.stems) or is_nearly_named(said, name)


def _row_stems(sql: Statement, table: CatalogTable) -> set[str]:
    """Returns what the rows of a table are called, also by the keys that lead to them."""
    keys = [
        key.column
        for key in sql.catalog.relationships
        if key.to_table == table.name and (key.table, key.column) in sql.columns
    ]
    nouns = {stem(one) for one in table.row_nouns}
    return nouns | {stem(part) for one in (table.name, *keys) for part in spelled_out(one)}


def _speaks_of_time(said: QuestionWords, name: str) -> bool:
    """Whether groups of time are asked for, or the whole name of a date is said."""
    asks = bool(_TIME_GROUPS.search(said.request.question) or said.request.links.periods)
    return asks or {stem(part) for part in spelled_out(name)} <= said.stems


CHECKS = (check_each, check_shared_things, check_other_rates, check_added_groups)
