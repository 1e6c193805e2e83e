"""Whether a result is of the kind that was asked for: `when` a date, `who` somebody's name.

SQL that uses every word of a question may still show a number to who asked for a name.
"""

from collections.abc import Collection, Iterator
from itertools import pairwise

from sqlglot import exp

from modelwright.engines.facts import ColumnFacts
from modelwright.engines.language.catalog.meaning import CatalogColumn, Role
from modelwright.engines.language.checks.findings import Code, Finding, doubt, fault
from modelwright.engines.language.checks.statement import Place, Statement, Test
from modelwright.engines.language.checks.unexplained import (
    is_named,
    names_column,
    rows_by_other_names,
    unknown_words,
)
from modelwright.engines.language.checks.words import QuestionWords, facts_of, number_of
from modelwright.engines.language.readers import ValueLink
from modelwright.engines.language.row_nouns import is_row_word
from modelwright.engines.language.rules.columns.list_values import parts_of
from modelwright.engines.language.rules.mentions.units import lasts, measures
from modelwright.engines.language.rules.text.lexicon import lexicon, spelled_out
from modelwright.engines.language.rules.text.words import Word, squeezed, stem
from modelwright.engines.language.vocabulary import any_case, cue_words, find_cues, word_set

_ASKS_WHEN = any_case(r"^\W*(?:when\b|(?:on|in) (?:which|what) (?:day|date|month|year)\b)")
_ALSO_WHEN = any_case(r"(?:\band\b|,)\s*(?:when|on (?:which|what) (?:day|date))\b")
_ASKS_WHICH = any_case(
    r"(?:^|[,;] *|\bfor )\W*(?:who\b|whose\b|(?:which|what)\s+(?!is\b|are\b|was\b|were\b|share\b"
    r"|percent|proportion|fraction|number\b|rate\b|did\b|does\b|do\b|if\b|average\b|total\b)\w+)"
)
_ASKS_WHY = any_case(r"^\W*(?:why|for what reasons?|what causes?)\b")
_ASKS_WHO = any_case(r"^\W*who\b")
VARIED_ROWS = 4
"""A measure with a value for no more rows than this is no kind of row."""
_PEOPLE = frozenset(map(stem, word_set("rows.people")))
_REASONS = word_set("names.reasons")
_TIMES = word_set("checks.of_times")
_KEY_NAMES = word_set("checks.key_names")
_TIMED = (exp.Extract, exp.Month, exp.Year, exp.TimestampTrunc, exp.DateTrunc)
_BY = any_case(r"\bby\s+$")
_BY_WHAT = any_case(r"\b(?:by|per|for each|for every|in each)\s+(?:the\s+)?$")
_ENDS_COUNTED = word_set("checks.prepositions", "small_words.grouping", "checks.relative")
"""What ends the words for what a number counts."""
_LISTED = any_case(r"\s*(?:,|&|,?\s*(?:and|or))\s*")
"""What stands between two of a list."""
_HOW_OFTEN = any_case(
    r"\b(?P<verb>\w+)(?: (?:in|out|up|back|here|there))? (?:the )?"
    r"(?:most|least|more|less) (?:often|frequently)\b"
)
_OCCURRING = word_set("checks.occurring")
_TIES = frozenset({"in", "by", "with", "on", "via", "at"})
"""What ties a verb to its thing."""
_CALLED = frozenset(map(stem, ("called", "named", "titled")))
"""What a name stands behind."""
NAMES_ROWS = 0.9
"""Which share of the rows a name tells from all others at least."""
_NO_GROUPS = ("order", "superlative_high", "superlative_low", "difference")


def check_kind(said: QuestionWords, sql: Statement) -> Iterator[Finding]:
    """Finds results that show no reason, date or name where one was asked for."""
    question = said.request.question
    if _ASKS_WHY.search(question) and not any(_REASONS & _stems(place) for place in sql.columns):
        yield fault(Code.OTHER_KIND, "A reason was asked for, and none is shown.", "why")
    if not isinstance(sql.tree, exp.Select) or sql.tree.is_star:
        return
    shown = [one.unalias() for one in sql.tree.selects]
    asks_also = _ALSO_WHEN.search(question)
    asks_when = asks_also or _ASKS_WHEN.search(question)
    if asks_when and not any(_tells_time(one, sql) for one in shown):
        make = fault if asks_also else doubt
        yield make(Code.OTHER_KIND, "A date was asked for, and none is shown.")
    elif _ASKS_WHICH.search(question):
        yield from _without_names(said, sql, shown)


