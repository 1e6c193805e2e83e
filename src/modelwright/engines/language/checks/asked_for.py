"""Whether what is grouped, counted, compared, dated and listed is what the question asks for.

Each word may stand in the SQL and still be used for something else: a verb for a group (`took
place`, by place), a number of rows for a figure (`more than 30 orders`, amount over 30).
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import date, datetime
from functools import partial

from sqlglot import exp

from modelwright.engines.language.catalog import Additivity, Role
from modelwright.engines.language.checks.findings import Code, Finding, doubt, fault, note
from modelwright.engines.language.checks.literals import YEAR_DIGITS
from modelwright.engines.language.checks.statement import Place, Statement, Test
from modelwright.engines.language.checks.unexplained import names_column, rows_by_other_names
from modelwright.engines.language.checks.words import QuestionWords, facts_of
from modelwright.engines.language.likely_dates import likely_dates
from modelwright.engines.language.linking.amounts import Amount, find_amounts
from modelwright.engines.language.readers import NameLink, ValueLink
from modelwright.engines.language.rules.text.lexicon import (
    concepts_at,
    concepts_of_name,
    lexicon,
    spelled_out,
)
from modelwright.engines.language.rules.text.roots import deed, irregular, is_deed, root
from modelwright.engines.language.rules.text.words import Word, squeezed, stem
from modelwright.engines.language.rules.times.ends import makes_rows, names_date
from modelwright.engines.language.rules.times.joined_and_left import joins_or_leaves
from modelwright.engines.language.temporal.calendar import DAY_LENGTH
from modelwright.engines.language.vocabulary import (
    BEHIND_GROUPED,
    aggregates,
    alternatives,
    any_case,
    cue_words,
    find_cues,
    phrase_pattern,
    word_set,
    word_values,
)

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
_NUMBER = re.compile(r"\s*(?P<number>\d[\d,]*(?:\.\d+)?)\s+(?:different\s+|distinct\s+)?")
_BARE_NUMBER = re.compile(r"\s*[$€£]?(?P<number>\d[\d,]*(?:\.\d+)?)\W*$")
_AVERAGED = phrase_pattern(next(one.words for one in aggregates() if one.name == "avg"))
_BEHIND_PER = any_case(r"\bper\s+$")
_TIMES = any_case(r"times\b")
_AMONG_GROUPS = any_case(
    r"\b(?:by|per|each|every)\s+(?:(?:\w+\s+){0,2}\w+\s*(?:,|\band)\s+)?(?:(?:by|per)\s+)?$"
)
_BEHIND_IN = any_case(r"\b(?:in|by)\s+(?:the\s+)?$")
_LISTS_TIMES = any_case(
    r"^\W*(?:(?:which|what|list|show|give me|find)\s+)?(?:the\s+|all\s+)*"
    r"(?:hours|days|weekdays|weeks|months|quarters|years)\b(?!\s+(?:of|between|from|since)\b)"
)
_THE_ONE = any_case(
    r"\w\W+the\s+(?:single\s+)?(?P<row>\w+)\s+(?:with|(?:that|which)\s+(?:had|has|got))\s+the\s+"
    r"(?:most|fewest|least|highest|lowest|largest|biggest|smallest|longest|shortest|best|worst)\b"
)
"""One row that is told by its end, behind what is asked of it."""
_HAVING = any_case(r"\b(?:has|have|had|having|with)\b")
_UNITS_OF_TIME = word_set("checks.units_of_time")
_TIMED = (
    exp.Extract, exp.Month, exp.Year, exp.TimestampTrunc, exp.DateTrunc, exp.DayOfWeek,
    exp.TimeToStr, exp.Dayname, exp.Monthname,
)  # fmt: skip
_OF_ANY_DATE = word_set("checks.of_any_date")
"""What names of dates have in common, so that it tells none from another."""
_OF_BIRTH = word_set("checks.of_birth")
"""Dates of persons that nothing happens on."""
_LATEST = word_set("times.latest")
_DUE = word_set("times.due")
"""Dates by which something should be done: nothing begins then."""
_OF_NO_DAY = word_set("checks.of_no_day")
"""What was done throughout, or on no day of its own."""
_ENDING = word_set("checks.of_ends")
"""What the names of dates have that end something."""
DEEDS: Mapping[str, str] = word_values("checks.deeds")
"""Nouns by stem and the verbs that they share no root with."""
SHORTEST_STEM = 3
"""A verb names a date whose name begins with its stem: `hired` a `hire_date`."""
SEVERAL_GROUPS = 2
"""Groups of so many values and more show several numbers."""
_LONGEST = any_case(r"\b(?:longest|shortest)\b")
_TIME_SAID = any_case(
    rf"\bhow long\b|\btimes?\b|\b(?:{alternatives('checks.units_of_time')}|minute|second)s?\b"
    r"|\bduration|\bto \w+$|\bbetween\b"
)
_TIME_ASKED = any_case(
    r"\btime (?:to|until|till|between)\b|\blead times?\b|\bhow long (?:does|do|did) .*\btake\b"
)
_LASTS = re.compile(
    r"time|wait|dur|length|long|hour|minute|\bmins?\b|day|sec|week|month|year|night|delay|age\b"
    r"|term|tenure|period|speed|\bms\b|\blos\b|elapsed|turnaround"
)
"""Names of numbers that may tell how long something is."""
_AHEAD = any_case(r"\b(?:in advance|ahead|beforehand|lead times?)\b")
DATES_OF_DURATION = 2
"""Columns between which the time is told."""


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
    # `average price per room` may be that of homes with one room, with two, and so on.
    make = fault if is_average or sql.find(exp.Sum) is not None else doubt
    if not sql.aggregates:
        return
    for link in said.request.links.names:
        column = sql.catalog.column(link.table, link.column or "")
        is_figure = column is not None and column.additivity is Additivity.SUM
        is_each = _BEHIND_PER.search(question[: link.span[0]]) and not link.text.endswith("s")
        if is_figure and is_each and (link.table, link.column) in groups:
            yield make(Code.GROUP_ADDED, f"“per {link.text}” asks for a rate.", link.text)


def check_compared_figures(said: QuestionWords, sql: Statement) -> Iterator[Finding]:
    """Finds `average salary by team above 60000` that leaves out rows, not teams."""
    question = said.request.question
    figures = {place for one in sql.aggregates for place in sql.places(one)}
    cues = [*find_cues("above", question), *find_cues("below", question)]
    for cue in cues:
        number = _BARE_NUMBER.match(question, cue.end)
        named = [one for one in said.request.links.names if one.span[0] < cue.start and one.column]
        if number is None or not sql.group_keys or not named:
            continue
        last = max(named, key=lambda one: one.span)
        value = float(number["number"].replace(",", ""))
        for test in (one for one in sql.tests if one.compares_with(value) and not one.aggregated):
            is_beside = (last.table, last.column) in test.columns
            if set(test.columns) & figures and not is_beside:
                told = f"{cue.text} {number['number']}"
                message = f"It is not said whether “{told}” is of rows or of groups."
                yield fault(Code.OTHER_ROWS, message, told)


def _values_of(said: QuestionWords, place: Place) -> int:
    """Returns how many values of a column are named: `how many men and women`."""
    values = said.request.links.values
    return len({one.value for one in values if (one.table, one.column) == place})


def check_compared_noun(said: QuestionWords, sql: Statement) -> Iterator[Finding]:
    """Finds `more than 30 orders` that is a figure over 30, not a number of orders."""
    question = said.request.question
    for cue in [*find_cues("above", question), *find_cues("below", question)]:
        number = _NUMBER.match(question, cue.end)
        if number is None:
            continue
        nouns: list[NameLink | ValueLink] = [
            one
            for one in said.request.links.names
            if one.column is None and one.span[0] == number.end()
        ]
        nouns += _counted_kinds(said, sql, number.end())
        if not nouns and not _TIMES.match(question, number.end()):
            continue
        value = float(number["number"].replace(",", ""))
        tests = [one for one in sql.tests if one.compares_with(value)]
        wrong = [one for one in tests if not _counts(said, one, nouns)]
        if wrong and len(wrong) == len(tests):
            told = question[cue.start : nouns[0].span[1] if nouns else number.end()].strip()
            place = wrong[0].columns[0]
            yield fault(Code.COMPARISON_TURNED, f"“{told}” is compared with {place[1]}.", told)


def _counted_kinds(said: QuestionWords, sql: Statement, at: int) -> list[ValueLink]:
    """Returns the plural at a place that is a value of a test: more than 30 `finishers`."""
    taken = sql.values_taken
    return [
        one
        for one in said.request.links.values
        if one.span[0] == at and one.text.casefold().endswith("s") and str(one.value) in taken
    ]


def _counts(said: QuestionWords, test: Test, nouns: Sequence[NameLink | ValueLink]) -> bool:
    """Whether a comparison is of rows, or of a column that is named by other words."""
    if test.aggregated or not test.columns:
        return True
    calling = [one for one in nouns if isinstance(one, NameLink)]
    stems = {stem(part) for one in calling for part in one.text.casefold().split()}
    kinds = {one.span for one in nouns if isinstance(one, ValueLink)}
    links = (one for one in said.request.links.names if one.span not in kinds)
    named = {(one.table, one.column) for one in links}
    return any(
        place in named or stems & {stem(part) for part in spelled_out(place[1])}
        for place in test.columns
    )


def check_amounts(said: QuestionWords, sql: Statement) -> Iterator[Finding]:
    """Finds `with 1980 employees` that are those of the year 1980."""
    links = said.request.links
    for amount in find_amounts(said.request.question, links.names, sql.catalog):
        if any(one.span[0] <= amount.span[0] < one.span[1] for one in links.periods):
            continue  # it was left a year
        noun = amount.span[0] + amount.text.rfind(" ") + 1
        if _counted_kinds(said, sql, noun):
            continue
        tests = [one for one in sql.tests if one.compares_with(amount.value) or _is_in(one, amount)]
        columns = {place for one in tests for place in one.columns}
        is_meant = any(names_column(said, sql, place, amount.text) for place in columns)
        if tests and not is_meant and not any(_is_of(one, amount) for one in tests):
            name = (*tests[0].columns, ("", "a number of rows"))[0][1]
            message = f"“{amount.text}” is compared with {name}."
            code = Code.OTHER_KIND if _may_be_a_year(said, amount) else Code.COMPARISON_TURNED
            yield fault(code, message, amount.text)


def _may_be_a_year(said: QuestionWords, amount: Amount) -> bool:
    """Whether dates hold a number that stands without an article: `with attendance of 2023`."""
    return amount.is_bare and any(
        isinstance(one.minimum, date)
        and isinstance(one.maximum, date)
        and one.minimum.year <= amount.value <= one.maximum.year
        for table in said.request.tables
        if table.name in {name for name, _ in amount.places}
        for one in table.columns
    )


def _is_of(test: Test, amount: Amount) -> bool:
    """Whether a test is of a column that an amount may be of; those of groups bear its name."""
    names = {one.name for one in test.node.find_all(exp.Column)} if test.aggregated else set()
    return bool(amount.places & set(test.columns) or names & {name for _, name in amount.places})


def _is_in(test: Test, amount: Amount) -> bool:
    """Whether a number is taken for the year of days."""
    year = f"{amount.value:g}"
    return len(year) == YEAR_DIGITS and any(
        one.name.startswith(f"{year}-") for one in test.literals
    )


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


def check_ranked_figure(said: QuestionWords, sql: Statement) -> Iterator[Finding]:
    """Finds `the longest trip in km` that is the one of most hours."""
    question, order = said.request.question, sql.tree.args.get("order")
    cues = find_cues("superlative_high", question) + find_cues("superlative_low", question)
    if not cues or not sql.limits or order is None:
        return
    ranked = set(sql.places(order.expressions[0]))
    for link in said.request.links.names:
        place = (link.table, link.column or "")
        is_figure = sql.role(place) is Role.MEASURE and place in sql.columns
        is_behind = link.span[0] > cues[0].end and _BEHIND_IN.search(question[: link.span[0]])
        if is_figure and is_behind and ranked and place not in ranked:
            message = f"“{cues[0].text}” is not ranked by {link.column}."
            yield fault(Code.SUPERLATIVE_DROPPED, message, cues[0].text)


def check_single_row(said: QuestionWords, sql: Statement) -> Iterator[Finding]:
    """Finds `who hosted the show with the most viewers` told by the viewers of all shows."""
    if not (sql.limits and sql.is_ordered and sql.aggregates and sql.group_keys):
        return
    nouns = {
        stem(noun)
        for name in set(sql.tables)
        if (table := sql.catalog.table(name))
        for noun in table.row_nouns
    }
    kinds = {stem(part) for _, name in sql.grouped_columns for part in spelled_out(name)}
    for told in _THE_ONE.finditer(said.request.question):
        row = told["row"].casefold()
        is_row = stem(row) in nouns or row in cue_words("rows")
        if is_row and not row.endswith("s") and stem(row) not in kinds:
            message = f"One {row} is asked for, and all of each group were taken together."
            yield fault(Code.RANKED_BY_OTHER, message, row)


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
    if sql.aggregates or tells_apart or select.find(*_TIMED):
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


def check_dates(said: QuestionWords, sql: Statement) -> Iterator[Finding]:
    """Finds periods held against a date of birth, or one of several that nothing tells apart.

    `How many patients died in 2024` asks for no date of birth.
    """
    for table, name in sorted(dated_places(said, sql)):
        if is_date_named(said, sql, (table, name)):
            continue
        others = [one for one in _rivals(said, sql, table) if not _is_part_of(one, name)]
        if _OF_BIRTH & set(spelled_out(name)):
            yield fault(Code.OTHER_DATE, f"Nothing speaks of {name}, which the time is told by.")
        elif others and not (
            _is_usual(sql, (table, name))
            and _is_of_no_deed(said, sql, name, others)
            and _holds_periods(said, (table, name))
        ):
            message = f"{name} was taken for the time; {', '.join(others)} may be meant."
            yield doubt(Code.AMBIGUOUS_NAME, message, name, *others)


def _rivals(said: QuestionWords, sql: Statement, name: str) -> list[str]:
    """Returns the dates of a table that a time may be of, the likeliest first."""
    table = sql.catalog.table(name)
    found = likely_dates(table, partial(facts_of, said.request, name)) if table else []
    return [one.name for one in found]


def _holds_periods(said: QuestionWords, place: Place) -> bool:
    """Whether the data of a date meet every period of the question."""
    facts = facts_of(said.request, *place)
    low, high = (facts.minimum, facts.maximum) if facts else (None, None)
    if not isinstance(low, date) or not isinstance(high, date):
        return True
    first, last = low.isoformat()[:DAY_LENGTH], high.isoformat()[:DAY_LENGTH]
    return all(
        (one.start is None or one.start.isoformat()[:DAY_LENGTH] <= last)
        and (one.end is None or first < one.end.isoformat()[:DAY_LENGTH])
        for one in said.request.links.periods
    )


def _is_of_no_deed(said: QuestionWords, sql: Statement, name: str, others: list[str]) -> bool:
    """Whether nothing tells of what was done, on another day than that of the rows.

    `Enrolments in May` began in May; `certificates issued in May`, or what is known of completed
    ones only, may be of another date. A date called as the rows are, such as Visit Date, is theirs,
    unless the figure is called as another date is: Sold Price beside Sold Date.
    """
    figures = {place for one in sql.aggregates for place in sql.places(one)}
    partly = {place for place in figures if _is_missing(said, place)}
    if _is_called_as_rows(sql, name):
        of_others = {part for one in others for part in spelled_out(one)} - _OF_ANY_DATE
        partly = {place for place in partly if not of_others.isdisjoint(spelled_out(place[1]))}
    deeds = {deed(part) for name in others for part in spelled_out(name)}
    told = {deed(word.text) for word in said.all if is_deed(word.text)}
    is_named = not deeds.isdisjoint(told)
    return not (_tells_of_a_deed(said, sql) or _tests_flag(sql) or partly or is_named)


def _is_called_as_rows(sql: Statement, name: str) -> bool:
    """Whether a date has the noun of its rows for a name: Visit Date of visits."""
    nouns = {stem(one) for each in set(sql.tables) if (table := sql.catalog.table(each))
             for noun in table.row_nouns for one in noun.split()}  # fmt: skip
    telling = [part for part in spelled_out(name) if part not in _OF_ANY_DATE]
    return bool(telling) and all(stem(one) in nouns and not is_deed(one) for one in telling)


def _tells_of_a_deed(said: QuestionWords, sql: Statement) -> bool:
    """Whether a word, or a value that is tested, says that something was done: `completed`."""
    literals = [one.name.casefold() for test in sql.tests for one in test.literals]
    verbs = {*(word.text for word in said.all), *literals} - _OF_NO_DAY
    is_done = any(one.endswith("ed") or one in irregular() for one in verbs)
    return is_done or any(one.endswith(("ion", "ment")) for one in literals)


def _tests_flag(sql: Statement) -> bool:
    """Whether rows are told apart by yes and no."""
    columns = [sql.catalog.column(*place) for test in sql.tests for place in test.columns]
    return any(one is not None and one.role is Role.FLAG for one in columns)


def check_deeds(said: QuestionWords, sql: Statement) -> Iterator[Finding]:
    """Finds `sales per month` told by the usual date of their rows, where another is of sales."""
    for key in sql.group_keys:
        for table, name in sql.places(key):
            is_usual = key.find(*_TIMED) is not None and _is_usual(sql, (table, name))
            if not is_usual or is_date_named(said, sql, (table, name)):
                continue
            others = [one for one in dates_of(sql, table) if one != name and _is_deed(said, one)]
            if others:
                message = f"{name} was taken for the time; {', '.join(others)} may be meant."
                yield doubt(Code.AMBIGUOUS_NAME, message, name, *others)


def check_deeds_told(said: QuestionWords, sql: Statement) -> Iterator[Finding]:
    """Finds `average sale price` that is that of all rows, also of those not sold."""
    for word in _outside_values(said):
        verb = DEEDS.get(word.stem, "")
        dates = [(table, name) for table in set(sql.tables) for name in dates_of(sql, table)]
        of_deed = {place for place in dates if verb in spelled_out(place[1])}
        open_ones = {place for place in of_deed if _is_missing(said, place)}
        if any(verb in spelled_out(name) for _, name in _half_known(said, sql)):
            continue  # of `Sold Price` only those tell that were sold
        told = {one.name.casefold() for test in sql.tests for one in test.literals}
        if open_ones and not open_ones & sql.written_columns and verb not in told:
            yield fault(Code.WORD_LEFT_OUT, f"“{word.raw}” leaves no row out.", word.raw)


def _half_known(said: QuestionWords, sql: Statement) -> set[Place]:
    """Returns the columns that the statement reads of which some rows tell nothing."""
    return {place for place in sql.written_columns if _is_missing(said, place)}


def _outside_values(said: QuestionWords) -> list[Word]:
    """Returns the words that are no values, and verbs that say little elsewhere: `sold`."""
    spans = [one.span for one in said.request.links.values]
    told = [one for one in said.all if one in said.content or one.text in irregular()]
    return [one for one in told if not any(a <= one.start < b for a, b in spans)]


def _is_missing(said: QuestionWords, place: Place) -> bool:
    facts = facts_of(said.request, *place)
    return facts is not None and facts.missing > 0


def _is_deed(said: QuestionWords, name: str) -> bool:
    """Whether a word has the root of what a date is of: `sales` of Sold On."""
    roots = {root(part) for part in spelled_out(name)} - {root(one) for one in _OF_ANY_DATE}
    told = {root(DEEDS.get(word.stem, word.text)) for word in _outside_values(said)}
    return bool(roots & told)


def check_durations(said: QuestionWords, sql: Statement) -> Iterator[Finding]:
    """Finds how long something lasts told by two dates of which neither ends it, nor is named.

    `Bookings longer than a week` are not those that were made a week before.
    """
    for one in sql.find_all(exp.DateDiff):
        places = sorted({place for place in sql.places(one) if place[1] in dates_of(sql, place[0])})
        if len(places) != DATES_OF_DURATION or one.find(exp.Coalesce):
            continue  # until today no second date is named
        unnamed = [each for each in places if not _is_end_named(said, sql, each)]
        if len(unnamed) < DATES_OF_DURATION:
            if not _AHEAD.search(said.request.question):  # that is until the next date
                yield from _other_ends(said, sql, places, unnamed)
            continue
        yield from _unnamed_ends(said, sql, places)


def _unnamed_ends(said: QuestionWords, sql: Statement, places: list[Place]) -> Iterator[Finding]:
    told = " and ".join(name for _, name in places)
    if far := _how_far(said, sql):
        message = f"It is told by the time between {told}; {far} may be meant."
        yield doubt(Code.AMBIGUOUS_NAME, message, far)
    if not any(_ENDING & set(spelled_out(name)) for _, name in places):
        yield fault(Code.OTHER_DATE, f"Nothing speaks of the time between {told}.")
    for table, name in places:
        facts = facts_of(said.request, table, name)
        if facts is not None and facts.missing and _ENDING & set(spelled_out(name)):
            left = f"In all of {table}, {facts.missing:,} rows have no {name}"
            yield note(Code.OTHER_DATE, f"{left} and are left out.")


def check_times_asked(said: QuestionWords, sql: Statement) -> Iterator[Finding]:
    """Finds the `time to refund` that is told by the amount refunded: no figure of it is a time."""
    told = _TIME_ASKED.search(said.request.question)
    if told is None or sql.find(exp.DateDiff) is not None:
        return
    columns = [sql.catalog.column(*place) for place in sql.columns]
    names = [one.name for one in columns if one is not None and one.role is Role.MEASURE]
    if not any(_LASTS.search(" ".join(spelled_out(name)).casefold()) for name in names):
        yield fault(Code.OTHER_KIND, f"“{told.group()}” asks for a time.", told.group())


def check_tenures(said: QuestionWords, sql: Statement) -> Iterator[Finding]:
    """Finds how long people are there that is also told of those who left, of whom nothing is said.

    A tenure that ends today where no date of leaving is given is that of all who ever joined.
    """
    for one in sql.find_all(exp.DateDiff):
        left = sql.places(one.find(exp.Coalesce) or exp.Null())
        if any(_is_missing(said, place) for place in left) and not sql.tests:
            yield fault(Code.OTHER_ROWS, "Those who left are told of as well.")


def check_ages_of_rows(said: QuestionWords, sql: Statement) -> Iterator[Finding]:
    """Finds the average age of patients that is that of their visits: who comes twice counts twice.

    Where each row has somebody else's name, rows and people are the same.
    """
    lapses = list(sql.find_all(exp.DateDiff))
    born = {one[1] for each in lapses for one in sql.places(each) if _is_of_birth(one[1])}
    if not born or sql.limits:
        return
    for word in said.all:
        if word.raw in rows_by_other_names(said, sql) and not _is_named_once(said, sql, word.stem):
            message = f"“{word.raw}” may have several rows, each of which is told of."
            yield fault(Code.OTHER_ROWS, message, word.raw)


def _is_of_birth(name: str) -> bool:
    return not _OF_BIRTH.isdisjoint(spelled_out(name))


def _is_named_once(said: QuestionWords, sql: Statement, noun: str) -> bool:
    """Whether a column that is called by a noun has another value in each row."""
    for name in set(sql.tables):
        table = sql.catalog.table(name)
        for column in table.columns if table else ():
            facts = facts_of(said.request, name, column.name)
            is_of = stem(spelled_out(column.name)[0]) == noun
            if is_of and facts is not None and facts.distinct == facts.rows:
                return True
    return False


def _is_end_named(said: QuestionWords, sql: Statement, place: Place) -> bool:
    """Whether a word names an end of a time by its root; rows do not: `orders longer than`."""
    table = sql.catalog.table(place[0])
    rows = set(table.row_nouns) if table else set()
    by_root = any(names_date(word.text, place[1]) for word in said.all if word.text not in rows)
    by_row = makes_rows([word.text for word in said.all], place[1])
    return by_root or by_row or is_date_named(said, sql, place)


def _other_ends(
    said: QuestionWords, sql: Statement, places: list[Place], unnamed: list[Place]
) -> Iterator[Finding]:
    """Finds other dates than one that no word names, which as many rows have: `days to approve`."""
    for table, name in unnamed:
        taken = facts_of(said.request, table, name)
        others = [
            one
            for one in _rivals(said, sql, table)
            if (table, one) not in places
            and _DUE.isdisjoint(spelled_out(one))
            and not _is_part_of(one, name)
            and _is_end(one) == _is_end(name)
            and (facts := facts_of(said.request, table, one)) is not None
            and taken is not None
            and facts.missing <= taken.missing
        ]
        if others:
            message = f"It is told by {name}; {', '.join(others)} may be meant."
            yield doubt(Code.AMBIGUOUS_NAME, message, name, *others)


def _is_end(name: str) -> bool:
    """Whether a date ends something by its name, or tells of the last of several."""
    return not (_ENDING | _LATEST).isdisjoint(spelled_out(name))


def _how_far(said: QuestionWords, sql: Statement) -> str:
    """Returns the column of how long something is, where `longest` may be that or a time."""
    if not _LONGEST.search(said.request.question) or _TIME_SAID.search(said.request.question):
        return ""
    tables = sql.read_tables
    names = [one.name for each in tables for one in each.columns if one.role is Role.MEASURE]
    return next((name for name in names if "distance" in concepts_of_name(name)), "")


def _is_part_of(one: str, name: str) -> bool:
    """Whether a date tells the same time as the one that was taken, or that is the plain one."""
    taken, other = (set(spelled_out(each)) - _OF_ANY_DATE - {"year"} for each in (name, one))
    return not taken or taken == other or one.casefold() == "year"


def dated_places(said: QuestionWords, sql: Statement) -> set[Place]:
    """Returns the dates that a period of the question is held against, or that make groups."""
    periods = said.request.links.periods
    written = {
        end.isoformat() for one in periods for end in (one.start, one.end) if end is not None
    }
    groups = [key for key in sql.group_keys if key.find(*_TIMED)]
    dated = {place for key in groups for place in sql.places(key) if not _is_usual(sql, place)}
    for test in sql.tests:
        is_month = bool(said.request.links.periods) and test.node.find(exp.Month) is not None
        if is_month or any(one.name[:DAY_LENGTH] in written for one in test.literals):
            dated.update(test.columns)
    return {(table, name) for table, name in dated if name in dates_of(sql, table)}


def usual_groups(sql: Statement) -> set[Place]:
    """Returns the dates that make groups and are the ones that times of their tables mean."""
    groups = (key for key in sql.group_keys if key.find(*_TIMED))
    return {place for key in groups for place in sql.places(key) if _is_usual(sql, place)}


def _is_usual(sql: Statement, place: Place) -> bool:
    """Whether a date is the one that times of its table usually mean."""
    table = sql.catalog.table(place[0])
    return table is not None and table.default_date == place[1]


def dates_of(sql: Statement, name: str) -> list[str]:
    """Returns the columns of dates of a table."""
    table = sql.catalog.table(name)
    return [one.name for one in table.columns if one.role is Role.DATE] if table else []


def is_date_named(said: QuestionWords, sql: Statement, place: Place) -> bool:
    """Whether the question says which date is meant, by more than what all dates are called."""
    column, table = sql.catalog.column(*place), sql.catalog.table(place[0])
    if column is None or table is None:
        return True
    rows = {stem(part) for noun in table.row_nouns for part in noun.split()}
    idle = rows | _OF_ANY_DATE | cue_words("idle")
    parts = {stem(part) for one in (place[1], *column.synonyms) for part in spelled_out(one)}
    meant = {
        one for told, _ in concepts_at(sorted(parts - idle), lexicon().of_names) for one in told
    }
    others = [word.start for word in said.all if word.stem not in rows]
    told = {one for start in others for one in said.concepts.get(start, ())}
    deeds = {deed(part) for part in spelled_out(place[1]) if is_deed(part)}
    is_done = not deeds.isdisjoint(deed(word.text) for word in said.all if is_deed(word.text))
    return (
        bool(meant & told)
        or is_done
        or any(joins_or_leaves(word.text, place[1]) for word in said.all)
        or any(
            part == one or (len(one) >= SHORTEST_STEM and part.startswith(one))
            for part in parts - idle
            for one in said.stems
        )
    )


CHECKS = (
    check_unasked_groups,
    check_rates,
    check_compared_figures,
    check_compared_noun,
    check_amounts,
    check_valued_groups,
    check_ranked_figure,
    check_single_row,
    check_bare_groups,
    check_listed_times,
    check_repeated_kinds,
    check_counted_values,
    check_dates,
    check_deeds,
    check_deeds_told,
    check_durations,
    check_tenures,
    check_times_asked,
    check_ages_of_rows,
)
