"""What is asked for that no table holds, though each word of the question stands somewhere.

Here a reader is wrong most quietly: it finds a column for each word and answers another question.
"""

import re
from collections.abc import Iterator
from datetime import date, datetime

from sqlglot import exp

from modelwright.engines.language.catalog.meaning import Catalog, CatalogColumn, Role
from modelwright.engines.language.checks.findings import Code, Finding, doubt, fault
from modelwright.engines.language.checks.money import is_no_money
from modelwright.engines.language.checks.statement import Place, Statement
from modelwright.engines.language.checks.unexplained import (
    is_told,
    names_column,
    rows_by_other_names,
    unexplained_by_names,
)
from modelwright.engines.language.checks.words import QuestionWords, facts_of
from modelwright.engines.language.rules.mentions.rows import may_tell_who
from modelwright.engines.language.rules.mentions.units import currency
from modelwright.engines.language.rules.plans.expressions import SECONDS
from modelwright.engines.language.rules.text.lexicon import concepts_at, lexicon, spelled_out
from modelwright.engines.language.rules.text.words import stem, words
from modelwright.engines.language.temporal.calendar import FIRST_YEAR, LAST_YEAR
from modelwright.engines.language.vocabulary import cue_words, find_cues, word_list, word_set

_PLACES = word_set("checks.concepts_of_countries")
"""What words for countries, cities and the like speak of: no rows are called so by chance."""
_COUNTS_PERSONS = re.compile(
    r"\b(?:how many|number of)\s+"
    r"(?P<counted>people|persons|visitors|spectators|viewers|tourists)\b"
    r"|\b(?P<heads>head\s?counts?)\b",
    re.IGNORECASE,
)
_COUNTS_TIMES = re.compile(
    r"^\W*how many\s+(?P<unit>seconds|minutes|hours|days|weeks|months|years)\b", re.IGNORECASE
)
_IS_SAID_TO_BE = re.compile(r"\b(?:is|are|was|were)\s+(?:an?\s+)?(?P<noun>\w+)\W*$", re.IGNORECASE)
_NAME_OF = re.compile(r"\bnames?\s+of\b", re.IGNORECASE)
_NUMBER_OF_ONE = re.compile(
    r"\b(?:which|what)\s+(?P<asked>(?P<thing>(?!is\b|was\b|the\b)\w+)\s+numbers?)\b(?!\s+of\b)",
    re.IGNORECASE,
)
_NUMBERS = frozenset(map(stem, ("number", "no", "nr", "num", "id", "code", "key")))
"""How names end of what numbers things."""
_DID_TO_THE = re.compile(
    r"^\W*(?:which|what)\s+(?P<noun>\w+)\s+(?!is\b|was\b|are\b|were\b|has\b|does\b|did\b)\w+"
    r"\s+(?:the|these|our|all)\s+(?P<rows>\w+s)\b",
    re.IGNORECASE,
)
"""One does something to the rows, and is none of them: `which company made the pumps`."""
_ASKS_OPINION = re.compile(
    r"^\W*(?:do|does|did)\s+(?:the\s+|our\s+|most\s+)?\w+\s+(?:really\s+)?"
    r"(?P<deed>like|love|enjoy|prefer|hate|dislike|want|trust|care|think|believe)\b",
    re.IGNORECASE,
)
_ASKS_WHO = re.compile(r"^\W*(?:who|whom|whose)\b", re.IGNORECASE)
_KINDS_OF_THINGS = word_set("names.kinds_of_things")
_SOLD = word_set("checks.sold")
_STOCK = word_set("checks.of_stock")
_OF_SALES = word_set("checks.concepts_of_sales")
"""What a name speaks of where rows may be something that was sold."""
_TYING = word_set("checks.behind_name_heads")
"""What follows the head of a name."""
_IN_YEAR = re.compile(r"\b(?:in|since|during|of|until|before|after)\s+(?P<year>(?:1[89]|20)\d\d)\b")
_OF_PERSONS = word_set("checks.concepts_of_persons")
_OF_PLACES = word_set("checks.concepts_of_places")
_PLACE_ENDS = word_list("checks.place_ends")
"""How words end that are run together: `birthplace`."""
_MOST = re.compile(r"\b(?:most|fewest|least)\s+(?:of\s+)?(?:the\s+)?", re.IGNORECASE)
_BY = re.compile(r"\b(?:by|per)\b", re.IGNORECASE)
_THE_MOST = re.compile(r"\s+the\s+(?:most|least)\b\s*", re.IGNORECASE)
_ASKS_WHERE = re.compile(r"^\W*where\b", re.IGNORECASE)
_WHICH_DID = re.compile(
    r"\b(?:which|what)\s+(?P<noun>\w+)\s+(?:had|has|have|is|are|was|were|did|does|do|got|gets?)\b",
    re.IGNORECASE,
)
_TIMES = word_set("checks.of_days")
_SHORTEST_STEM = 4
"""Letters of which words may begin alike: `farm` and `farmer`."""