def _without_names(
    said: QuestionWords, sql: Statement, shown: list[exp.Expression]
) -> Iterator[Finding]:
    """Finds figures, dates and keys where names were asked for."""
    is_who = _ASKS_WHO.search(said.request.question) is not None
    if not any(_tells_which(one, sql) for one in shown):
        make = fault if is_who else doubt
        yield make(Code.OTHER_KIND, "A name was asked for, and figures are shown.")
    elif is_who and all(_is_time(one, sql) for one in shown):
        yield fault(Code.OTHER_KIND, "Somebody was asked for, and a date is shown.")
    elif _shows_keys(said, shown, sql) and not _names_a_key(said):
        yield doubt(Code.OTHER_KIND, "Names were asked for, and keys are shown.")


def _tells_time(shown: exp.Expression, sql: Statement) -> bool:
    if shown.find(*_TIMED) is not None:
        return True
    for place in sql.places(shown):
        column = sql.catalog.column(*place)
        if column and (column.role is Role.DATE or _TIMES & {stem(p) for p in _parts(column)}):
            return True
    return False


def _stems(place: Place) -> set[str]:
    return {stem(part) for part in spelled_out(place[1])}


def _is_time(shown: exp.Expression, sql: Statement) -> bool:
    """Whether nothing but a figure or a date is shown."""
    columns = [sql.catalog.column(*place) for place in sql.places(shown)]
    return bool(columns) and all(one and one.role in {Role.DATE, Role.MEASURE} for one in columns)


def _tells_which(shown: exp.Expression, sql: Statement) -> bool:
    """Whether something of the result tells rows or groups apart."""
    if isinstance(shown, exp.ArgMax | exp.ArgMin | exp.Anonymous) or _tells_time(shown, sql):
        return True
    if shown.find(exp.AggFunc) is not None:
        return False
    columns = [sql.catalog.column(*place) for place in sql.places(shown)]
    return not columns or any(one and one.role is not Role.MEASURE for one in columns)


def _shows_keys(said: QuestionWords, shown: list[exp.Expression], sql: Statement) -> bool:
    """Whether rows are told by nothing but keys though the tables that are read have names."""
    shown = [one for one in shown if one.find(exp.AggFunc) is None]
    if any(not isinstance(one, exp.Column) for one in shown):
        return False
    keys = {(one.table, one.column) for one in sql.catalog.relationships}
    keys |= {(one.name, one.key) for one in sql.catalog.tables if one.key}
    numbers = [place for one in shown for place in sql.places(one)]
    if not numbers or any(place not in keys or _is_text(said, place) for place in numbers):
        return False
    tables = [sql.catalog.table(name) for name in set(sql.tables)]
    return any("name" in _parts(column) for one in tables if one for column in one.columns)


def _is_text(said: QuestionWords, place: Place) -> bool:
    facts = facts_of(said.request, *place)
    return facts is None or facts.type == "string"


def _names_a_key(said: QuestionWords) -> bool:
    return bool(_KEY_NAMES & said.stems)


def _parts(column: CatalogColumn) -> list[str]:
    return [part.casefold() for part in spelled_out(column.name)]


def check_groups(said: QuestionWords, sql: Statement) -> Iterator[Finding]:
    """Finds `by` without groups, also of a total that is not added up."""
    question = said.request.question
    adds_up = bool(sql.aggregates or find_cues("sum", question))
    unknown = unknown_words(said, sql)
    for word in said.all:
        if word.raw in unknown and _BY_WHAT.search(question[: word.start]):
            yield fault(Code.EACH_DROPPED, f"“by {word.raw}” makes no groups.", word.raw)
    if not adds_up or _shows_groups(sql) or _is_sorted(said, sql):
        return
    starts = {link.span[0]: link for link in said.request.links.names if link.column}
    named = [link for at, link in starts.items() if _BY.search(question[:at])]
    if named:
        yield doubt(Code.EACH_DROPPED, f"“by {named[0].text}” makes no groups.", named[0].text)
    rows = set(rows_by_other_names(said, sql))
    for word in said.all:
        if word.raw in rows and _BY.search(question[: word.start]):
            yield fault(Code.EACH_DROPPED, f"“by {word.raw}” makes no groups.", word.raw)


def _shows_groups(sql: Statement) -> bool:
    return bool(sql.group_keys) or sql.find(exp.Window, exp.Distinct, exp.Pivot) is not None


