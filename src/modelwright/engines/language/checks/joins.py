"""Whether tables are joined by the right keys, and measures added up at their own grain."""

from collections import Counter
from collections.abc import Iterator

from sqlglot import exp
from sqlglot.optimizer.scope import Scope

from modelwright.engines.language.catalog.meaning import (
    PERCENT,
    Additivity,
    CatalogColumn,
    Relationship,
    Role,
)
from modelwright.engines.language.checks.findings import Code, Finding, doubt, fault, note
from modelwright.engines.language.checks.statement import Place, Statement
from modelwright.engines.language.checks.unexplained import unexplained_by_names
from modelwright.engines.language.checks.words import QuestionWords, facts_of
from modelwright.engines.language.linking.roles import role_is_said
from modelwright.engines.language.readers import ReadRequest
from modelwright.engines.language.row_nouns import singular
from modelwright.engines.language.rules.text.lexicon import concepts_of_name, spelled_out
from modelwright.engines.language.rules.text.words import stem, words
from modelwright.engines.language.vocabulary import any_case, cue_words, find_cues, word_set

SHORTEST_PART = 3
"""A part of a name may be a word cut short, and have so few letters: `max`, `temp`."""
INNER_JOINS = frozenset({"inner", "where"})
"""Joins that keep only rows which meet one of the other table."""
READS_OF_SELF_KEY = 2
"""A table is read so often where one of its rows is looked up by another."""
_STANDS_OVER = any_case(
    r"\breport(?:s|ed|ing)? to\b|\b(?:manag|supervis|mentor)(?:e?d|es?)\b|\bsubordinates?\b"
)
"""Who stands over whom: a key to the same table tells it, or nothing."""
_NAMES = frozenset(map(stem, ("name", "title")))
"""What a column is called besides by the thing whose rows it names."""
_OF_WHOLES = word_set("checks.of_wholes")
_OF_RATES = word_set("checks.of_rates")
"""What names of sums of others, and of amounts for one of something, have."""
ONCE = (
    exp.Min, exp.Max, exp.ArgMin, exp.ArgMax, exp.AnyValue, exp.First, exp.Last, exp.FirstValue,
    exp.LastValue, exp.NthValue, exp.Lag, exp.Lead,
)  # fmt: skip
"""Aggregates that take one row of all: they are the same where rows are repeated."""


def check_fan_out(said: QuestionWords, sql: Statement) -> Iterator[Finding]:
    """Finds measures and rows of the one side that a join with the many side repeats."""
    for scope in sql.scopes:
        yield from _fan_out_of(said, scope, sql)


def _fan_out_of(said: QuestionWords, scope: Scope, sql: Statement) -> Iterator[Finding]:
    repeated = _repeated_sources(said, scope, sql)
    if not repeated:
        return
    select = scope.expression
    for one in sql.aggregates:
        if one.find_ancestor(exp.Select) is not select or one.find(exp.Distinct, *ONCE):
            continue
        if isinstance(one.this, exp.Star | exp.Literal):
            continue
        for column in one.find_all(exp.Column):
            place = sql.place(column)
            if column.table in repeated and place is not None:
                told = f"The join repeats rows of {place[0]}: {place[1]} counts more than once."
                yield fault(Code.FAN_OUT, told)
                return


def _repeated_sources(said: QuestionWords, scope: Scope, sql: Statement) -> set[str]:
    """Returns the aliases whose rows a join of this query may repeat."""
    neighbours: dict[str, list[tuple[str, bool]]] = {}
    for one, other in _joined(said, scope, sql):
        neighbours.setdefault(one[0], []).append(other)
        neighbours.setdefault(other[0], []).append(one)
    return {alias for alias in neighbours if _reaches_many(alias, neighbours)}