def check_two_nouns(said: QuestionWords, sql: Statement) -> Iterator[Finding]:
    """Finds two nouns that are both taken for the rows: `how many calls did customers make`."""
    nouns = {stem(word): word for word in rows_by_other_names(said, sql)}
    if len(nouns) > 1:
        told = " and ".join(f"“{word}”" for word in nouns.values())
        message = f"The rows of the table cannot be both {told}."
        yield fault(Code.OTHER_ROWS, message, *nouns.values())


def check_doers(said: QuestionWords, sql: Statement) -> Iterator[Finding]:
    """Finds `which company made the hydrants` that lists the hydrants: a company is none."""
    asked = _DID_TO_THE.match(said.request.question)
    if asked is None or stem(asked["rows"].casefold()) not in {stem(one) for one in sql.tables}:
        return
    noun = next(word for word in said.all if word.start == asked.start("noun"))
    if noun in said.content and not is_told(said, sql, noun):
        yield fault(Code.OTHER_ROWS, f"Nothing of the table tells “{noun.raw}”.", noun.raw)


def check_opinions(said: QuestionWords, sql: Statement) -> Iterator[Finding]:
    """Finds `do people like the blue ones` that lists the blue ones."""
    asked = _ASKS_OPINION.match(said.request.question)
    if asked is None:
        return
    told = {word.start for word in said.all if is_told(said, sql, word)}
    if asked.start("deed") not in told:
        deed = asked["deed"]
        yield fault(Code.OTHER_KIND, f"Nothing of the table tells who would “{deed}” it.", deed)


def check_belonging(said: QuestionWords, sql: Statement) -> Iterator[Finding]:
    """Finds what rows have, or are in, taken for the rows: `how many teachers are there`."""
    for word in rows_by_other_names(said, sql):
        told = concepts_at([stem(word)], lexicon().of_words)[0][0]
        if told & _PLACES or word.casefold() in cue_words("belonging"):
            yield fault(Code.OTHER_ROWS, f"Nothing of the table tells “{word}”.", word)
        elif told & _OF_PERSONS and (rows := _numbered_rows(sql)):
            yield doubt(Code.OTHER_KIND, f"The rows are {rows}, and not “{word}”.", word)


def _numbered_rows(sql: Statement) -> str:
    """Returns what the key of the only table numbers, if those are no persons: episodes."""
    table = sql.catalog.table(sql.tables[0])
    nouns = table.row_nouns if table and table.key else ()
    numbered = {stem(part) for part in spelled_out(table.key or "")} if table else set()
    found = next((noun for noun in nouns if stem(noun) in numbered), "")
    return "" if _OF_PERSONS & _spoken_of(found or "row") else found


def check_said_to_be(said: QuestionWords, sql: Statement) -> Iterator[Finding]:
    """Finds what something is said to be taken for the rows: `how many guests were tourists`."""
    found = _IS_SAID_TO_BE.search(said.request.question)
    noun = found.group("noun") if found else ""
    if noun in rows_by_other_names(said, sql):
        yield fault(Code.OTHER_ROWS, f"Nothing of the table tells who or what is “{noun}”.", noun)


def check_persons(said: QuestionWords, sql: Statement) -> Iterator[Finding]:
    """Finds rows counted as `people` where no column is of persons."""
    counted = _COUNTS_PERSONS.search(said.request.question)
    if counted is None:
        return
    summed = [name for one in sql.find_all(exp.Sum) for _, name in sql.places(one)]
    if summed:
        told = counted.group("counted") or counted.group("heads")
        if all(map(is_no_money, summed)):
            yield fault(Code.OTHER_KIND, f"“{summed[0]}” is no number of “{told}”.", told)
        return
    names = _all_names(sql.catalog)
    persons = counted.group("counted") or counted.group("heads")
    named = {stem(part) for name in names for part in spelled_out(name)}
    if stem(persons.casefold()) not in named and not any(
        _OF_PERSONS & _spoken_of(name) for name in names
    ):
        yield fault(Code.OTHER_ROWS, f"No column is of “{persons}”.", persons)