def _is_sorted(said: QuestionWords, sql: Statement) -> bool:
    """Whether `by` may say what rows are ordered or compared by."""
    question = said.request.question
    return sql.is_ordered or any(find_cues(name, question) for name in _NO_GROUPS)


def check_measured_groups(said: QuestionWords, sql: Statement) -> Iterator[Finding]:
    """Finds groups of what is measured, not counted."""
    for place in map(sql.place, sql.group_keys):
        column = sql.catalog.column(*place) if place else None
        facts = facts_of(said.request, *place) if place else None
        if column and facts and _is_measured(column, facts):
            yield doubt(Code.GROUP_ADDED, f"“{column.name}” is a measure.", column.name)


def _is_measured(column: CatalogColumn, facts: ColumnFacts) -> bool:
    """Whether a column tells amounts, so that hardly two rows share one."""
    is_varied = facts.distinct * VARIED_ROWS > facts.rows
    return facts.type == "float" or (column.role is Role.MEASURE and is_varied)


def check_counting(said: QuestionWords, sql: Statement) -> Iterator[Finding]:
    """Finds values that are counted each time they stand, or once where rows were asked for."""
    kinds = _counted_kinds(said, sql)
    for one in sql.counts:
        is_distinct = isinstance(one.this, exp.Distinct)
        places = set(sql.places(one))
        if kinds and not is_distinct and not sql.group_keys and places <= kinds:
            named = next(iter(kinds))[1]
            yield doubt(Code.DISTINCT_DROPPED, f"Each “{named}” is counted more than once.", named)
        if not is_distinct or find_cues("distinct", said.request.question):
            continue
        if one.find_ancestor(exp.Having) is not None:  # things with so many kinds of something
            continue
        for place in places - kinds:
            column = sql.catalog.column(*place)
            table = sql.catalog.table(place[0])
            if column and table and column.role is not Role.ID and table.key != column.name:
                yield doubt(Code.DISTINCT_ADDED, f"Nothing asks for different “{column.name}”.")
    for word in rows_by_other_names(said, sql):
        make = fault if _is_another_thing(sql, word) else doubt
        yield make(Code.OTHER_ROWS, f"“{word}” was taken for the rows of the table.", word)


def _is_another_thing(sql: Statement, word: str) -> bool:
    """Whether rows are called by a usual word, and this is one for others: a loan, of bookings.

    People are called by many words.
    """
    tables = sql.read_tables
    nouns = {noun for table in tables for noun in table.row_nouns}
    own = {stem(one) for one in nouns} | {stem(p) for one in tables for p in spelled_out(one.name)}
    usual = lexicon().entities | lexicon().row_words
    said = stem(word.casefold())
    is_thing = said in lexicon().entities - _PEOPLE and said not in own
    return is_thing and bool(own & usual)


def _counted_kinds(said: QuestionWords, sql: Statement) -> set[Place]:
    """Returns the columns of kinds of which a number is asked: `how many regions are there`."""
    question = said.request.question
    ends = [cue.end for cue in find_cues("count", question)]
    links = [
        link
        for link in said.request.links.names
        if any(question[end : link.span[0]].strip() == "" for end in ends)
    ]
    if any(link.column is None for link in links):
        return set()
    found = {(link.table, link.column) for link in links if link.column}
    told = ((place, sql.catalog.column(*place)) for place in found)
    return {place for place, column in told if column and column.role is Role.DIMENSION}


def check_counts_compared(said: QuestionWords, sql: Statement) -> Iterator[Finding]:
    """Finds `artists with more than 15 sold lots` of whom something else than lots is over 15.

    What stands behind a number is what it counts, unless it is the unit of what is compared.
    """
    numbers = {place for one in sql.tests if _compares_plainly(one) for place in one.columns}
    unnamed = sorted(
        place for place in numbers if not is_named(said, sql, place) or _numbers_rows(sql, place)
    )
    for at, word in enumerate(said.all):
        number = number_of(word.text)
        counted = _counted_behind(said, sql, at) if number is not None else ""
        for place in unnamed if counted else ():
            tests = [one for one in sql.tests if _compares_plainly(one) and place in one.columns]
            values = {float(literal.name) for one in tests for literal in one.literals}
            is_meant = names_column(said, sql, place, counted) and not _numbers_rows(sql, place)
            if number in values and not is_meant:
                message = f"“{word.raw} {counted}” is no number of “{place[1]}”."
                yield fault(Code.OTHER_KIND, message, word.raw, counted)