def _joined(
    said: QuestionWords, scope: Scope, sql: Statement
) -> Iterator[tuple[tuple[str, bool], tuple[str, bool]]]:
    """Yields the pairs of aliases that are joined, and whether each side's column is a key."""
    tables = {
        alias
        for alias, source in scope.sources.items()
        if isinstance(source, exp.Table) and alias in scope.selected_sources
    }
    for node in scope.find_all(exp.EQ):
        left, right = node.left.unnest(), node.right.unnest()
        if not (isinstance(left, exp.Column) and isinstance(right, exp.Column)):
            continue
        places = sql.place(left), sql.place(right)
        if left.table == right.table or not {left.table, right.table} <= tables:
            continue
        if places[0] and places[1]:
            keys = is_unique(said.request, places[0]), is_unique(said.request, places[1])
            yield (left.table, keys[0]), (right.table, keys[1])


def _reaches_many(alias: str, neighbours: dict[str, list[tuple[str, bool]]]) -> bool:
    """Whether a row of a table may meet several of another one that is joined to it."""
    seen, edge = {alias}, [alias]
    while edge:
        for there, is_unique in neighbours.get(edge.pop(), ()):
            if there in seen:
                continue
            if not is_unique:
                return True
            seen.add(there)
            edge.append(there)
    return False


def is_unique(request: ReadRequest, place: Place) -> bool:
    """Returns whether a value of a column stands in one row only."""
    facts = facts_of(request, *place)
    if facts is not None and facts.rows and facts.distinct == facts.rows - facts.missing:
        return True
    table = request.catalog.table(place[0])
    if table is None:
        return False
    pointed = {(one.to_table, one.to_column) for one in request.catalog.relationships}
    return table.key == place[1] or place in pointed


def check_counted(said: QuestionWords, sql: Statement) -> Iterator[Finding]:
    """Finds rows that are counted where those of a table that the join repeats were asked for."""
    counted = _counted_tables(said, sql)
    if not any(counted.values()):
        return
    for scope in sql.scopes:
        repeated = {
            source.name.casefold()
            for alias, source in scope.sources.items()
            if isinstance(source, exp.Table) and alias in _repeated_sources(said, scope, sql)
        }
        for one in scope.expression.find_all(exp.Count):
            if one.find_ancestor(exp.Select) is not scope.expression:
                continue
            tables = counted[one.find_ancestor(exp.Having) is not None]
            wrong = [each for each in tables if each.casefold() in repeated]
            if isinstance(one.this, exp.Star) and wrong:
                message = f"The join repeats rows of {wrong[0]}, which are counted."
                yield fault(Code.FAN_OUT, message, wrong[0])
                return


def _counted_tables(said: QuestionWords, sql: Statement) -> dict[bool, list[str]]:
    """Returns the tables whose rows a number is told of, and those that groups have so many of.

    `How many customers` by False, `with over 3 orders` by True. Of `top 3 customers` the number
    tells how many are shown.
    """
    question = said.request.question
    asked = [cue.end for cue in find_cues("count", question)]
    held = [one.span[1] for one in said.request.links.numbers if one.value not in sql.limits]
    tables = [link for link in said.request.links.names if link.column is None]
    return {
        is_held: [
            link.table
            for link in tables
            if any(_follows(question, end, link.span[0]) for end in ends)
        ]
        for is_held, ends in ((False, asked), (True, held))
    }


def _follows(question: str, end: int, start: int) -> bool:
    """Whether what starts here comes right after what ends there."""
    return end <= start and not question[end:start].strip()


def check_keys(said: QuestionWords, sql: Statement) -> Iterator[Finding]:
    """Finds joins by columns that are no key, and the wrong one of two keys."""
    known = {
        ((one.table, one.column), (one.to_table, one.to_column)): one
        for one in sql.catalog.relationships
    }
    for join in sql.joins:
        used = known.get((join.left, join.right)) or known.get((join.right, join.left))
        if used is None:
            if join.left[0] != join.right[0] and not _shares_key(sql, join.left, join.right):
                told = f"{join.left[0]} and {join.right[0]} are not joined by a key."
                yield doubt(Code.WRONG_KEY, told)
            continue
        yield from _wrong_of_two(said, sql, used)