def check_counted_times(said: QuestionWords, sql: Statement) -> Iterator[Finding]:
    """Finds rows counted as `how many months is the longest loan`, where no row is of any month.

    `How many years has she worked here` is no number of her tickets, of which each has a date.
    """
    counted = _COUNTS_TIMES.match(said.request.question)
    rows = [one for one in sql.find_all(exp.Count) if not sql.places(one)]
    if counted is None or not rows or sql.find(exp.DateDiff) is not None:
        return
    tables = sql.read_tables
    unit = counted.group("unit")
    is_dated = any(
        _tells_rows_of(said, unit.casefold(), (table.name, one.name))
        for table in tables
        for one in table.columns
        if one.role is Role.DATE
    )
    if stem(unit) not in sql.row_stems and not is_dated:
        yield fault(Code.OTHER_ROWS, f"Rows are counted, which are no {unit}.", unit)


def _tells_rows_of(said: QuestionWords, unit: str, place: Place) -> bool:
    """Whether a date has no more different values than the time that it spans has units."""
    facts = facts_of(said.request, *place)
    if facts is None or not isinstance(facts.minimum, date) or not isinstance(facts.maximum, date):
        return True
    seconds = (facts.maximum - facts.minimum).total_seconds()
    return facts.distinct <= seconds / SECONDS.get(unit.removesuffix("s"), 1) + 2


def check_names(said: QuestionWords, sql: Statement) -> Iterator[Finding]:
    """Finds somebody, or a name, that is asked for where no column but a tested one has names."""
    question = said.request.question
    is_name = _NAME_OF.search(question) is not None
    if not (is_name or _ASKS_WHO.search(question)):
        return
    tested = {place for test in sql.tests if test.operator == "=" for place in test.columns}
    shown = _shown_names(said, sql)
    if is_name and _are_other_kinds(said, shown):
        yield fault(Code.OTHER_KIND, "A name was asked for, and only a kind is shown.")
    if (shown and shown <= tested) or (is_name and not shown and not sql.aggregates):
        yield fault(Code.OTHER_KIND, "A name was asked for that no column holds.")


def check_rival_persons(said: QuestionWords, sql: Statement) -> Iterator[Finding]:
    """Finds `who fixed the most` told by who reported, where the technician may be meant."""
    if not _ASKS_WHO.search(said.request.question) or len(set(sql.tables)) != 1:
        return
    table = sql.catalog.table(sql.tables[0])
    select = sql.tree
    if table is None or not isinstance(select, exp.Select) or _shows_whole_rows(sql):
        return
    shown = sql.shown_columns
    tested = sql.tested_columns
    persons = [
        (table.name, one.name)
        for one in table.columns
        if (facts := facts_of(said.request, table.name, one.name)) and may_tell_who(facts)
    ]
    rivals = [one for one in persons if one not in shown | tested]
    taken = [one for one in persons if one in shown] or sorted(_shown_names(said, sql) - tested)
    asked = " ".join(word.raw for word in said.all[1:])
    if len(taken) == 1 and rivals and not names_column(said, sql, taken[0], asked):
        names = [name for _, name in (*taken, *rivals)]
        message = f"{names[0]} was taken; {' or '.join(names[1:])} may be meant."
        yield doubt(Code.AMBIGUOUS_NAME, message, *names)


def check_numbers_of_things(said: QuestionWords, sql: Statement) -> Iterator[Finding]:
    """Finds `which room number` that is told by a room type."""
    asked = _NUMBER_OF_ONE.search(said.request.question)
    if asked is None or not isinstance(sql.tree, exp.Select):
        return
    own = {stem(asked.group("thing").casefold())} | _NUMBERS
    shown = sql.shown_columns
    if shown and not any({stem(part) for part in spelled_out(name)} <= own for _, name in shown):
        told = asked.group("asked")
        yield fault(Code.OTHER_KIND, f"No column that is shown tells a “{told}”.", told)


def _are_other_kinds(said: QuestionWords, shown: set[Place]) -> bool:
    """Whether all that is shown are kinds, of which no name was asked: `MERCH_CAT`."""
    kinds = {place for place in shown if _KINDS_OF_THINGS & set(spelled_out(place[1])[-1:])}
    told = {stem(part) for _, name in kinds for part in spelled_out(name)[-1:]}
    return bool(shown) and shown == kinds and not told & said.stems


