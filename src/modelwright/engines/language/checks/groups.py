"""Whether the SQL makes the groups that the question asks for, and no others: `each`, `per`."""

from collections.abc import Iterator
from datetime import datetime

from sqlglot import exp

from modelwright.engines.language.catalog.meaning import Additivity, Role
from modelwright.engines.language.checks.cues import cues_of, is_in_a_name
from modelwright.engines.language.checks.dates import TIMED
from modelwright.engines.language.checks.findings import Code, Finding, doubt, fault
from modelwright.engines.language.checks.statement import Place, Statement
from modelwright.engines.language.checks.unexplained import is_nearly_named, rows_by_other_names
from modelwright.engines.language.checks.words import QuestionWords, facts_of
from modelwright.engines.language.readers import NameLink, ValueLink
from modelwright.engines.language.rules.mentions.units import is_measured
from modelwright.engines.language.rules.text.lexicon import spelled_out
from modelwright.engines.language.rules.text.words import name_parts, squeezed, stem
from modelwright.engines.language.vocabulary import (
    BEHIND_GROUPED,
    Cue,
    aggregates,
    alternatives,
    any_case,
    find_cues,
    phrase_pattern,
    word_set,
)

_TIME_GROUPS = any_case(
    r"\b(?:days?|dail(?:y)|dates?|weeks?|weekly|weekdays?|weekends?|months?|monthly|quarters?|quarterly|years?"
    r"|yearly|annual(?:ly)?|hours?|hourly|decades?|when|(?<!how many )times?|trends?"
    r"|histor(?:y|ical)|seasons?|evol\w+|develop\w+|growth|growing|grow|grew|progress\w*|running|cumulative|latest|last)\b"
)
_EACH_SURE = word_set("checks.each")
_OF_EACH = any_case(r"\b(?:of|for|in)\s+(?:each|every)\s+[a-z]+")
_ASKS_UNNAMED = word_set("checks.asks_unnamed")
"""Words that ask for groups without saying of what."""
_NAME_ENDS = word_set("checks.name_ends")
_KEY_NAMES = word_set("checks.key_names")
"""What numbers of things are called behind them."""
_SHARE_OF = any_case(
    r"(?:\b(?:share|percentage|percent|proportion|fraction)|%)\s+of\s+(?:(?:all|our|the)\s+)*"
    r"(?P<noun>[a-z]+)\b"
)
_PER_ONE = any_case(r"\bper\s+(?P<what>[a-z]+)\b")
_ASKS_ONE_NUMBER = any_case(
    r"^\W*(?:how (?:many|much)|(?:what (?:is|was|are|were) )?(?:the )?(?:total |overall )?"
    r"(?:number|count|amount) of)\b"
)
_ASKS_ONE_FIGURE = any_case(
    r"^\W*(?:what (?:is|was) )?(?:the )?(?:average|avg|mean|median|total)\b"
    r"(?=.*\bof \w+ (?:that|who|which|with|without)\b)"
)
_SPREADS = any_case(
    r"\b(?:which|who|whom|whose|what|where|when|respectively|(?:dai|week|month|quarter|year|hour)ly"
    r"|annually|over time|separately|apart)\b"
)
"""Words that ask for several numbers though a sentence begins with `how many`."""
_AVERAGED = phrase_pattern(next(one.words for one in aggregates() if one.name == "avg"))
_BEHIND_PER = any_case(
    rf"\bper\s+(?:(?:{alternatives('checks.units_of_time')}|minute|second)\s+)?$"
)
"""What stands before what something is divided by: `per room`, `per hour watched`."""
_AMONG_GROUPS = any_case(
    r"\b(?:by|per|each|every)\s+(?:(?:\w+\s+){0,2}\w+\s*(?:,|\band)\s+)?(?:(?:by|per)\s+)?$"
)
_LISTS_TIMES = any_case(
    r"^\W*(?:(?:which|what|list|show|give me|find)\s+)?(?:the\s+|all\s+)*"
    r"(?:hours|days|weekdays|weeks|months|quarters|years)\b(?!\s+(?:of|between|from|since)\b)"
)
_HAVING = any_case(r"\b(?:has|have|had|having|with)\b")
_UNITS_OF_TIME = word_set("checks.units_of_time")
SEVERAL_GROUPS = 2
"""Groups of so many values and more show several numbers."""
_SPLIT = any_case(r"\s+(?:split|breakdown|distribution|mix)\b")
_BEHIND_FOR_EACH = any_case(r"\b(?:per|for each|for every)\s+$")


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
    apart = {place for key in sql.partition_keys for place in sql.places(key)}
    unnamed = [
        place for place in sorted(apart | sql.grouped_columns) if not _is_named(said, sql, place)
    ]
    if len(unnamed) == 1 and _asks_unnamed(said, sql):
        return
    for _, column in unnamed:
        yield doubt(Code.GROUP_ADDED, f"Nothing asks for groups of “{column}”.")


