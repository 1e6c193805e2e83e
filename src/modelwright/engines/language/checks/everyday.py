"""Words that say which rows are meant, and stand in the SQL as something else.

A state that tests nothing (`still with us`), an adjective that is only listed (`discharged
patients`), the first half of a name for the thing that it belongs to (`customers` by customer tier,
`stock` for movements of stock), a noun that is a verb elsewhere (`draw percentage`).
"""

from collections.abc import Iterator

from sqlglot import exp

from modelwright.engines.facts import ColumnFacts
from modelwright.engines.language.catalog import Role
from modelwright.engines.language.checks.findings import Code, Finding, doubt, fault
from modelwright.engines.language.checks.joins import is_unique
from modelwright.engines.language.checks.statement import Place, Statement
from modelwright.engines.language.checks.unexplained import (
    ASKS_HOW_MUCH,
    rows_by_other_names,
    unexplained_by_names,
)
from modelwright.engines.language.checks.used_words import is_row_word
from modelwright.engines.language.checks.words import QuestionWords, facts_of
from modelwright.engines.language.rules.columns.row_numbers import numbers_things
from modelwright.engines.language.rules.mentions.rows import added
from modelwright.engines.language.rules.mentions.units import is_measured
from modelwright.engines.language.rules.plans.plan import Ref
from modelwright.engines.language.rules.text.commands import commands
from modelwright.engines.language.rules.text.lexicon import concepts_at, lexicon, spelled_out
from modelwright.engines.language.rules.text.roots import root
from modelwright.engines.language.rules.text.words import Word, stem, words
from modelwright.engines.language.vocabulary import (
    alternatives,
    any_case,
    cue_words,
    find_cues,
    word_set,
)

_OPPOSITES = [frozenset(pair.split()) for pair in cue_words("opposites")]
_STATE = any_case(
    r"\b(?:still|currently|current|right now|out of (?:stock|order|service|use|date)|sold out)\b"
)
_HELD_NOW = any_case(
    r"\b(?:do|does)(?: \w+){1,3}? (?:currently|right now) have\b"
    r"|\b(?:have|(?:is|are) there) (?:currently|right now)(?=\W*$| (?:in|at|on|by|per|for|with)\b)"
)
"""Asks for what is there: `how many desks do we currently have`."""
_HAVE_NOW = any_case(r"\b(?:do|does) (?:we|you|they) have\b|\bworks? (?:here|for us|with us)\b")
_OVER = word_set("checks.of_leaving")
_PLACED = any_case(r"\b(?:in|at|on|with|for|from|by|of)\b")
_NEVER = any_case(r"\b(?:never|n[o']t ever)\b")
_OF_MONEY = word_set("checks.concepts_of_money")
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
_EXTREME = any_case(r"\b(max|maximum|min|minimum)\s+(?:of\s+)?(?:the\s+)?$")
LETTERS_OF_EXTREMES = 3
"""Of `maximum` so many stand in `temp_max`."""
_PER = any_case(r"\s+(?:by|per|for each|in each|of each|for every)\b")
_SPLIT = any_case(r"\s+(?:split|breakdown|distribution|mix)\b")
_WEEKEND = any_case(r"\bweekends?\b")
_WORKDAY = any_case(r"\b(?:weekdays?|work\w* ?days?)\b")
_MEAN_PER = any_case(rf"\b(?:{alternatives('averages.means')})\s+(?:\w+\s+){{1,3}}per\b")
_SAYS_PER = any_case(r"\bper\b")
_BEHIND_PER = any_case(r"\b(?:per|for each|for every)\s+$")
_RECORD = any_case(r"\brecord\s+$")
_COUNTED = any_case(
    r"(?:\bhow many|\b(?:number|count) of|\bmost|\bfewest|\bleast|\d|#)\s+(?:of\s+)?(?:the\s+)?"
    r"(?:(?!of\b|by\b|per\b|in\b)\w+\s+)?$"
)
"""What stands before the name of what is counted."""
_TELLING = word_set("checks.name_ends")
"""What the names of columns end with that tell things apart, not kinds of them."""