def _shown_names(said: QuestionWords, sql: Statement) -> set[Place]:
    """Returns the texts that are shown; of whole rows those that are called names."""
    if not isinstance(sql.tree, exp.Select):
        return set()
    if not _shows_whole_rows(sql):
        shown = sql.shown_columns
        found = {(place, facts_of(said.request, *place)) for place in shown}
        texts = {place for place, facts in found if facts is None or facts.type == "string"}
        return {place for place in texts if not _TIMES & set(spelled_out(place[1]))}
    tables = sql.read_tables
    return {
        (table.name, one.name)
        for table in tables
        for one in table.columns
        if "name" in {part.casefold() for part in spelled_out(one.name)}
    }


def check_fineness(said: QuestionWords, sql: Statement) -> Iterator[Finding]:
    """Finds hours that are told of dates without a time of day."""
    for one in sql.find_all(exp.Hour, exp.Extract):
        found = [facts_of(said.request, *place) for place in sql.places(one)]
        first = [facts.minimum for facts in found if facts is not None]
        is_hour = isinstance(one, exp.Hour) or one.name.upper() == "HOUR"
        are_days = all(isinstance(day, date) and not isinstance(day, datetime) for day in first)
        if is_hour and first and are_days:
            yield fault(Code.OTHER_KIND, "The dates have no time of day.")


def check_sales(said: QuestionWords, sql: Statement) -> Iterator[Finding]:
    """Finds rows counted as sold where no table tells of a sale, and stock told for sales."""
    sold = next((word for word in said.all if word.text in _SOLD), None)
    if sold is None:
        return
    summed = {place[1] for one in sql.find_all(exp.Sum) for place in sql.places(one)}
    held = [name for name in sorted(summed) if _STOCK & set(spelled_out(name))]
    if held:
        yield fault(Code.OTHER_KIND, f"{held[0]} does not tell what was “{sold.raw}”.", sold.raw)
    names = _all_names(sql.catalog)
    named = any(sold.stem in map(stem, spelled_out(name)) for name in names)
    if not named and not any(_is_of_sales(name) for name in names):
        yield fault(Code.OTHER_KIND, f"Nothing tells what was “{sold.raw}”.", sold.raw)


def _is_of_sales(name: str) -> bool:
    """Whether a name tells of a sale: no fee or cost, which are no price, and no row number."""
    parts, told = spelled_out(name), _spoken_of(name)
    is_number = len(parts) > 1 and stem(parts[-1]) in _NUMBERS
    is_cost = "expense" in told and "sales" not in told
    if is_number or is_cost or cue_words("money_of_its_own") & set(parts):
        return False
    return bool(_OF_SALES & told)


def _all_names(catalog: Catalog) -> list[str]:
    """Returns the names of all tables, of their rows and of their columns."""
    return [
        name
        for table in catalog.tables
        for name in (table.name, *table.row_nouns, *(one.name for one in table.columns))
    ]


def _spoken_of(name: str) -> frozenset[str]:
    """Returns what the head of a name speaks of: `total_rooms` are rooms, no totals.

    The head of `price_per_night` is the price, and that of `price_usd` as well.
    """
    parts = list(spelled_out(name))
    tied = next((at for at, part in enumerate(parts) if at and part in _TYING), len(parts))
    parts = parts[:tied]
    while len(parts) > 1 and currency(parts[-1]):
        parts.pop()
    told = concepts_at([stem(part) for part in parts], lexicon().of_names)
    return told[-1][0] if told else frozenset()


def check_where(said: QuestionWords, sql: Statement) -> Iterator[Finding]:
    """Finds what is told where a place was asked for: rows, names, a figure, the other place."""
    if not _ASKS_WHERE.search(said.request.question) or not isinstance(sql.tree, exp.Select):
        return
    places = [(table, name) for table in set(sql.tables) for name in _places(said, sql, table)]
    if _shows_whole_rows(sql):
        if not places:
            yield fault(Code.OTHER_KIND, "A place was asked for, and no column is of one.", "where")
        return
    shown = [place for one in sql.tree.selects for place in sql.places(one) if place in places]
    if not shown:
        yield fault(Code.OTHER_KIND, "A place was asked for, and none is told.", "where")
        yield from _told_in_place_of(sql, places)
    elif len(shown) == 1 and not {stem(one) for one in spelled_out(shown[0][1])} & said.stems:
        others = [name for table, name in places if table == shown[0][0] and name != shown[0][1]]
        if others:
            told, name = ", ".join(others), shown[0][1]
            message = f"{name} was taken for the place; {told} may be meant."
            yield doubt(Code.AMBIGUOUS_NAME, message, name, *others)