def check_how_often(said: QuestionWords, sql: Statement) -> Iterator[Finding]:
    """Finds `which breed comes in most often` that counts the animals, not their visits.

    A thing is one row; what it does time and again are rows of a table that points to it.
    """
    found = _HOW_OFTEN.search(said.request.question)
    read = {table.name: table for table in sql.read_tables}
    if found is None or not sql.counts or found["verb"].casefold() in _OCCURRING:
        return
    called = {stem(noun) for table in read.values() for noun in table.row_nouns}
    pointing = {one.table for one in sql.catalog.relationships if one.to_table in read}
    deeds = [
        table.name
        for table in sql.catalog.tables
        if table.name in pointing - read.keys()
        and any(column.role is Role.DATE for column in table.columns)
    ]
    if deeds and stem(found["verb"].casefold()) not in called:
        message = f"“{found.group()}” is told without the rows of {deeds[0]}."
        yield fault(Code.OTHER_ROWS, message, found["verb"])


def _numbers_rows(sql: Statement, place: Place) -> bool:
    """Whether a column is called as one row of its table: the `flight` of flights."""
    table = sql.catalog.table(place[0])
    nouns = set(table.row_nouns) if table else set()
    return f"{place[1].casefold()}s" in nouns


def _compares_plainly(test: Test) -> bool:
    is_number = bool(test.literals) and all(one.is_number for one in test.literals)
    return is_number and not test.aggregated and test.operator in {"=", ">", ">=", "<", "<="}


def _counted_behind(said: QuestionWords, sql: Statement, at: int) -> str:
    """Returns the plural behind a number, which calls the rows or what a column holds."""
    for word in said.all[at + 1 : at + 3]:
        if word.text in _ENDS_COUNTED or lasts(word.text) or measures(word.text):
            return ""
        if word.text.endswith("s") and (is_row_word(word) or _calls_something(said, sql, word)):
            return word.raw
    return ""


def _calls_something(said: QuestionWords, sql: Statement, word: Word) -> bool:
    """Whether a plural calls the rows of a table, or names a column of the tables read."""
    told = (one for one in said.request.links.names if one.span[0] <= word.start < one.span[1])
    return any(one.table in sql.tables for one in told)


def check_repeated_tests(_: QuestionWords, sql: Statement) -> Iterator[Finding]:
    """Finds columns of which one value is taken and that are grouped by, or denied, as well."""
    grouped = sql.grouped_columns
    taken: dict[Place, set[str]] = {}
    for test in sql.tests:
        if test.operator in {"=", "!="} and not test.aggregated:
            for place in test.columns:
                taken.setdefault(place, set()).add("!=" if test.negated else test.operator)
    for place, operators in taken.items():
        if ("=" in operators and place in grouped) or len(operators) > 1:
            yield doubt(Code.TESTED_TWICE, f"“{place[1]}” is held to one value and told apart.")


def check_values(said: QuestionWords, sql: Statement) -> Iterator[Finding]:
    """Finds a value that other columns hold as well, where no word says which is meant."""
    for test in sql.tests:
        for literal in test.literals:
            if not literal.is_string or not test.columns:
                continue
            told = squeezed(literal.name)
            held = {
                (link.table, link.column)
                for link in said.request.links.values
                if squeezed(str(link.value)) == told
            }
            others = {one for one in held - sql.columns if not _is_joined(sql, one, test)}
            called = any(_is_called(said, sql, place) for place in test.columns)
            if others and (not called or _counts_by_name(said, sql, test, literal.name, others)):
                named = ", ".join(sorted(column for _, column in others))
                yield doubt(
                    Code.AMBIGUOUS_VALUE, f"“{literal.name}” is a value of {named} as well."
                )


def _counts_by_name(
    said: QuestionWords, sql: Statement, test: Test, value: str, others: Collection[Place]
) -> bool:
    """Whether rows are counted by their own name, which is that of what they belong to as well.

    `How many tracks does X have` calls the tracks that are counted, not what X is; `how many
    tracks called X`, with the value right behind, does. `others` hold the value besides.
    """
    told = (one for one in said.request.links.values if squeezed(str(one.value)) == squeezed(value))
    start = next((one.span[0] for one in told), 0)
    before = {word.stem for word in [one for one in said.all if one.start < start][-1:]}
    counts = isinstance(sql.tree, exp.Select) and not sql.group_keys and sql.tree.find(exp.Count)
    if not counts or not any(_tells_rows(said, place) for place in others):
        return False
    return any(
        _tells_rows(said, place) and before.isdisjoint(_called_by(sql, place) | _CALLED)
        for place in test.columns
    )