def check_states(said: QuestionWords, sql: Statement) -> Iterator[Finding]:
    """Finds `still with us` and `current patients` that leave no row out by what they are now."""
    held = [one.span() for one in _HELD_NOW.finditer(said.request.question)]
    for told in _STATE.finditer(said.request.question):
        if any(a <= told.start() < b for a, b in held) and not _has_an_end(said, sql):
            continue
        if not _tests_a_state(said, sql, told.start()) and not _in_names(sql, told.group()):
            message = f"“{told.group()}” leaves no row out."
            yield fault(Code.WORD_LEFT_OUT, message, told.group())


def check_rows_that_are_over(said: QuestionWords, sql: Statement) -> Iterator[Finding]:
    """Finds `how many employees do we have` that counts those who left as well."""
    told = _HAVE_NOW.search(said.request.question)
    counted = [one for one in sql.find_all(exp.Count) if not sql.places(one)]
    if told is None or not counted:
        return
    tested = sql.tested_columns
    for name in set(sql.tables):
        table = sql.catalog.table(name)
        for one in table.columns if table else ():
            facts = facts_of(said.request, name, one.name)
            is_end = one.role is Role.DATE and not _OVER.isdisjoint(spelled_out(one.name))
            if is_end and facts and facts.missing and (name, one.name) not in tested:
                over = facts.rows - facts.missing
                message = f"Of {name}, {over:,} rows have a {one.name}, and are counted as well."
                yield doubt(Code.AMBIGUOUS_NAME, message, told.group())


def _has_an_end(said: QuestionWords, sql: Statement) -> bool:
    """Whether a column tells which rows are over: a date that some lack, a state, `returned`."""
    tables = sql.read_tables
    return any(
        _tells_an_end(one.role, facts)
        for table in tables
        for one in table.columns
        if (facts := facts_of(said.request, table.name, one.name)) is not None
    )


def _tells_an_end(role: Role, facts: ColumnFacts) -> bool:
    if role is Role.DATE:
        return facts.missing > 0
    told = [part.casefold() for part in spelled_out(facts.name)]
    told += [str(value).casefold() for value, _ in facts.top]
    is_kind = role in {Role.FLAG, Role.DIMENSION}
    return is_kind and any(one in cue_words("states") or one.endswith("ed") for one in told)


def _tests_a_state(said: QuestionWords, sql: Statement, at: int) -> bool:
    """Whether something is missing, the newest of something, or a value that is named behind.

    `Open right now` has its value right before.
    """
    if sql.find(exp.Is, exp.Exists, exp.Window, exp.ArgMax) is not None:
        return True
    links, question = said.request.links, said.request.question
    spans = [((one.table, one.column or ""), one.span[0]) for one in links.names]
    spans += [((one.table, one.column), one.span[0]) for one in links.values]
    behind = {
        place for place, start in spans if start > at and not _PLACED.search(question[at:start])
    }
    before = (one for one in links.values if question[one.span[1] : at].isspace())
    behind |= {(one.table, one.column) for one in before}
    dates = {place for place in sql.columns if sql.role(place) is Role.DATE}
    return any(
        place in behind or sql.role(place) is Role.FLAG or (place in dates and _up_to_now(said))
        for test in sql.tests
        for place in test.columns
    )


def _up_to_now(said: QuestionWords) -> bool:
    """Whether a period of the question reaches today: `the current month`."""
    today = said.request.today
    return any(one.end is not None and one.end >= today for one in said.request.links.periods)


def _in_names(sql: Statement, told: str) -> bool:
    """Whether words are a part of the name of a column or table that is read."""
    names = [*sql.tables, *(name for _, name in sql.columns)]
    return any(stem(told.casefold()) in map(stem, spelled_out(name)) for name in names)


def check_never(said: QuestionWords, sql: Statement) -> Iterator[Finding]:
    """Finds `items never returned` that lists the rows of items which were not returned then."""
    told = _NEVER.search(said.request.question)
    if told is None or sql.aggregates or sql.group_keys or _looks_up(sql):
        return
    first = next((one for one in said.content if one.start < told.start()), None)
    if first is not None and any(_repeats(said, place) for place in _kinds_of(sql, first)):
        yield fault(
            Code.NEGATION_DROPPED, f"“{told.group()}” is asked of single rows.", told.group()
        )


def _looks_up(sql: Statement) -> bool:
    return sum(1 for _ in sql.find_all(exp.Select)) > 1