def _told_in_place_of(sql: Statement, places: list[Place]) -> Iterator[Finding]:
    """Yields what tells rows by a name where a place of the same table was asked for."""
    selects = sql.tree.selects if isinstance(sql.tree, exp.Select) else []
    shown = [place for one in selects if (place := sql.place(one.unalias())) is not None]
    columns = [sql.catalog.column(*place) for place in shown]
    tested = sql.tested_columns
    if (
        len(shown) == 1
        and not tested & set(shown)
        and all(one and one.role in {Role.ID, Role.DIMENSION} for one in columns)
    ):
        table, taken = shown[0]
        meant = [name for other, name in places if other == table]
        if meant:
            message = f"{taken} is told where {' or '.join(meant)} was asked for."
            yield fault(Code.WRONG_KEY, message, taken, *meant)


def _places(said: QuestionWords, sql: Statement, table: str) -> list[str]:
    """Returns the columns of a table that tell where something is."""
    return [one.name for one in _columns(sql, table) if _is_place(said, table, one)]


def _is_place(said: QuestionWords, table: str, column: CatalogColumn) -> bool:
    facts = facts_of(said.request, table, column.name)
    if column.role is Role.DATE or (facts is not None and facts.type in {"date", "boolean"}):
        return False
    parts = {part.casefold() for part in spelled_out(column.name)}
    named = cue_words("places") & parts or any(one.endswith(_PLACE_ENDS) for one in parts)
    return bool(named or _OF_PLACES & _spoken_of(column.name))


def _columns(sql: Statement, name: str) -> tuple[CatalogColumn, ...]:
    table = sql.catalog.table(name)
    return table.columns if table else ()


def _shows_whole_rows(sql: Statement) -> bool:
    return re.match(r"\s*SELECT\s+\*", sql.sql, re.IGNORECASE) is not None


def check_asked_values(said: QuestionWords, sql: Statement) -> Iterator[Finding]:
    """Finds what is asked for taken for a value: `which farmer had most` on University Farm."""
    asked = _WHICH_DID.search(said.request.question)
    if asked is None:
        return
    noun = asked.group("noun").casefold()
    for test in sql.tests:
        for one in test.literals:
            begun = [part.text for part in words(one.name) if _begin_alike(part.text, noun)]
            if one.is_string and begun and not any(_is_plural(noun, each) for each in begun):
                message = f"“{asked.group('noun')}” was taken for “{one.name}”."
                yield fault(Code.OTHER_KIND, message, asked.group("noun"))


def check_things_for_values(said: QuestionWords, sql: Statement) -> Iterator[Finding]:
    """Finds `advanced pupils` that are rows cancelled by the pupil, where each has a Pupil ID."""
    things = {
        stem(parts[0])
        for name in set(sql.tables)
        for one in _columns(sql, name)
        if one.role is Role.ID or {"id", "no", "number"} & set(spelled_out(one.name))
        if len(parts := spelled_out(one.name)) > 1
    }
    for test in sql.tests:
        for one in test.literals:
            value = one.name.casefold()
            plural = f"{value}s"
            if one.is_string and stem(value) in things and plural in {w.text for w in said.all}:
                message = f"“{plural}” was taken for a value of {test.columns[0][1]}."
                yield fault(Code.OTHER_KIND, message, plural)


def check_most_rows(said: QuestionWords, sql: Statement) -> Iterator[Finding]:
    """Finds `where most members train` that is where the sum of another figure is highest."""
    question, ranked = said.request.question, _ranked_by(sql)
    if ranked is None or isinstance(ranked, exp.Count):
        return
    for found in _MOST.finditer(question):
        links = [one for one in said.request.links.names if one.span[0] == found.end()]
        told = concepts_at([stem(one.text) for one in links], lexicon().of_words)
        is_amount = any(_OF_SALES & one for one, _ in told)
        figures = [place[1] for place in sql.places(ranked)]
        if links and not is_amount and all(one.column is None for one in links) and figures:
            text = f"{found.group()}{links[0].text}"
            message = f"“{text}” is told by {figures[0]}, not by their number."
            yield fault(Code.SUPERLATIVE_TURNED, message, text)


