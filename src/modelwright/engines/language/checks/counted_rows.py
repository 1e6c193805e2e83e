"""Whether the rows that are counted or told apart are the things that the question names."""

from collections.abc import Iterator

from sqlglot import exp

from modelwright.engines.language.catalog.meaning import Role
from modelwright.engines.language.checks.findings import Code, Finding, fault
from modelwright.engines.language.checks.joins import is_unique
from modelwright.engines.language.checks.statement import Place, Statement
from modelwright.engines.language.checks.words import QuestionWords, facts_of, names_column_by
from modelwright.engines.language.rules.columns.row_numbers import numbers_things
from modelwright.engines.language.rules.text.lexicon import lexicon, spelled_out
from modelwright.engines.language.rules.text.words import Word, stem, words
from modelwright.engines.language.vocabulary import any_case, word_set

_COUNTED = any_case(
    r"(?:\bhow many|\b(?:number|count) of|\bmost|\bfewest|\bleast|\d|#)\s+(?:of\s+)?(?:the\s+)?"
    r"(?:(?!of\b|by\b|per\b|in\b)\w+\s+)?$"
)
"""What stands before the name of what is counted."""
_TELLING = word_set("checks.name_ends")
"""What the names of columns end with that tell things apart, not kinds of them."""


def check_attributes(said: QuestionWords, sql: Statement) -> Iterator[Finding]:
    """Finds `customers with most tickets` that are tiers of customers, grouped by or listed."""
    select = sql.tree
    is_list = isinstance(select, exp.Select) and select.args.get("distinct") is not None
    listed = select.selects if is_list and isinstance(select, exp.Select) else []
    for key in [*sql.group_keys, *listed]:
        for place in sql.places(key):
            told = _owner_said(said, sql, place)
            if told:
                message = f"“{told}” are not told apart by {place[1]}."
                yield fault(Code.OTHER_KIND, message, told)


def _owner_said(said: QuestionWords, sql: Statement, place: Place) -> str:
    """Returns the noun in the plural that begins a name of which nothing else is said."""
    column = sql.catalog.column(*place)
    parts = [word.text for word in words(column.label)] if column else []
    if column is None or column.role is not Role.DIMENSION or len(parts) == 1:
        return ""
    owner, rest = parts[0], parts[1:]
    if not rest or rest[-1] in _TELLING or {stem(one) for one in rest} & said.stems:
        return ""
    if any(word.text in word_set("checks.grouping") for word in said.all):
        return ""
    plural = next((word for word in said.all if word.text == f"{owner}s"), None)
    return plural.raw if plural and stem(owner) in lexicon().entities else ""


def check_table_names(said: QuestionWords, sql: Statement) -> Iterator[Finding]:
    """Finds `most stock` that counts the movements of stock."""
    tables = set(sql.tables)
    table = sql.catalog.table(next(iter(tables))) if len(tables) == 1 else None
    if table is None or not _counts_rows(sql):
        return
    *before, head = [part for part in spelled_out(table.name) if part.isalpha()] or [""]
    if {stem(noun) for noun in table.row_nouns} & said.stems or not head.endswith("s"):
        return  # `wine_multi` holds wines: no noun follows
    for word in said.content:
        is_part = word.stem in {stem(one) for one in before}
        if is_part and not any(names_column_by(said, place, word) for place in sql.columns):
            message = f"“{word.raw}” was taken for the rows of {table.name}."
            yield fault(Code.OTHER_ROWS, message, word.raw)


def check_counted_things(said: QuestionWords, sql: Statement) -> Iterator[Finding]:
    """Finds `how many invoices` that counts their lines, each with the number of its invoice."""
    if not _counts_rows(sql):
        return
    counted = _tables_of_counts(sql)
    grouped = {stem(one) for key in sql.group_keys for one in _said_of(sql, key)}
    tests_groups = sql.find(exp.Having) is not None
    for word in said.all:
        is_done = tests_groups and word.text.endswith("ed")  # `who ordered more than once`
        if not is_done and not (word.text.endswith("s") and _is_counted(said, word)):
            continue
        places = [one for one in kinds_of(sql, word) if one[0] in counted]
        single = {table for table, column in places if not repeats(said, (table, column))}
        for table, column in places:
            is_key = bool(_TELLING & {part.casefold() for part in spelled_out(column)})
            is_key = is_key or numbers_things(column) or _tells_things(sql, (table, column))
            if is_key and table not in single and word.stem not in grouped:
                message = f"“{word.raw}” are told apart by {column}, and rows are counted."
                yield fault(Code.ROWS_OF_THINGS, message, word.raw, column, table)