def _asks_unnamed(said: QuestionWords, sql: Statement) -> bool:
    """Whether a word asks for something that is not named: `which`, of no kind that is grouped."""
    asking = [at for at, word in enumerate(said.all[:-1]) if word.text in _ASKS_UNNAMED]
    behind = {said.all[at + 1].start for at in asking}
    grouped = sql.grouped_columns
    named = (one for one in said.request.links.names if (one.table, one.column) in grouped)
    return bool(asking) and not any(one.span[0] in behind for one in named)


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


def _is_named(said: QuestionWords, sql: Statement, place: Place) -> bool:
    """Whether the question names a column: by its name, a word alike, or its table's rows."""
    column = sql.catalog.column(*place)
    if column is None or column.role is Role.ID:
        return True
    if column.role is Role.DATE:
        return _speaks_of_time(said, column.name)
    links: list[NameLink | ValueLink] = [*said.request.links.names, *said.request.links.values]
    if place in {(one.table, one.column) for one in links}:
        return True
    parts = {stem(part) for one in (column.name, *column.synonyms) for part in spelled_out(one)}
    if place in sql.grouped_columns and _names_rows(said, place):
        parts |= _row_stems(sql, place[0])
    return not parts.isdisjoint(said.stems) or is_nearly_named(said, column.name)


def _names_rows(said: QuestionWords, place: Place) -> bool:
    """Whether a column tells the rows of its table apart, or is of their names."""
    facts = facts_of(said.request, *place)
    is_each_once = facts is not None and facts.distinct == facts.rows - facts.missing
    return is_each_once or not _NAME_ENDS.isdisjoint(spelled_out(place[1])[-1:])


def _row_stems(sql: Statement, name: str) -> set[str]:
    """Returns what the rows of a table are called, also by the keys that lead to them."""
    table = sql.catalog.table(name)
    if table is None:
        return set()
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


def check_unasked_groups(said: QuestionWords, sql: Statement) -> Iterator[Finding]:
    """Finds several numbers where one was asked for: `how many visits took place`, by place."""
    question, select = said.request.question, sql.tree
    begun = _ASKS_ONE_NUMBER.match(question) or _ASKS_ONE_FIGURE.match(question)
    if begun is None or sql.limits or not isinstance(select, exp.Select):
        return
    if any(find_cues(name, question) for name in ("each", "difference")):
        return
    make = fault if begun.re is _ASKS_ONE_NUMBER else doubt
    if _SPREADS.search(question, begun.end()):
        return
    shown = sql.shown_columns
    group = select.args.get("group")
    for place in (place for key in group or () for place in sql.places(key)):
        if place in shown and _values_of(said, place) < SEVERAL_GROUPS:
            yield make(Code.GROUP_ADDED, f"Nothing asks for a number of each “{place[1]}”.")


