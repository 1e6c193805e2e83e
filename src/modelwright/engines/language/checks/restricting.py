"""Words that say which rows are meant, though elsewhere they say little, and that the SQL drops.

`Draw` asks for a chart, `paid` ties an amount to rows, `available` is said of any data. Where such
a word is what the rows are said to be (`ended in a draw`, `paid orders`, `rooms that are in use`),
all rows are no answer.
"""

from collections.abc import Iterator
from itertools import pairwise

from sqlglot import exp

from modelwright.engines.language.catalog.meaning import Role
from modelwright.engines.language.checks.findings import Code, Finding, fault, note
from modelwright.engines.language.checks.statement import Statement, Test
from modelwright.engines.language.checks.unexplained import COMPUTED, is_told
from modelwright.engines.language.checks.words import QuestionWords, facts_of
from modelwright.engines.language.readers import ValueLink
from modelwright.engines.language.row_nouns import is_row_word
from modelwright.engines.language.rules.text.lexicon import spelled_out
from modelwright.engines.language.rules.text.roots import deed
from modelwright.engines.language.rules.text.words import (
    Word,
    is_written_as,
    name_parts,
    squeezed,
    stem,
)
from modelwright.engines.language.rules.times.lateness import LATE
from modelwright.engines.language.vocabulary import (
    Cue,
    any_case,
    cue_words,
    find_cues,
    word_list,
    word_set,
)

_ARTICLES = word_set("checks.before_kinds")
_BE = word_set("checks.before_states")
_HAVE = word_set("checks.having")
_WHO_ASKS = word_set("checks.who_asks")
"""Whoever has something here asks for it: `may I have a report of`, `let me have a look at`."""
_RELATIVE = word_set("checks.relative")
_OF_ROWS = word_set("checks.of_rows")
_BEFORE_ACT = word_set("small_words.before_acts")
"""What stands before the article of a thing that tells rows apart, as in `ended in a draw`.

Elsewhere it is wished for (`I want a report of`), or is the row itself (`the fare of a drive`).
"""
_STREAK = any_case(r"run\s+of\b")
"""Rows that follow each other: `any run of wins`."""
_ENDS = any_case(r"\W*(?:$|(?:by|per|over time)\b)")
_LEADS_ON = any_case(r"\s+(?:of|to|that)\b")
_OF_THE_DATA = any_case(
    r"\s+(?:in|within|from|here)\b(?:\s+(?:the|this|our|your|that|these|all))*\s*"
    r"(?:data\w*|tables?|files?|database|records?|$)"
)
_PREPOSITIONS = word_set("checks.prepositions")
_ASKED_IN = any_case(r"^\W*(?:which|what)\b")
"""What a preposition at the end belongs to: `which branch are most loans in`."""
_STRANDED = word_set("checks.stranded")
_USED = "used"
_IN_USE = "in use"
_IN_ORDER = "in order"
ON_TIME = frozenset({"on time", "in time"})
_DUE = word_set("times.due")
_TELL_KINDS = frozenset({"available", "present", _USED})
"""What all kinds are that a column holds: `which sauces are used`."""
_SPANS = word_set("checks.spans")
"""What any data have: `which months are available`."""
_COMMANDED = any_case(r"(?:^|[.,;:!?]|\b(?:please|to|then|you|let's|just))\W*$")
_PRESENT = "present"
"""What is told to do at the beginning: `present visits by city`."""
_PERSONS = word_set("checks.concepts_of_presence")
"""Who is present or not, though a column holds all of them."""
_OFTEN = word_set("checks.how_often")
"""How often something is used: nothing is left out."""
_SIGNS = word_set("checks.signs")
_WON = "won"
_PRIZES = frozenset(map(stem, word_list("checks.prizes")))
"""What is there because somebody won it."""
_TIED = 2
"""A preposition and what it is followed by."""


def check_acts(said: QuestionWords, sql: Statement) -> Iterator[Finding]:
    """Finds `ended in a draw` of which only `ended` was heard: no chart is to be drawn."""
    for at, (before, word) in enumerate(pairwise(said.all)):
        is_act = before.text in _ARTICLES and word.text in cue_words("acts")
        if is_act and _tells_rows(said, at) and not is_told(said, sql, word):
            yield fault(Code.RESTRICTION_DROPPED, _untold(word.raw), word.raw)


def _tells_rows(said: QuestionWords, article: int) -> bool:
    """Whether rows are or have what follows an article, rather than that it is wished for."""
    if _STREAK.match(said.request.question, said.all[article + 1].start):
        return True
    lead = said.all[article - 1] if article else None
    who = said.all[article - 2] if article > 1 else None
    if lead is not None and lead.text in _BEFORE_ACT:
        return True
    if lead is None or who is None:
        return False
    if lead.text in _HAVE:
        return who.text not in _WHO_ASKS
    return lead.text in _OF_ROWS and _is_of_rows(said, who)


def _is_of_rows(said: QuestionWords, word: Word) -> bool:
    return word.text in _RELATIVE or _calls_rows(said, word)