def check_named_ends(said: QuestionWords, sql: Statement) -> Iterator[Finding]:
    """Finds `by billing city` that shows keys of addresses, and `admitting doctor` read as a date.

    A word that tells apart two keys to one table stands right before what that table holds.
    """
    links = said.request.links.names
    nouns = {one.span for one in links if one.column is None}
    for key in sql.catalog.relationships:
        if key.table not in sql.tables or not key.role or not _has_rival(sql, key):
            continue
        for link in links:
            before = words(said.request.question[: link.span[0]])[-1:]
            roles = {word.stem for word in words(key.role)}
            if link.table != key.to_table or not before or before[0].stem not in roles:
                continue
            told = f"{before[0].text} {link.text}"
            read = {column for table, column in sql.columns if table == key.to_table}
            if (key.table, key.column) not in _used_columns(sql) and read <= {key.to_column}:
                yield fault(Code.WRONG_KEY, f"“{told}” is not looked at.")
            elif link.span not in nouns and link.column not in read:
                yield fault(Code.WRONG_KEY, f"“{told}” is not looked up.")


def _used_columns(sql: Statement) -> set[Place]:
    """Returns the columns that are used for more than to join."""
    joined = [(one.left, one.right) for one in sql.joins]
    tied = Counter(place for ends in joined for place in ends)
    told = Counter(place for one in sql.find_all(exp.Column) for place in sql.places(one))
    return {place for place in told if told[place] > tied[place]}


def _has_rival(sql: Statement, key: Relationship) -> bool:
    ends = [(one.table, one.to_table) for one in sql.catalog.relationships]
    return ends.count((key.table, key.to_table)) > 1


def _shares_key(sql: Statement, left: Place, right: Place) -> bool:
    """Whether two columns point to the same rows of a third table."""
    targets: dict[Place, set[Place]] = {left: {left}, right: {right}}
    for one in sql.catalog.relationships:
        place = (one.table, one.column)
        if place in targets:
            targets[place].add((one.to_table, one.to_column))
    return bool(targets[left] & targets[right])


def _wrong_of_two(said: QuestionWords, sql: Statement, used: Relationship) -> Iterator[Finding]:
    """Finds a join by one of two keys where the question speaks of the other, or of neither."""
    rivals = [
        one
        for one in sql.catalog.relationships
        if (one.table, one.to_table) == (used.table, used.to_table)
        if one.column != used.column
    ]
    joined = {place for join in sql.joins for place in (join.left, join.right)}
    if not rivals or any((one.table, one.column) in joined for one in rivals):
        return
    better = next((one for one in rivals if role_is_said(said.request, one)), None)
    if role_is_said(said.request, used):
        if better is not None:
            told = f"The question speaks of {better.role} as well as of {used.role}."
            yield fault(Code.WRONG_KEY, told)
        return
    if better is not None:
        told = f"The question speaks of {better.role}, not of {used.role}."
        yield fault(Code.WRONG_KEY, told, used.column, better.column)
    elif used.role:
        told = " or ".join([used.role, *(one.role for one in rivals)])
        columns = used.column, *(one.column for one in rivals)
        yield doubt(Code.WRONG_KEY, f"It is not said whether {told} is meant.", *columns)


def check_self_keys(said: QuestionWords, sql: Statement) -> Iterator[Finding]:
    """Finds questions about a key to the same table whose SQL reads that table once."""
    for one in sql.catalog.relationships:
        if one.table != one.to_table or one.table not in sql.tables:
            continue
        named = role_is_said(said.request, one) or _cited(said, "over_others")
        counts = (one.table, one.column) in sql.columns and (sql.group_keys or sql.find(exp.Is))
        if named and Counter(sql.tables)[one.table] < READS_OF_SELF_KEY and not counts:
            told = f"{one.column} points to another row of {one.table}, which is not looked up."
            yield fault(Code.SELF_KEY_MISSED, told, one.table, one.column)


def check_ranks_of_people(said: QuestionWords, sql: Statement) -> Iterator[Finding]:
    """Finds who stands over whom asked of tables that do not tell it."""
    told = _STANDS_OVER.search(said.request.question)
    tables = set(sql.tables)
    keys = [one for one in sql.catalog.relationships if one.table == one.to_table in tables]
    if told is None or keys or len(tables) != 1:
        return
    if {word.raw for word in unexplained_by_names(said, sql)} & set(told.group().split()):
        message = f"Nothing in {', '.join(tables)} tells what “{told.group()}” asks."
        yield fault(Code.SELF_KEY_MISSED, message, told.group())