def check_rates(said: QuestionWords, sql: Statement) -> Iterator[Finding]:
    """Finds `revenue per guest` that is told of rows with one guest, with two, and so on."""
    question = said.request.question
    groups = sql.grouped_columns
    is_average = sql.find(exp.Avg) is not None and not _AVERAGED.search(question)
    is_sum = sql.find(exp.Sum) is not None
    if not sql.aggregates:
        return
    for link in said.request.links.names:
        column = sql.catalog.column(link.table, link.column or "")
        is_figure = column is not None and column.additivity is Additivity.SUM
        is_each = _BEHIND_PER.search(question[: link.span[0]]) and not link.text.endswith("s")
        if column and is_figure and is_each and (link.table, column.name) in groups:
            # `average price per room` may be that of homes with one room, with two, and so on.
            make = fault if is_average or is_sum or is_measured(column.name) else doubt
            yield make(Code.GROUP_ADDED, f"“per {link.text}” asks for a rate.", link.text)


def _values_of(said: QuestionWords, place: Place) -> int:
    """Returns how many values of a column are named: `how many men and women`."""
    values = said.request.links.values
    return len({one.value for one in values if (one.table, one.column) == place})


def check_whose_times(said: QuestionWords, sql: Statement) -> Iterator[Finding]:
    """Finds `per year of acquisition` that is also grouped by how each was acquired."""
    if not sql.is_over_time:
        return
    for link in said.request.links.names:
        place = (link.table, link.column or "")
        others = [one.span for one in said.request.links.names if one.span != link.span]
        says_whose = link.span[0] in said.whose_times
        is_kind = place in sql.grouped_columns and sql.role(place) is not Role.DATE
        if (
            is_kind
            and says_whose
            and all(link.span[1] <= a or b <= link.span[0] for a, b in others)
        ):
            message = f"“{link.text}” says of what the time is, and makes no groups."
            yield fault(Code.GROUP_ADDED, message, link.text)


def check_valued_groups(said: QuestionWords, sql: Statement) -> Iterator[Finding]:
    """Finds `per day` that is taken for a value of a column, such as the tariff of the day."""
    question = said.request.question
    for link in said.request.links.values:
        is_unit = stem(link.text.casefold()) in _UNITS_OF_TIME
        if not is_unit or not _AMONG_GROUPS.search(question[: link.span[0]]):
            continue
        tests = [one for one in sql.tests if (link.table, link.column) in one.columns]
        told = {squeezed(one.name) for test in tests for one in test.literals}
        if squeezed(str(link.value)) in told:
            yield fault(Code.EACH_DROPPED, f"“{link.text}” makes no groups.", link.text)


def check_bare_groups(said: QuestionWords, sql: Statement) -> Iterator[Finding]:
    """Finds `breakdowns by make` that only lists the makes."""
    question, select = said.request.question, sql.tree
    if not isinstance(select, exp.Select) or sql.aggregates or sql.is_ordered:
        return
    named = {
        (one.table, one.column)
        for one in said.request.links.names
        if one.column and BEHIND_GROUPED.search(question[: one.span[0]])
    }
    shown = sql.shown_columns
    if shown and shown <= named:
        yield fault(Code.EACH_DROPPED, "Groups are listed, and nothing is told of them.")


def check_listed_times(said: QuestionWords, sql: Statement) -> Iterator[Finding]:
    """Finds `days with more than 30 degrees` that lists all rows of such days."""
    select = sql.tree
    if not _LISTS_TIMES.match(said.request.question) or not isinstance(select, exp.Select):
        return
    tells_apart = any(select.args.get(one) for one in ("group", "distinct"))
    if sql.aggregates or tells_apart or select.find(*TIMED):
        return
    dates = [
        facts
        for name in set(sql.tables)
        if (table := sql.catalog.table(name))
        for column in table.columns
        if (facts := facts_of(said.request, name, column.name)) and column.role is Role.DATE
    ]
    is_each_once = any(one.distinct == one.rows - one.missing for one in dates)
    if dates and not (is_each_once and not any(isinstance(one.minimum, datetime) for one in dates)):
        yield fault(Code.OTHER_KIND, "Times were asked for, and rows are listed.")