def check_outcomes(said: QuestionWords, sql: Statement) -> Iterator[Finding]:
    """Finds `paid orders` that are all orders, and `machines in use` that are all machines."""
    for cue in find_cues("standings", said.request.question):
        at = next(at for at, word in enumerate(said.all) if word.start >= cue.start)
        parts = [word for word in said.all[at:] if word.start < cue.end]
        if not _restricts(said, cue, at) or _is_tested_in_time(sql, cue):
            continue
        if not any(is_told(said, sql, word) for word in parts):
            yield fault(Code.RESTRICTION_DROPPED, _untold(cue.text), cue.text)
    for at, word in enumerate(said.all):
        if _is_outcome(said, at) and not is_told(said, sql, word):
            make = note if _ties(said, at) and word.text != _WON else fault
            yield make(Code.OTHER_ROWS, _untold(word.raw), word.raw)


def _restricts(said: QuestionWords, cue: Cue, at: int) -> bool:
    """Whether `in order` and its like say which rows are meant: `in order of amount` sorts."""
    told = cue.text.casefold()
    if _LEADS_ON.match(said.request.question, cue.end):
        return False
    if told == _IN_USE and _is_of_kinds(said, at):
        return False
    beside = {said.all[0].text, said.all[max(at - 1, 0)].text}
    return told != _IN_ORDER or not _BE.isdisjoint(beside)


def _is_tested_in_time(sql: Statement, cue: Cue) -> bool:
    """Whether `on time` is told by a flag of what was late, or by the date when it was due."""
    return cue.text.casefold() in ON_TIME and (tests_late_flag(sql) or _compares_due(sql))


def tests_late_flag(sql: Statement) -> bool:
    """Returns whether rows are told apart by a flag of what was late."""
    names = (name for test in sql.tests for _, name in test.columns)
    return any(not LATE.isdisjoint(name_parts(name)) for name in names)


def _compares_due(sql: Statement) -> bool:
    """Whether a date is held against the one by which it was due."""
    return any(
        isinstance(each, exp.Column) and not _DUE.isdisjoint(name_parts(each.name))
        for one in sql.find_all(exp.LT, exp.LTE, exp.GT, exp.GTE)
        if isinstance(one.this, exp.Column)
        for each in (one.this, one.expression)
    )


def check_values_told(said: QuestionWords, sql: Statement) -> Iterator[Finding]:
    """Finds `cancelled stays per month` that are all stays, told by when they left.

    A word that is a value as it is written, of one column alone, is not told by a name that only
    speaks of something near it.
    """
    named = {one.span for one in said.request.links.names}
    written = {squeezed(one.name) for one in sql.find_all(exp.Literal)}
    for word in said.content:
        value = _only_value(said, word)
        if value is None or _is_in_read_names(sql, word):
            continue
        is_unread = value.table in sql.tables and (value.table, value.column) not in sql.columns
        is_other = (word.start, word.end) in named or squeezed(str(value.value)) in written
        if is_unread and not is_other and is_told(said, sql, word):
            message = f"“{word.raw}” leaves no row out."
            yield fault(Code.RESTRICTION_DROPPED, message, word.raw)


def _only_value(said: QuestionWords, word: Word) -> ValueLink | None:
    """Returns the value that a word is as it is written, of one column alone."""
    held = [one for one in said.request.links.values if one.span == (word.start, word.end)]
    is_whole = len(held) == 1 and is_written_as([word], str(held[0].value))
    return held[0] if is_whole else None


def _is_in_read_names(sql: Statement, word: Word) -> bool:
    """Whether a table or column that is read is called by a word, or a column by its verb."""
    of_columns = {part for _, name in sql.columns for part in spelled_out(name)}
    of_tables = {part for name in sql.tables for part in spelled_out(name)}
    is_called = word.stem in map(stem, of_columns | of_tables)
    return is_called or deed(word.text) in map(deed, of_columns)


def check_signs(said: QuestionWords, sql: Statement) -> Iterator[Finding]:
    """Finds `which regions are profitable` that lists all of them with their profit."""
    ranks = bool(sql.limits) or sql.has_rank or sql.is_ordered
    if ranks or any(one.name == "0" for test in sql.tests for one in test.literals):
        return
    for before, word in pairwise(said.all):
        is_said = word.text in _SIGNS and before.text in _BE
        if is_said and not any(_tells_flag(sql, test, word) for test in sql.tests):
            message = f"“{word.raw}” leaves no row out."
            yield fault(Code.RESTRICTION_DROPPED, message, word.raw)


def _tells_flag(sql: Statement, test: Test, word: Word) -> bool:
    """Whether a flag is tested that is called so: `profitable = true`."""
    columns = [sql.catalog.column(*place) for place in test.columns]
    return any(one and word.stem in {stem(p) for p in spelled_out(one.name)} for one in columns)