def check_modifiers(said: QuestionWords, sql: Statement) -> Iterator[Finding]:
    """Finds `discharged patients` that shows all patients with the day of their discharge."""
    select = sql.tree
    is_list = isinstance(select, exp.Select) and not sql.aggregates and not sql.is_ordered
    if not is_list or not isinstance(select, exp.Select) or sql.written_columns != sql.columns:
        return
    is_all = select.args.get("where") is None and select.args.get("distinct") is None
    for place in sorted(sql.shown_columns):
        naming = [word for word in said.all if _names(said, place, word)]
        are_verbs = all(word.text in cue_words("tying") for word in naming)
        stand_before = is_all and all(_stands_before_rows(said, sql, word) for word in naming)
        if naming and (are_verbs or stand_before):
            word = naming[0].raw
            yield fault(Code.WORD_LEFT_OUT, f"“{word}” leaves no row out.", word)


def _names(said: QuestionWords, place: Place, word: Word) -> bool:
    """Whether a word names a column: by a part of its name, or what it speaks of."""
    parts = [stem(part) for part in spelled_out(place[1])]
    spoken = {one for told, _ in concepts_at(parts, lexicon().of_names) for one in told}
    return word.stem in parts or bool(said.concepts_of(word) & spoken)


def _stands_before_rows(said: QuestionWords, sql: Statement, word: Word) -> bool:
    """Whether what is called by a word for rows follows at once: `discharged patients`."""
    after = next((one for one in said.all if one.start >= word.end), None)
    return after is not None and after.text.endswith("s") and _calls_rows(sql, after)


def _calls_rows(sql: Statement, word: Word) -> bool:
    tables = sql.read_tables
    nouns = {stem(noun) for table in tables for noun in table.row_nouns}
    return word.stem in nouns or is_row_word(word)


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
        if is_part and not any(_names(said, place, word) for place in sql.columns):
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
        places = [one for one in _kinds_of(sql, word) if one[0] in counted]
        single = {table for table, column in places if not _repeats(said, (table, column))}
        for table, column in places:
            is_key = bool(_TELLING & {part.casefold() for part in spelled_out(column)})
            is_key = is_key or numbers_things(column) or _tells_things(sql, (table, column))
            if is_key and table not in single and word.stem not in grouped:
                message = f"“{word.raw}” are told apart by {column}, and rows are counted."
                yield fault(Code.ROWS_OF_THINGS, message, word.raw, column, table)


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


def _kinds_of(sql: Statement, word: Word) -> Iterator[Place]:
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
        if (is_share or not is_told) and not (_in_names(sql, word) or _in_literals(sql, word)):
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


def check_records(said: QuestionWords, sql: Statement) -> Iterator[Finding]:
    """Finds `record attendance` that ranks nothing."""
    if sql.limits or sql.has_rank or sql.find(exp.Max) is not None:
        return
    for link in said.request.links.names:
        place = link.table, link.column or ""
        is_record = _RECORD.search(said.request.question[: link.span[0]])
        if is_record and place in sql.columns and sql.role(place) is Role.MEASURE:
            yield fault(Code.SUPERLATIVE_DROPPED, "“record” ranks nothing.", "record")


def check_extremes_of_groups(said: QuestionWords, sql: Statement) -> Iterator[Finding]:
    """Finds `max amount per store` that is the store of the highest total."""
    question = said.request.question
    for link in said.request.links.names:
        place = link.table, link.column or ""
        told = _EXTREME.search(question[: link.span[0]])
        if told is None or sql.role(place) is not Role.MEASURE or sql.has_rank:
            continue
        begun = told.group(1).casefold()[:LETTERS_OF_EXTREMES]
        is_of_name = any(
            part.startswith(begun) for _, of in sql.columns for part in spelled_out(of)
        )
        if is_of_name or not _PER.match(question, link.span[1]):
            continue
        taken = [one for one in sql.aggregates if isinstance(one, exp.Max | exp.Min)]
        if place in sql.columns and not any(place in sql.places(one) for one in taken):
            message = f"“{link.text}” is not that of each."
            yield fault(Code.SUPERLATIVE_DROPPED, message, link.text)


