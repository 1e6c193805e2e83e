"""Words that say which rows are meant, and leave none out: `still with us`, `discharged`."""

from collections.abc import Iterator

from sqlglot import exp

from modelwright.engines.facts import ColumnFacts
from modelwright.engines.language.catalog.meaning import Role
from modelwright.engines.language.checks.counted_rows import kinds_of, repeats
from modelwright.engines.language.checks.findings import Code, Finding, doubt, fault
from modelwright.engines.language.checks.statement import Statement
from modelwright.engines.language.checks.used_words import calls_rows, is_in_names
from modelwright.engines.language.checks.words import QuestionWords, facts_of, names_column_by
from modelwright.engines.language.rules.text.lexicon import spelled_out
from modelwright.engines.language.rules.text.words import Word
from modelwright.engines.language.vocabulary import any_case, cue_words, word_set

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


def check_states(said: QuestionWords, sql: Statement) -> Iterator[Finding]:
    """Finds `still with us` and `current patients` that leave no row out by what they are now."""
    held = [one.span() for one in _HELD_NOW.finditer(said.request.question)]
    for told in _STATE.finditer(said.request.question):
        if any(a <= told.start() < b for a, b in held) and not _has_an_end(said, sql):
            continue
        if not _tests_a_state(said, sql, told.start()) and not is_in_names(sql, told.group()):
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


def check_never(said: QuestionWords, sql: Statement) -> Iterator[Finding]:
    """Finds `items never returned` that lists the rows of items which were not returned then."""
    told = _NEVER.search(said.request.question)
    if told is None or sql.aggregates or sql.group_keys or _looks_up(sql):
        return
    first = next((one for one in said.content if one.start < told.start()), None)
    if first is not None and any(repeats(said, place) for place in kinds_of(sql, first)):
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
        naming = [word for word in said.all if names_column_by(said, place, word)]
        are_verbs = all(word.text in cue_words("tying") for word in naming)
        stand_before = is_all and all(_stands_before_rows(said, sql, word) for word in naming)
        if naming and (are_verbs or stand_before):
            word = naming[0].raw
            yield fault(Code.WORD_LEFT_OUT, f"“{word}” leaves no row out.", word)


def _stands_before_rows(said: QuestionWords, sql: Statement, word: Word) -> bool:
    """Whether what is called by a word for rows follows at once: `discharged patients`."""
    after = next((one for one in said.all if one.start >= word.end), None)
    return after is not None and after.text.endswith("s") and calls_rows(sql, after)