def check_signs_of_rows(said: QuestionWords, sql: Statement) -> Iterator[Finding]:
    """Finds `which region loses money` that has any row of a loss, though it has many rows."""
    select = sql.tree
    if not isinstance(select, exp.Select) or select.args.get("distinct") is None or sql.aggregates:
        return
    kinds = [sql.place(one.unalias()) for one in select.selects]
    signs = [test for test in sql.tests if _is_sign(test)]
    if len(kinds) != 1 or kinds[0] is None or len(signs) != 1 or kinds[0] in signs[0].columns:
        return
    facts = facts_of(said.request, *kinds[0])
    if facts is not None and 2 * facts.distinct <= facts.rows:
        below = "below" if signs[0].operator == "<" else "above"
        message = f"Each {kinds[0][1]} with any row {below} 0 is told."
        words = [word.raw for word in said.all if word.text in COMPUTED]
        yield fault(Code.SIGN_OF_ROWS, message, *words)


def _is_sign(test: Test) -> bool:
    """Whether a column is compared with zero."""
    is_zero = [one.name for one in test.literals] == ["0"]
    return is_zero and test.operator in {"<", ">"} and len(test.columns) == 1


def _untold(text: str) -> str:
    return f"Nothing of the tables tells “{text}”."


def _is_outcome(said: QuestionWords, at: int) -> bool:
    """Whether a word is what the rows are said to be, before them or behind."""
    word, question = said.all[at], said.request.question
    if _OF_THE_DATA.match(question, word.end):
        return False
    if at and word.text in cue_words("outcomes_at_end") and _ENDS.match(question, word.end):
        return _is_said_at_end(said, at)
    is_cue = word.text in cue_words("outcomes")
    return is_cue and not _means_other(said, at) and _stands_by_rows(said, at)


def _is_said_at_end(said: QuestionWords, at: int) -> bool:
    """Whether rows are said to be so: `loans that are out`, not `which branch are loans in`."""
    word, before = said.all[at], said.all[at - 1]
    is_done = word.text == "out" and at > 1 and said.all[at - 2].text in _BE
    if before.text in _BE or is_done:
        return True
    is_stranded = word.text in _STRANDED and _ASKED_IN.match(said.request.question) is not None
    return _calls_rows(said, before) and not is_stranded


def _means_other(said: QuestionWords, at: int) -> bool:
    """Whether a word tells no rows apart: a prize that was won, a command, what all kinds are."""
    word = said.all[at]
    if word.text == _WON and _PRIZES & said.stems:
        return True
    is_last, before = at + 1 == len(said.all), said.request.question[: word.start]
    if word.text == _PRESENT and not is_last and _COMMANDED.search(before):
        return True
    return word.text in _TELL_KINDS and (_is_of_kinds(said, at) or _is_said_how_often(said, at))


def _is_said_how_often(said: QuestionWords, at: int) -> bool:
    """Whether it is said how often something is so: `the sauces that are used most`."""
    beside = said.all[at + 1 : at + 2]
    if said.all[at].text == _USED:
        beside = [*beside, *said.all[max(at - 1, 0) : at]]
    return any(one.text in _OFTEN for one in beside)


def _stands_by_rows(said: QuestionWords, at: int) -> bool:
    """Whether a word stands before or behind the rows, or behind `are`."""
    before, after = said.all[max(at - 1, 0) : at], said.all[at + 1 : at + 2]
    is_behind_be = any(one.text in _BE for one in before)
    return is_behind_be or any(_calls_rows(said, one) for one in [*before, *after])


def _is_of_kinds(said: QuestionWords, at: int) -> bool:
    """Whether a word is said of what a column holds, not of the rows: `genres are available`."""
    word, subject = said.all[at], _subject(said, at)
    if subject is None:
        return False
    if subject.text in _SPANS:
        return True
    is_use = word.text == _USED or word.text not in _TELL_KINDS
    if not is_use and said.concepts_of(subject) & _PERSONS:
        return False
    links = said.request.links.names
    named = [one for one in links if one.span[0] <= subject.start < one.span[1]]
    columns = [said.request.catalog.column(one.table, one.column or "") for one in named]
    return bool(columns) and all(one and one.role is Role.DIMENSION for one in columns)


def _subject(said: QuestionWords, at: int) -> Word | None:
    """Returns what a word is said of: `titles are used`, `titles used`, `available titles`."""
    before, after = said.all[max(at - 2, 0) : at], said.all[at + 1 : at + 2]
    if before and before[-1].text in _BE:
        return before[0] if len(before) == _TIED else None
    is_led = said.all[at].text in _TELL_KINDS - {_USED} and after and _calls_rows(said, after[0])
    return after[0] if is_led else next(reversed(before), None)


def _ties(said: QuestionWords, at: int) -> bool:
    """Whether a word leads on to what it ties to the rows: `paid by card`, `finished in May`."""
    behind = said.all[at + 1 : at + 3]
    if len(behind) < _TIED or behind[0].text not in _PREPOSITIONS:
        return False
    links = said.request.links
    spans = [one.span for one in links.periods] + [one.span for one in links.values]
    return any(start <= behind[1].start < end or start == behind[0].start for start, end in spans)


def _calls_rows(said: QuestionWords, word: Word) -> bool:
    named = any(
        one.column is None and one.span[0] <= word.start < one.span[1]
        for one in said.request.links.names
    )
    return named or is_row_word(word)


CHECKS = (check_acts, check_outcomes, check_values_told, check_signs, check_signs_of_rows)