def check_splits(said: QuestionWords, sql: Statement) -> Iterator[Finding]:
    """Finds `gender split in sales` that only lists the genders."""
    if sql.aggregates or sql.group_keys:
        return
    for link in said.request.links.names:
        told = _SPLIT.match(said.request.question, link.span[1])
        if told and (link.table, link.column) in sql.columns:
            message = f"Nothing is told of each “{link.text}”."
            yield fault(Code.EACH_DROPPED, message, link.text)


def check_weekends(said: QuestionWords, sql: Statement) -> Iterator[Finding]:
    """Finds `weekends against weekdays` that looks at the days of weekends alone."""
    question = said.request.question
    if not (_WEEKEND.search(question) and _WORKDAY.search(question)):
        return
    for test in sql.tests:
        is_where = test.node.find_ancestor(exp.Where) is not None
        if is_where and test.node.find(exp.DayOfWeekIso, exp.DayOfWeek, exp.Dayname):
            message = "Weekends and weekdays are not set against each other."
            yield fault(Code.COMPARISON_DROPPED, message, "weekend")
            return


def check_divided(said: QuestionWords, sql: Statement) -> Iterator[Finding]:
    """Finds `fare per km by rider` that shows fares and kilometres side by side."""
    if sql.find(exp.Div) is not None:
        return
    figures = [
        one
        for one in said.request.links.names
        if sql.role((one.table, one.column or "")) is Role.MEASURE
    ]
    question = said.request.question
    for one in figures:
        for other in figures:
            between = question[one.span[1] : other.span[0]]
            both = {(one.table, one.column), (other.table, other.column)}
            if between.strip().casefold() == "per" and both <= sql.columns - sql.grouped_columns:
                message = f"“{one.text} per {other.text}” is not computed."
                yield fault(Code.AGGREGATE_DROPPED, message, one.text)


def check_means_of_ratios(said: QuestionWords, sql: Statement) -> Iterator[Finding]:
    """Finds one sum over another where the mean of what it is in each row may be meant.

    `Average price per hour` means the mean; `price per hour by town` does not say. Amounts that are
    told as sums are meant so, `average revenue per visitor`, and of one row both are the same.
    """
    question = said.request.question
    is_mean = _MEAN_PER.search(question) is not None
    for one in sql.find_all(exp.Div):
        sums = [each.find(exp.Sum) for each in (one.this, one.expression)]
        top, bottom = [list(sql.places(each)) if each else [] for each in sums]
        if not (top and bottom) or any(added(Ref(*place)) for place in top):
            continue
        is_open = isinstance(one.this, exp.Sum) and not any(added(Ref(*place)) for place in bottom)
        is_open = is_open and not find_cues("sum", question)
        if _SAYS_PER.search(question):  # `price per acre` of a column of hectares
            is_open = is_open and not any(is_measured(name) for _, name in bottom)
        if is_mean or (is_open and not _tells_one_row(said, sql)):
            make = fault if is_mean else doubt
            message = "The average may be that of each row."
            yield make(Code.MEAN_OF_RATIOS, message, *(str(each.this) for each in sums if each))
            return


def _tells_one_row(said: QuestionWords, sql: Statement) -> bool:
    """Whether a test leaves one row, or each group has one."""
    places = [place for key in sql.group_keys for place in sql.places(key)]
    equal = (one for one in sql.tests if one.operator == "=" and not one.negated)
    places += [place for one in equal for place in one.columns]
    return any(is_unique(said.request, place) for place in places)


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


def check_rows_as_groups(said: QuestionWords, sql: Statement) -> Iterator[Finding]:
    """Finds rows counted for each row: `which opera has most shows` told by a key of shows."""
    counts = bool(sql.aggregates) and all(isinstance(one, exp.Count) for one in sql.aggregates)
    if not (counts and sql.limits and len(sql.tables) == 1):
        return
    for key in sql.group_keys:
        place = sql.place(key)
        if place is not None and is_unique(said.request, place):
            yield fault(Code.WRONG_KEY, f"“{place[1]}” has one row each: nothing is counted.")