def _cited(said: QuestionWords, words_of: str) -> bool:
    return bool(cue_words(words_of) & {word.text for word in said.all})


def check_additivity(said: QuestionWords, sql: Statement) -> Iterator[Finding]:
    """Finds sums of what does not add up, and averages of what only names rows."""
    asked = _cited(said, "sum")
    for one in sql.find_all(exp.Sum, exp.Avg):
        inner = one.this
        if not isinstance(inner, exp.Column) or (place := sql.place(inner)) is None:
            continue
        column = sql.catalog.column(*place)
        if column is None or column.role is Role.FLAG:
            continue
        is_percent = column.unit == PERCENT
        if _is_divided(sql, one) and not (is_percent and isinstance(one, exp.Sum)):
            continue
        if column.role is Role.ID:
            yield fault(Code.NOT_ADDITIVE, f"{place[1]} only names rows.", place[1])
        elif isinstance(one, exp.Sum) and column.additivity is not Additivity.SUM:
            is_meant = asked and not is_percent
            make = doubt if is_meant or column.role is Role.DIMENSION else fault
            yield make(Code.NOT_ADDITIVE, f"{place[1]} does not add up over rows.", place[1])


def check_ranked_keys(said: QuestionWords, sql: Statement) -> Iterator[Finding]:
    """Finds the branch with the most returns told by the highest key of a branch."""
    keys = {(one.table, one.column) for one in sql.catalog.relationships}
    for order in sql.find_all(exp.Order):
        first = order.expressions[0]
        ranked = first.this if isinstance(first, exp.Ordered) else None
        ranked = ranked.this if isinstance(ranked, exp.Max | exp.Min) else ranked
        place = sql.place(ranked) if ranked is not None else None
        if place in keys and order.parent and order.parent.args.get("limit"):
            told = {stem(part) for part in spelled_out(place[1])}
            if not told <= said.stems:
                yield fault(Code.NOT_ADDITIVE, f"{place[1]} only names rows.", place[1])


def _is_divided(sql: Statement, one: exp.Expression) -> bool:
    """Whether a sum is divided by that of another column, or divides it: `cost per kg`."""
    ratio = one.find_ancestor(exp.Div)
    return ratio is not None and len(set(sql.places(ratio))) > 1


def check_names(said: QuestionWords, sql: Statement) -> Iterator[Finding]:
    """Finds columns that were taken though others are called as well by the same words."""
    for place in sorted(sql.written_columns):
        column = sql.catalog.column(*place)
        table = sql.catalog.table(place[0])
        if column is None or table is None or column.role is Role.ID:
            continue
        rivals = [] if _is_told_by_value(said, sql, place) else _rivals(said, sql, place)
        if rivals:
            told = ", ".join(rivals)
            message = f"{place[1]} was taken; {told} may be meant."
            yield doubt(Code.AMBIGUOUS_NAME, message, place[1], *rivals)


def _is_told_by_value(said: QuestionWords, sql: Statement, place: Place) -> bool:
    """Whether a column was taken for a value of it that the question names."""
    linked = {
        str(one.value) for one in said.request.links.values if (one.table, one.column) == place
    }
    tests = [test for test in sql.tests if place in test.columns]
    return any(one.name in linked for test in tests for one in test.literals)


def _said_parts(said: QuestionWords, label: set[str]) -> set[str]:
    """Returns the words of a name that the question says, whole or longer: `temp`, `diff`."""
    long = [word.text for word in said.all]
    return {
        part
        for part in label
        if part in said.stems
        or (len(part) >= SHORTEST_PART and any(one.startswith(part) for one in long))
    }


