"""Phrases of a question that its SQL leaves out although each of their words stands somewhere.

A word counts as used where a column of its name is read; whether it is read for what the phrase
says of it is told here.
"""

from collections.abc import Iterator, Sequence
from itertools import pairwise

from sqlglot import exp

from modelwright.engines.language.catalog.meaning import (
    Additivity,
    CatalogColumn,
    CatalogTable,
    Role,
)
from modelwright.engines.language.checks.findings import Code, Finding, doubt, fault
from modelwright.engines.language.checks.statement import Place, Statement
from modelwright.engines.language.checks.unexplained import (
    ASKS_HOW_MUCH,
    is_named,
    names_column,
    unexplained_by_names,
)
from modelwright.engines.language.checks.words import QuestionWords, facts_of
from modelwright.engines.language.readers import NameLink
from modelwright.engines.language.rules.mentions.rows import names_people, tells_kinds
from modelwright.engines.language.rules.mentions.units import adds_to
from modelwright.engines.language.rules.text.lexicon import spelled_out
from modelwright.engines.language.rules.text.words import Word, stem
from modelwright.engines.language.vocabulary import any_case, cue_words, find_cues, word_set

_HAVING_ANY = any_case(
    r"\b(?:with|without|having|has|have|had)\s+(?:an?|any|no|some)\s+$|\bany\s+$"
)
_HAVING = any_case(r"\b(?:with|without|having|has|have|had)\s+$")
_OF_ALL = any_case(r"\b(?:of|among)\s+all\s+(?:the\s+)?$")
_WITH_THEIR = any_case(r"\b(?:with|and|along with) (?:their|its|his|her)\b")
_LISTS_WITH = any_case(r"^\W*list\s+(?:all\s+|the\s+|of\s+)*\w+s\s+(?:with|and)\s+(?!the most\b)")
_ASKS_WHO = any_case(r"^\W*(?:who|whom|whose)\b")
_ASKS_HOW = any_case(
    r"^\W*how\s+(?!many\b|much\b|often\b)\w+\s+(?:is|are|was|were|do|does|did|has|have|had)\b"
)
_NEWEST = any_case(r"\b(?:latest|newest|most recent|earliest)\b")
_KEY_NAMES = word_set("checks.key_names")
_SHARE_OF = any_case(r"(?:\b(?:shares?|percent\w*|proportion|fraction)|%)\s+of\s+(?:the\s+)?$")
"""What stands before the things of which a share is told."""
_OF_WHICH = any_case(r"\s+\w+s\s+(?:that|which|who|were|was|are|is|have|has|had|got|get)\b")
"""What stands behind a kind of things of which a part is told."""
_ALL_COLUMNS = any_case(r"\s*SELECT\s+\*")
_INCLUDING = any_case(r"\W*(?:including|incl|plus|together with)\W+(?:(?:the|any|their)\s+)?")
_AND = any_case(
    r"\W*(?:and|including|incl|plus|together with)\W+(?:(?:the|any|their)\s+)?"
    r"|\s*[+&]\s*"
)
"""Between two figures: `pay including bonus`, `pay and bonus`."""
_BESIDE = any_case(r"\s*(?:in|of)\s+(?:the\s+)?")
FIRST_WORDS_CHARS = 12
"""A figure is what is asked for where it is named so near the beginning."""


def check_having_any(said: QuestionWords, sql: Statement) -> Iterator[Finding]:
    """Finds `with any discount` and `with a basement` that leave no row out."""
    question = said.request.question
    tested = _tested(sql)
    for link in _columns(said):
        before = question[: link.span[0]]
        is_having = _HAVING_ANY.search(before) or (
            _HAVING.search(before) and _is_named_before(said, link)
        )
        if not is_having or link.column is None:
            continue
        place = link.table, link.column
        if place in sql.columns - tested and not _is_shared(said, link, tested):
            lacking = {place for one in sql.find_all(exp.Is) for place in sql.places(one)}
            is_counted = place in lacking or any(place in test.columns for test in sql.tests)
            if is_counted and (find_cues("share", before) or sql.find(exp.Sub) is not None):
                continue
            make = doubt if is_counted else fault
            yield make(Code.WORD_LEFT_OUT, f"“{link.text}” leaves no row out.", link.text)


def _is_named_before(said: QuestionWords, link: NameLink) -> bool:
    """Whether a figure is asked for and named once more: `average gain of people with a gain`."""
    return any(
        (one.table, one.column) == (link.table, link.column) and one.span[1] <= link.span[0]
        for one in _columns(said)
    )