def check_ranked_rows(said: QuestionWords, sql: Statement) -> Iterator[Finding]:
    """Finds the row of a superlative told by another figure than the one that is asked for.

    `Longest loan` is not the amount of the loan with the longest duration: the word stands for the
    row. `How much did the oldest get` is not an age: that only tells which row is meant.
    """
    order = sql.tree.args.get("order")
    shown = sql.shown_columns
    if len(shown) != 1 or sql.role(place := next(iter(shown))) is not Role.MEASURE:
        return
    naming = [word for word in said.all if _names(said, place, word)]
    asks_amount = ASKS_HOW_MUCH.match(said.request.question) is not None
    if asks_amount and naming and all(_only_ranks(said, word) for word in naming):
        message = f"An amount is asked for, and “{place[1]}” is shown."
        yield fault(Code.OTHER_KIND, message, naming[0].raw)
    first = order.expressions[0] if order is not None and sql.limits else None
    ranked = first.find_all(exp.Column) if first is not None else ()  # what follows breaks ties
    names = {one.name.casefold() for one in ranked}
    is_other = bool(names) and place[1].casefold() not in names
    if is_other and not asks_amount and naming and all(_calls_rows(sql, one) for one in naming):
        message = f"“{naming[0].raw}” is what is ranked, and only its {place[1]} is shown."
        yield fault(Code.OTHER_KIND, message, naming[0].raw)


def _only_ranks(said: QuestionWords, word: Word) -> bool:
    """Whether a word is a superlative that only tells which row is meant; `cheapest` is a price."""
    spoken = said.concepts_of(word)
    return word.text.endswith("est") and not spoken & _OF_MONEY


def check_opposites(said: QuestionWords, sql: Statement) -> Iterator[Finding]:
    """Finds `net pay` that is told by the gross pay: the word left out is its opposite."""
    for word in unexplained_by_names(said, sql):
        others = {one for pair in _OPPOSITES if word.text in pair for one in pair - {word.text}}
        for _, name in sorted(sql.columns):
            if others & set(spelled_out(name)):
                yield fault(Code.OTHER_KIND, f"“{word.raw}” is not {name}.", word.raw)


def check_groups_of_rows(said: QuestionWords, sql: Statement) -> Iterator[Finding]:
    """Finds `invoices per customer` where no column is of customers, and nothing is grouped."""
    if sql.group_keys or sql.find(exp.Div, exp.Avg) is not None:
        return
    for word in rows_by_other_names(said, sql):
        at = said.request.question.find(word)
        if _BEHIND_PER.search(said.request.question[:at]):
            yield fault(Code.EACH_DROPPED, f"“per {word}” makes no groups.", word)


def _repeats(said: QuestionWords, place: Place) -> bool:
    facts = facts_of(said.request, *place)
    return facts is not None and facts.distinct < facts.rows - facts.missing


def check_values_and_dates(said: QuestionWords, sql: Statement) -> Iterator[Finding]:
    """Finds `not closed` held against a status where a date tells as well what was closed."""
    for test in sql.tests:
        is_denied = (test.operator == "!=" or test.negated) and len(test.literals) == 1
        if not is_denied or len(test.columns) != 1 or not test.literals[0].is_string:
            continue
        table, column = test.columns[0]
        roots = {root(word.text) for word in words(test.literals[0].name)}
        for date in _dates_of(said, sql, table):
            if roots & {root(part) for part in spelled_out(date)}:
                told = test.literals[0].name
                message = f"“{told}” was denied of {column}; {date} tells it as well."
                yield doubt(Code.VALUE_OR_DATE, message, column, date)


def _dates_of(said: QuestionWords, sql: Statement, name: str) -> Iterator[str]:
    """Yields the dates that some rows lack and that the SQL does not look at."""
    table = sql.catalog.table(name)
    for one in table.columns if table else ():
        facts = facts_of(said.request, name, one.name)
        is_open = (
            facts is not None and facts.missing and (name, one.name) not in sql.written_columns
        )
        if one.role is Role.DATE and is_open:
            yield one.name


CHECKS = (
    check_values_and_dates,
    check_states,
    check_rows_that_are_over,
    check_never,
    check_modifiers,
    check_attributes,
    check_table_names,
    check_counted_things,
    check_counted_amounts,
    check_commands,
    check_commanded,
    check_records,
    check_extremes_of_groups,
    check_splits,
    check_weekends,
    check_divided,
    check_opposites,
    check_rows_as_groups,
    check_ranked_rows,
    check_means_of_ratios,
    check_valued_nouns,
    check_groups_of_rows,
)