def check_repeated_kinds(said: QuestionWords, sql: Statement) -> Iterator[Finding]:
    """Finds kinds that are listed once a row; in the order of their rows no row is told either."""
    kind = _listed_kind(said, sql)
    if kind is not None and sql.tree.args.get("distinct") is None:
        order = sql.tree.args.get("order")
        make = fault if order is not None and set(sql.places(order)) - {kind} else doubt
        message = f"Each “{kind[1]}” is listed as often as it has rows."
        yield make(Code.DISTINCT_DROPPED, message, kind[1])


def _listed_kind(said: QuestionWords, sql: Statement) -> Place | None:
    """Returns the column of a list of kinds that were asked for, each with several rows."""
    select = sql.tree
    if not isinstance(select, exp.Select) or sql.aggregates or len(select.selects) != 1:
        return None
    is_plain = not any(select.args.get(one) for one in ("group", "limit", "joins", "qualify"))
    place = sql.place(select.selects[0].unalias())
    if not is_plain or place is None or select.find(exp.Subquery, exp.Exists):
        return None
    column, facts = sql.catalog.column(*place), facts_of(said.request, *place)
    names = sorted(said.request.links.names, key=lambda one: one.span)
    asked = {(one.table, one.column) for one in names if one.span == names[0].span}
    is_kind = column is not None and column.role is Role.DIMENSION and place in asked
    repeats = facts is not None and 2 * facts.distinct <= facts.rows - facts.missing
    return place if is_kind and repeats else None


def check_counted_values(said: QuestionWords, sql: Statement) -> Iterator[Finding]:
    """Finds rows that are counted by a column that nobody asked for: `were inspected`."""
    question = said.request.question
    if _HAVING.search(question):
        return
    for one in sql.find_all(exp.Count):
        place = sql.place(one.this)
        column = sql.catalog.column(*place) if place else None
        facts = facts_of(said.request, *place) if place else None
        if column is None or column.role is not Role.DIMENSION:
            continue
        if facts is None or facts.missing:
            yield fault(Code.OTHER_ROWS, f"Rows without {column.name} are not counted.")


def check_splits(said: QuestionWords, sql: Statement) -> Iterator[Finding]:
    """Finds `gender split in sales` that only lists the genders."""
    if sql.aggregates or sql.group_keys:
        return
    for link in said.request.links.names:
        told = _SPLIT.match(said.request.question, link.span[1])
        if told and (link.table, link.column) in sql.columns:
            message = f"Nothing is told of each “{link.text}”."
            yield fault(Code.EACH_DROPPED, message, link.text)


def check_valued_nouns(said: QuestionWords, sql: Statement) -> Iterator[Finding]:
    """Finds `average discount of open orders` that is told of each order: nothing says so."""
    question = said.request.question
    if find_cues("each", question) or find_cues("difference", question) or sql.limits:
        return
    values = {one.span[1] for one in said.request.links.values}
    for key in sql.group_keys:
        for place in sql.places(key):
            links = [one for one in said.request.links.names if (one.table, one.column) == place]
            if links and all(one.span[0] - 1 in values for one in links):
                message = f"Nothing asks for groups of “{place[1]}”."
                yield fault(Code.GROUP_ADDED, message, links[0].text)


def check_groups_of_rows(said: QuestionWords, sql: Statement) -> Iterator[Finding]:
    """Finds `invoices per customer` where no column is of customers, and nothing is grouped."""
    if sql.group_keys or sql.find(exp.Div, exp.Avg) is not None:
        return
    for word in rows_by_other_names(said, sql):
        at = said.request.question.find(word)
        if _BEHIND_FOR_EACH.search(said.request.question[:at]):
            yield fault(Code.EACH_DROPPED, f"“per {word}” makes no groups.", word)


CHECKS = (
    check_each,
    check_shared_things,
    check_other_rates,
    check_added_groups,
    check_whose_times,
)