def _tells_rows(said: QuestionWords, place: Place) -> bool:
    """Whether a text is another one for nearly each row."""
    facts = facts_of(said.request, *place)
    return facts is not None and facts.distinct >= NAMES_ROWS * max(1, facts.rows)


def check_parts_of_lists(said: QuestionWords, sql: Statement) -> Iterator[Finding]:
    """Finds `with a shed` that leaves out those with a shed and a pond."""
    for test in sql.tests:
        if test.operator not in {"=", "!=", "in"} or len(test.columns) != 1:
            continue
        facts = facts_of(said.request, *test.columns[0])
        held = [str(value) for value, _ in facts.top] if facts else []
        told = {literal.name.casefold() for literal in test.literals if literal.is_string}
        for value in held:
            parts = {part.casefold() for part in parts_of(value)}
            if len(parts) > 1 and parts & told and value.casefold() not in told:
                part = min(parts & told)
                message = f"“{value}” holds “{part}” as well."
                make = doubt if "," in value else fault
                yield make(Code.AMBIGUOUS_VALUE, message, part)
                return


def check_tied_values(said: QuestionWords, sql: Statement) -> Iterator[Finding]:
    """Finds `paid in instalments` that are those paid, and those in instalments."""
    links = sorted(said.request.links.values, key=lambda one: one.span)
    for test in sql.tests:
        told = {squeezed(one.name) for one in test.literals}
        if test.operator != "in" or len(test.columns) != 1:
            continue
        own = [one for one in links if (one.table, one.column) == test.columns[0]]
        own = [one for one in own if squeezed(str(one.value)) in told]
        for first, second in pairwise(own):
            between = said.request.question[first.span[1] : second.span[0]].strip().casefold()
            if between in _TIES and squeezed(str(first.value)) != squeezed(str(second.value)):
                message = f"“{first.text} {between} {second.text}” is one value, not two."
                yield fault(Code.AMBIGUOUS_VALUE, message, first.text, second.text)


def check_parted_lists(said: QuestionWords, sql: Statement) -> Iterator[Finding]:
    """Finds `in Lund and Malmo` told by two columns, though one column holds both."""
    told = {
        (test.columns[0], squeezed(one.name))
        for test in sql.tests
        if test.operator in {"=", "in"} and len(test.columns) == 1
        for one in test.literals
    }
    links = said.request.links.values
    held = {(one.span, (one.table, one.column)): one for one in links}
    spans = sorted({one.span for one in links})
    for first, second in pairwise(spans):
        if not _LISTED.fullmatch(said.request.question[first[1] : second[0]]):
            continue
        of_first, of_second = (
            {place for at, place in held if at == span and _is_told(held[at, place], told)}
            for span in (first, second)
        )
        both = {place for _, place in held if (first, place) in held and (second, place) in held}
        if of_first and of_second and not of_first & of_second and both:
            words = (held[first, min(both)].text, held[second, min(both)].text)
            message = f"“{words[0]}” and “{words[1]}” are both values of {min(both)[1]}."
            yield fault(Code.AMBIGUOUS_VALUE, message, *words)


def _is_told(link: ValueLink, told: Collection[tuple[Place, str]]) -> bool:
    return ((link.table, link.column), squeezed(str(link.value))) in told


def _is_joined(sql: Statement, place: Place, test: Test) -> bool:
    """Whether two columns hold the same because one is a key to the other."""
    keys = {((k.table, k.column), (k.to_table, k.to_column)) for k in sql.catalog.relationships}
    return any((place, one) in keys or (one, place) in keys for one in test.columns)


def _is_called(said: QuestionWords, sql: Statement, place: Place) -> bool:
    """Whether the question names a column, or the table that it is of."""
    return bool(_called_by(sql, place) & said.stems)


def _called_by(sql: Statement, place: Place) -> set[str]:
    """Returns the stems of what calls a column, or the table that it is of."""
    column, table = sql.catalog.column(*place), sql.catalog.table(place[0])
    if column is None or table is None:
        return set()
    parts = {stem(part) for part in (*_parts(column), *spelled_out(table.name))}
    return parts - cue_words("idle")


CHECKS = (
    check_kind,
    check_groups,
    check_measured_groups,
    check_counting,
    check_counts_compared,
    check_how_often,
    check_repeated_tests,
    check_values,
    check_parts_of_lists,
    check_tied_values,
    check_parted_lists,
)