def _is_shared(said: QuestionWords, link: NameLink, tested: set[Place]) -> bool:
    """Returns whether the same words name another column that is tested."""
    same = [one for one in _columns(said) if one.span == link.span]
    return any((one.table, one.column) in tested for one in same)


def check_bases(said: QuestionWords, sql: Statement) -> Iterator[Finding]:
    """Finds shares `of all churned customers`, or `of paintings sold`, that are of all rows."""
    question = said.request.question
    if not find_cues("share", question) or sql.find(exp.Div) is None:
        return
    tested = _tested(sql)
    links = [(one.span, one.table, one.column, one.text) for one in said.request.links.values]
    flags = (one for one in _columns(said) if sql.role((one.table, str(one.column))) is Role.FLAG)
    links += [(one.span, one.table, str(one.column), one.text) for one in flags]
    has_more = len(sql.tested_columns - tested) > 1
    for span, table, column, text in links:
        is_thing = has_more and text.endswith("s") and not text.istitle()
        is_base = _OF_ALL.search(question[: span[0]]) is not None
        is_kind = has_more and _OF_WHICH.match(question, span[1]) is not None
        is_of = _SHARE_OF.search(question[: span[0]]) is not None
        is_base = is_base or (is_of and (is_thing or is_kind))
        if is_base and (table, column) in sql.columns - tested:
            yield fault(Code.WORD_LEFT_OUT, f"It is not a share of “{text}” alone.", text)


def check_figure(said: QuestionWords, sql: Statement) -> Iterator[Finding]:
    """Finds rows that are counted where a figure by name was asked for: `vote over time`."""
    question = said.request.question
    if not sql.counts or find_cues("count", question):
        return
    links = sorted(_columns(said), key=lambda one: one.span)
    first = [one for one in links if one.span == links[0].span] if links else []
    if not first or first[0].span[0] > FIRST_WORDS_CHARS or not isinstance(sql.tree, exp.Select):
        return
    shown = sql.shown_columns
    named = {(one.table, str(one.column)) for one in first}
    are_measures = all(sql.role(place) is Role.MEASURE for place in named)
    if are_measures and not named & (shown | sql.grouped_columns):
        told = first[0].text
        yield doubt(Code.OTHER_KIND, f"Rows are counted, and “{told}” is not shown.", told)


def check_listing(said: QuestionWords, sql: Statement) -> Iterator[Finding]:
    """Finds lists `of singers with their age` that tell only the age, or `with total` one sum."""
    question, select = said.request.question, sql.tree
    if sql.aggregates and not sql.group_keys and _LISTS_WITH.match(question):
        yield fault(Code.OTHER_KIND, "Rows are to be listed, and one number is shown.")
    if not isinstance(select, exp.Select) or sql.aggregates or not _WITH_THEIR.search(question):
        return
    if len(select.selects) == 1:
        yield doubt(Code.OTHER_KIND, "What is listed is told without what it belongs to.")


def check_persons(said: QuestionWords, sql: Statement) -> Iterator[Finding]:
    """Finds rows, or yes and no, that are shown where somebody was asked for."""
    if not _ASKS_WHO.search(said.request.question):
        return
    if isinstance(sql.tree, exp.Select):
        told = [one for one in sql.tree.selects if one.find(exp.AggFunc) is None]
        if named := {place for one in told for place in sql.places(one)}:
            yield from _of_nobody(sql, named)
        shown = sql.shown_columns
        if shown and all(_numbers_rows(sql, place) for place in shown):
            yield fault(
                Code.OTHER_KIND, "Somebody was asked for, and only a number of rows is shown."
            )
    if not _ALL_COLUMNS.match(sql.sql):
        return
    tables = sql.read_tables
    if not any(_names_somebody(table, one) for table in tables for one in table.columns):
        yield fault(Code.OTHER_KIND, "Somebody was asked for, and the rows name nobody.")


def _of_nobody(sql: Statement, shown: set[Place]) -> Iterator[Finding]:
    """Finds columns that are of nobody: yes and no, keys into other tables, kinds."""
    if all(sql.role(place) is Role.FLAG for place in shown):
        yield fault(Code.OTHER_KIND, "Somebody was asked for, and only yes or no is shown.")
    elif shown <= _keys_elsewhere(sql):
        yield fault(Code.OTHER_KIND, "Somebody was asked for, and only a key is shown.")
    kinds = {one for one in shown if tells_kinds(one[1])}
    texts = {one for one in shown if sql.role(one) is Role.DIMENSION}
    if kinds and texts <= kinds and not any(sql.role(one) is Role.ID for one in shown):
        yield fault(Code.OTHER_KIND, "Somebody was asked for, and only a kind is shown.")