def check_counted_figures(said: QuestionWords, sql: Statement) -> Iterator[Finding]:
    """Finds `number of visits per day` that counts the members, of whom a column tells visits."""
    if not sql.aggregates or not all(isinstance(one, exp.Count) for one in sql.aggregates):
        return
    known = list(filter(None, map(sql.catalog.table, sorted(set(sql.tables)))))
    nouns = {stem(part) for one in known for noun in one.row_nouns for part in noun.split()}
    figures = {
        stem(next(iter(spelled_out(column.name)))): column.name
        for one in known
        for column in one.columns
        if column.role is Role.MEASURE and (one.name, column.name) not in sql.columns
    }
    for word in said.content:
        name = figures.get(word.stem)
        if name and word.text.endswith("s") and word.stem not in nouns and _is_counted(said, word):
            message = f"“{word.raw}” are told by {name}, and rows are counted."
            yield fault(Code.OTHER_ROWS, message, word.raw)


def _tables_of_counts(sql: Statement) -> set[str]:
    """Returns the tables whose rows are counted, without those that are only looked up."""
    stars = [one for one in sql.find_all(exp.Count) if isinstance(one.this, exp.Star)]
    homes = [one.find_ancestor(exp.Select) for one in stars]
    return {
        known.name
        for home in homes
        if home is not None
        for table in home.find_all(exp.Table)
        if table.find_ancestor(exp.Select) is home
        if (known := sql.catalog.table(table.name)) is not None
    }


def _tells_things(sql: Statement, place: Place) -> bool:
    """Whether rows of `hives` are inspections of hives: each Hive has several, and a key of theirs.

    The key is called otherwise, and nothing but a number of them is asked for.
    """
    table, column = sql.catalog.table(place[0]), sql.catalog.column(*place)
    if table is None or column is None or table.key in {None, place[1]} or sql.group_keys:
        return False
    own = {stem(part) for part in spelled_out(str(table.key))}
    is_called = {stem(part) for part in spelled_out(place[1])} == {stem(table.name)}
    return column.role is Role.DIMENSION and is_called and stem(table.name) not in own


def check_counted_amounts(said: QuestionWords, sql: Statement) -> Iterator[Finding]:
    """Finds `how many different items` that are different quantities, which nobody named."""
    for one in sql.find_all(exp.Count):
        place = sql.place(one.this.expressions[0]) if isinstance(one.this, exp.Distinct) else None
        if place is None or sql.role(place) is not Role.MEASURE:
            continue
        if not any((link.table, link.column) == place for link in said.request.links.names):
            message = f"Nothing asks for a number of different “{place[1]}”."
            yield fault(Code.DISTINCT_ADDED, message, place[1])


def _counts_rows(sql: Statement) -> bool:
    return any(isinstance(one.this, exp.Star) for one in sql.find_all(exp.Count))


def _is_counted(said: QuestionWords, word: Word) -> bool:
    """Whether a number of what a word calls is asked for: `how many orders`, `orders per day`."""
    before = said.request.question[: word.start]
    return _COUNTED.search(before) is not None or (said.content[:1] == [word])


def kinds_of(sql: Statement, word: Word) -> Iterator[Place]:
    """Yields the columns that tell apart what a word calls: `order_id`, `agent`."""
    for table in filter(None, map(sql.catalog.table, sorted(set(sql.tables)))):
        for one in table.columns:
            parts = [part.casefold() for part in spelled_out(one.name)]
            owners = [stem(part) for part in parts if part not in _TELLING]
            if one.role in {Role.ID, Role.DIMENSION} and owners == [word.stem]:
                yield table.name, one.name


def _said_of(sql: Statement, key: exp.Expression) -> Iterator[str]:
    """Yields what the columns of a group, and the rows of their tables, are called."""
    for table, column in sql.places(key):
        if sql.role((table, column)) is Role.DATE:
            continue
        yield from spelled_out(column)
        if found := sql.catalog.table(table):
            yield from found.row_nouns


def check_rows_as_groups(said: QuestionWords, sql: Statement) -> Iterator[Finding]:
    """Finds rows counted for each row: `which opera has most shows` told by a key of shows."""
    counts = bool(sql.aggregates) and all(isinstance(one, exp.Count) for one in sql.aggregates)
    if not (counts and sql.limits and len(sql.tables) == 1):
        return
    for key in sql.group_keys:
        place = sql.place(key)
        if place is not None and is_unique(said.request, place):
            yield fault(Code.WRONG_KEY, f"“{place[1]}” has one row each: nothing is counted.")


def repeats(said: QuestionWords, place: Place) -> bool:
    """Whether a value of a column stands in several rows."""
    facts = facts_of(said.request, *place)
    return facts is not None and facts.distinct < facts.rows - facts.missing