def _rivals(said: QuestionWords, sql: Statement, place: Place) -> list[str]:
    """Returns columns of the table that share all said words of this one's name."""
    table = sql.catalog.table(place[0])
    column = sql.catalog.column(*place)
    if table is None or column is None:
        return []
    label = _telling_parts(column.label)
    mine = _said_parts(said, label)
    called = {stem(noun) for noun in (table.name, *table.row_nouns)}
    if mine == label or (mine and label - mine <= _NAMES):
        return []  # `per product` tells each of them by its name, not by its status
    if mine <= called and column.label.endswith(" name"):
        return []
    nouns = {form for noun in table.row_nouns for form in (noun, singular(noun))}
    if column.role is Role.MEASURE and all(
        word.text in nouns for word in said.all if word.stem in mine
    ):
        mine = set()  # `payout of home claims` names claims, and no claimed amount
    alike = concepts_of_name(column.name) & {one for told in said.concepts.values() for one in told}
    return [
        one.name
        for one in table.columns
        if _is_offered_beside(sql, place, column, one)
        and _is_said_as_well(said, one, label, mine, alike)
    ]


def _telling_parts(label: str) -> set[str]:
    """Returns the stems of a name without what only ties words: `on average` is no Issued On."""
    said = [word for word in words(label) if word.text not in word_set("checks.prepositions")]
    return {stem(word.text) for word in said or words(label)}


def _is_offered_beside(
    sql: Statement, place: Place, column: CatalogColumn, other: CatalogColumn
) -> bool:
    """Whether another column of the table could stand in the place of one."""
    if other.name == column.name or other.role is not column.role:
        return False
    if place in sql.summed and other.additivity is not Additivity.SUM:
        return False
    return (place[0], other.name) not in sql.written_columns and not _is_plain(column, other)


def _is_said_as_well(
    said: QuestionWords,
    other: CatalogColumn,
    label: set[str],
    mine: set[str],
    alike: frozenset[str],
) -> bool:
    """Whether what the question says of a column's name it says of another's too.

    Args:
        said: The question.
        other: The other column.
        label: The stems of the column's own name.
        mine: Those of them that the question says.
        alike: What the question speaks of that the column's name speaks of.

    Returns:
        Whether the other one may be meant.
    """
    theirs = _telling_parts(other.label)
    said_of_it = _said_parts(said, theirs)
    if theirs <= said_of_it and theirs < label:
        return True
    return mine <= said_of_it if mine else bool(alike) and alike <= concepts_of_name(other.name)


def _is_plain(one: CatalogColumn, other: CatalogColumn) -> bool:
    """Whether a column is the whole and the other a part, or this an amount and that a rate.

    A total and an amount for one are both amounts: neither is plainer.
    """
    mine, theirs = ({word.text for word in words(each.label)} for each in (one, other))
    if theirs & _OF_RATES:
        return not mine & (_OF_RATES | _OF_WHOLES)
    return bool(mine & _OF_WHOLES) and not theirs & _OF_WHOLES


def check_orphans(said: QuestionWords, sql: Statement) -> Iterator[Finding]:
    """Tells of rows that a join leaves out, as they name no row of the other table.

    Where the question asks for something of the other table, such rows are none that it means.
    """
    tested = {table for one in sql.tests for table, _ in one.columns}
    for key in said.request.catalog.relationships:
        ends = {(key.table, key.column), (key.to_table, key.to_column)}
        joined = any({one.left, one.right} == ends and one.kind in INNER_JOINS for one in sql.joins)
        lost = _rows_without(said.request, key) if joined and key.to_table not in tested else 0
        if lost:
            told = (
                f"{lost:,} rows of {key.table} are left out: their {key.column} is empty or names"
                f" no row of {key.to_table}."
            )
            yield note(Code.ORPHANS_LEFT_OUT, told)


def _rows_without(request: ReadRequest, key: Relationship) -> int:
    """Counts the rows of the many side that have no row of the one side."""
    facts = facts_of(request, key.table, key.column)
    return (key.orphans or 0) + (facts.missing if facts is not None else 0)


CHECKS = (
    check_fan_out,
    check_orphans,
    check_counted,
    check_keys,
    check_named_ends,
    check_self_keys,
    check_ranks_of_people,
    check_additivity,
    check_ranked_keys,
    check_names,
)