def _numbers_rows(sql: Statement, place: Place) -> bool:
    """Whether a column numbers the rows of its table, which are no people: `firing_id`."""
    table = sql.catalog.table(place[0])
    is_key = table is not None and table.key == place[1]
    return is_key and not names_people(place[1]) and spelled_out(place[1])[-1] in _KEY_NAMES


def _names_somebody(table: CatalogTable, column: CatalogColumn) -> bool:
    """Whether a column holds names, or tells the rows apart as people: `worker_id`."""
    parts = spelled_out(column.name)
    is_name = column.role in {Role.ID, Role.DIMENSION} and "name" in parts
    return is_name or (table.key == column.name and names_people(column.name))


def check_sums(_: QuestionWords, sql: Statement) -> Iterator[Finding]:
    """Finds figures that are added though they are of different kinds: money and percent."""
    for one in sql.find_all(exp.Add):
        first, second = (
            {place[1] for place in sql.places(side)} for side in (one.this, one.expression)
        )
        if len(first) == len(second) == 1 and not adds_to(*first, *second):
            message = f"“{min(first)}” and “{min(second)}” are added, and their units differ."
            yield fault(Code.OTHER_UNIT, message, min(first), min(second))


def check_parts(said: QuestionWords, sql: Statement) -> Iterator[Finding]:
    """Finds `pay including bonus` and `pay and bonus` that tell only one of both figures."""
    question = said.request.question
    for first, second in pairwise(_figures(said, sql)):
        between = question[first.span[1] : second.span[0]]
        places = [(one.table, str(one.column)) for one in (first, second)]
        is_both = sql.columns.issuperset(places)
        if not _AND.fullmatch(between) or places[0] == places[1] or not sql.aggregates:
            continue
        if _INCLUDING.fullmatch(between) and not adds_to(places[0][1], places[1][1]):
            message = f"“{second.text}” cannot be added to “{first.text}”: their units differ."
            yield fault(Code.OTHER_UNIT, message, second.text)
        elif _INCLUDING.fullmatch(between) and not (is_both and sql.find(exp.Add)):
            message = f"“{second.text}” is not added to “{first.text}”."
            yield fault(Code.PART_LEFT_OUT, message, places[0][1], places[1][1])
        elif not is_both and sql.columns & set(places):
            left = second if places[0] in sql.columns else first
            yield fault(Code.WORD_LEFT_OUT, f"“{left.text}” is not told.", left.text)


def _figures(said: QuestionWords, sql: Statement) -> list[NameLink]:
    """The figures that are named, in order: of two called alike the one that is told."""
    links = [
        one for one in _columns(said) if sql.role((one.table, one.column or "")) is Role.MEASURE
    ]
    told = {one.span for one in links if (one.table, str(one.column)) in sql.columns}
    kept = [
        one for one in links if one.span not in told or (one.table, str(one.column)) in sql.columns
    ]
    return sorted(kept, key=lambda one: one.span)


def check_figures(said: QuestionWords, sql: Statement) -> Iterator[Finding]:
    """Finds rows that are shown where one figure was asked for: `how tall are they`."""
    counts = all(isinstance(one, exp.Count) for one in sql.aggregates)
    is_number = find_cues("count", said.request.question) or sql.tree.find(exp.Div) is not None
    if ASKS_HOW_MUCH.match(said.request.question) and sql.aggregates and counts and not is_number:
        yield fault(Code.OTHER_KIND, "An amount was asked for, and rows are counted.")
    if ASKS_HOW_MUCH.match(said.request.question) and _lists_figures(said, sql):
        yield fault(Code.OTHER_KIND, "A figure was asked for, and that of each row is shown.")
    if not _ALL_COLUMNS.match(sql.sql) or sql.limits:
        return
    for asks, make in ((_ASKS_HOW, doubt), (ASKS_HOW_MUCH, fault)):
        if asks.match(said.request.question):
            yield make(Code.OTHER_KIND, "A figure was asked for, and whole rows are shown.")


def _lists_figures(said: QuestionWords, sql: Statement) -> bool:
    """Whether figures that add up, or nothing but figures, are shown of rows one by one."""
    select = sql.tree
    if not isinstance(select, exp.Select) or sql.aggregates or sql.limits or sql.group_keys:
        return False
    shown = sql.shown_columns
    tested = {place for test in sql.tests for place in test.columns if test.operator == "="}
    facts = [facts_of(said.request, *place) for place in tested]
    tells_one = any(one is not None and one.distinct * 2 > one.rows for one in facts)
    first = [sql.catalog.column(*place) for place in sql.places(select.selects[0])]
    adds_up = any(one is not None and one.additivity is Additivity.SUM for one in first)
    are_figures = bool(shown) and all(sql.role(one) is Role.MEASURE for one in shown)
    return (adds_up or are_figures) and not tells_one