def check_most_done(said: QuestionWords, sql: Statement) -> Iterator[Finding]:
    """Finds `which team overspent the most` that is the one of most rows: the verb was not read."""
    ranked = _ranked_by(sql)
    if not isinstance(ranked, exp.Count):
        return
    spans = [one.span for one in said.request.links.names if one.column is None]
    for word in unexplained_by_names(said, sql):
        found = _THE_MOST.match(said.request.question, word.end)
        if found and not any(start == found.end() for start, _ in spans):
            message = f"“{word.raw}” was not used, and rows are counted."
            yield fault(Code.SUPERLATIVE_TURNED, message, word.raw)


def _ranked_by(sql: Statement) -> exp.Expression | None:
    """Returns the aggregate that groups are ranked by, under whatever name it is shown."""
    select, order = sql.tree, sql.tree.args.get("order")
    if order is None or not sql.limits or not sql.group_keys or not isinstance(select, exp.Select):
        return None
    first = order.expressions[0]
    named = {one.alias_or_name: one.unalias() for one in select.selects}
    by = named.get(first.this.name, first) if isinstance(first.this, exp.Column) else first
    return by.find(exp.AggFunc)


def _begin_alike(one: str, other: str) -> bool:
    short, long = sorted((one, other), key=len)
    return len(short) >= _SHORTEST_STEM and long.startswith(short)


def _is_plural(one: str, other: str) -> bool:
    """Whether words are the same, or one is the plural of the other: `developers`, `Developer`."""
    short, long = sorted((one, other), key=len)
    return long in {short, f"{short}s", f"{short}es"}


def check_counted_figures(said: QuestionWords, sql: Statement) -> Iterator[Finding]:
    """Finds rows counted where nothing but another figure is named: `bonus by education`."""
    by = _BY.search(said.request.question)
    if by is None or not sql.group_keys or find_cues("count", said.request.question):
        return
    counts = all(isinstance(one, exp.Count) for one in sql.aggregates)
    named = [word for word in said.content if word.end <= by.start()]
    unexplained = set(unexplained_by_names(said, sql))
    if counts and sql.aggregates and unexplained.issuperset(named):
        for word in named:
            yield fault(Code.OTHER_KIND, f"Rows are counted, and “{word.raw}” is not.", word.raw)


def check_called_by_aggregate(said: QuestionWords, sql: Statement) -> Iterator[Finding]:
    """Finds `average ping` told by an average of something else: only `average` calls `fps_avg`."""
    left_out = unexplained_by_names(said, sql)
    cues = {one.start for one in said.cues}
    for one in sql.find_all(exp.Avg, exp.Sum, exp.Min, exp.Max) if left_out else ():
        for place in sql.places(one):
            called = [
                word
                for word in said.all
                if word.text not in word_set("checks.prepositions")
                and names_column(said, sql, place, word.raw)
            ]
            if called and all(word.start in cues for word in called):
                message = f"Nothing but “{called[0].raw}” calls {place[1]}."
                yield fault(Code.OTHER_KIND, message, *(word.raw for word in left_out))


def check_years(said: QuestionWords, sql: Statement) -> Iterator[Finding]:
    """Finds `in 1995` that is an amount of 1995."""
    years = {found.group("year") for found in _IN_YEAR.finditer(said.request.question)}
    for test in sql.tests:
        columns = [sql.catalog.column(*place) for place in test.columns]
        measures = [one for one in columns if one is not None and one.role is Role.MEASURE]
        taken = [one.name for one in test.literals if one.name in years]
        are_years = any(_holds_years(said, place) for place in test.columns)
        if measures and taken and not are_years and "year" not in spelled_out(measures[0].name):
            message = f"“{taken[0]}” was taken for a value of {measures[0].name}."
            yield fault(Code.OTHER_KIND, message, taken[0])


def _holds_years(said: QuestionWords, place: Place) -> bool:
    facts = facts_of(said.request, *place)
    low, high = (facts.minimum, facts.maximum) if facts is not None else (None, None)
    return isinstance(low, int) and isinstance(high, int) and FIRST_YEAR <= low <= high <= LAST_YEAR


CHECKS = (
    check_two_nouns,
    check_doers,
    check_opinions,
    check_belonging,
    check_said_to_be,
    check_persons,
    check_counted_times,
    check_names,
    check_rival_persons,
    check_numbers_of_things,
    check_fineness,
    check_sales,
    check_where,
    check_asked_values,
    check_most_rows,
    check_most_done,
    check_things_for_values,
    check_counted_figures,
    check_called_by_aggregate,
    check_years,
)