def check_named_figures(said: QuestionWords, sql: Statement) -> Iterator[Finding]:
    """Finds a figure that nobody named, beside a word that is left out: the price as `dividend`.

    The fee is none of an `insurance value`: no word of its name is said, and what tells which value
    is left out.
    """
    vague = cue_words("any_figure")
    left = [one for one in unexplained_by_names(said, sql) if one.text not in vague]
    if not left or not isinstance(sql.tree, exp.Select) or _ALL_COLUMNS.match(sql.sql):
        return
    shown = sql.shown_columns
    for place in sorted(shown):
        if sql.role(place) is not Role.MEASURE:
            continue
        word = _before_loose_name(said, sql, place, left)
        if word is not None:
            message = f"“{word.raw}” was not used, and “{place[1]}” is not called so."
            yield fault(Code.FIGURE_FROM_NOWHERE, message, word.raw)
            return
        if not is_named(said, sql, place):
            raw = left[0].raw
            message = f"Nothing names “{place[1]}”, and “{raw}” was not used."
            yield doubt(Code.FIGURE_FROM_NOWHERE, message, raw)
            return


def check_listed_figures(said: QuestionWords, sql: Statement) -> Iterator[Finding]:
    """Finds `delays over 2 hours` that lists the fares of such rows, which nothing names."""
    select = sql.tree
    if not isinstance(select, exp.Select) or _ALL_COLUMNS.match(sql.sql):
        return
    if sql.aggregates or sql.limits or sql.is_ordered or not sql.tests:
        return
    shown = [sql.place(one.unalias()) for one in select.selects]
    tested = sql.tested_columns
    for place in shown:
        is_figure = place is not None and sql.role(place) is Role.MEASURE
        if place and is_figure and place not in tested and not is_named(said, sql, place):
            message = f"Nothing names “{place[1]}”."
            yield fault(Code.FIGURE_FROM_NOWHERE, message, place[1])


def _before_loose_name(
    said: QuestionWords, sql: Statement, place: Place, left: Sequence[Word]
) -> Word | None:
    """Returns the word left out right before the one that only by its sense is a column's name."""
    own = {stem(part) for part in spelled_out(place[1])}
    if own & said.stems:
        return None
    for word, after in pairwise(said.all):
        if word in left and names_column(said, sql, place, after.raw):
            return word
    return None


def check_newest(said: QuestionWords, sql: Statement) -> Iterator[Finding]:
    """Finds the `latest price` that is the highest one: nothing of it looks at a date."""
    newest = _NEWEST.search(said.request.question)
    if newest is None or any(sql.role(place) is Role.DATE for place in sql.columns):
        return
    tables = sql.read_tables
    if any(one.role is Role.DATE for table in tables for one in table.columns):
        told = newest.group()
        yield fault(Code.SUPERLATIVE_DROPPED, f"“{told}” does not look at a date.", told)


def check_changes(said: QuestionWords, sql: Statement) -> Iterator[Finding]:
    """Finds `change in manufacturing` that is told by a column of other changes."""
    question = said.request.question
    if sql.find(exp.Sub, exp.Div, exp.Window, exp.Lag, exp.DateDiff) is not None:
        return
    for cue in find_cues("change", question):
        if cue.text == "trend" and sql.is_over_time:
            continue
        beside = _BESIDE.match(question, cue.end)
        links = [one for one in _columns(said) if beside and one.span[0] == beside.end()]
        if links and not any(cue.text in str(one.column).casefold() for one in links):
            message = f"“{cue.text}” of “{links[0].text}” is not computed."
            yield fault(Code.AGGREGATE_DROPPED, message, cue.text)


def _tested(sql: Statement) -> set[Place]:
    """Returns the columns by which rows are left out, those of `FILTER` not among them."""
    wheres = (one for one in sql.find_all(exp.Where) if isinstance(one.parent, exp.Select))
    return {place for one in wheres for place in sql.places(one)}


def _keys_elsewhere(sql: Statement) -> set[Place]:
    """Returns the keys to rows that the statement does not read: who it is stands there."""
    return {
        (one.table, one.column)
        for one in sql.catalog.relationships
        if sql.tables.count(one.to_table) < 1 + (one.to_table == one.table)
    }


def _columns(said: QuestionWords) -> list[NameLink]:
    return [one for one in said.request.links.names if one.column]


CHECKS = (
    check_having_any,
    check_bases,
    check_figure,
    check_listing,
    check_persons,
    check_parts,
    check_sums,
    check_figures,
    check_named_figures,
    check_listed_figures,
    check_newest,
    check_changes,
)
