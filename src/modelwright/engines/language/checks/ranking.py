"""Whether rows are ranked and cut as the question says: superlatives, `top n`, limits."""

import re
from collections.abc import Iterator

from sqlglot import exp

from modelwright.engines.language.checks.cues import (
    cues_of,
    is_in_a_name,
    is_within_value,
    superlatives,
)
from modelwright.engines.language.checks.findings import Code, Finding, fault
from modelwright.engines.language.checks.statement import Statement
from modelwright.engines.language.checks.words import QuestionWords
from modelwright.engines.language.rules.text.numbers import SPELLED
from modelwright.engines.language.vocabulary import Cue, any_case, cue_words, word_set

_SEVERAL = "|".join(one for one in SPELLED if one not in {"one", "zero", "hundred"})
"""Spelt numbers of more rows than one."""
_TOP = any_case(
    r"\b(?<!\bat )(?:top|first|last|bottom|best|worst|highest|lowest|largest|smallest|biggest"
    r"|most|least|cheapest|oldest|youngest|latest|newest|longest|shortest)"
    r"(?:[\s-]+\w+(?:ing|ed))?\s+(?P<after>\d+|"
    + _SEVERAL
    + r")\b|\b(?P<before>\d+|"
    + _SEVERAL
    + r")\s+(?:\w+\s+)?(?:most|least|highest|lowest|largest|smallest|biggest|cheapest|best|worst"
    r"|oldest|youngest|latest|newest|longest|shortest)\b"
)
_OF_TIME = re.compile(r"\w+\s+(?:minutes?|hours?|days?|weeks?|months?|quarters?|years?)\b")
_TIMED = re.compile(
    r"(?:\d+|one|two|three|four|five|six|seven|ten|twelve)?\s*"
    r"(?:names?|days?|weeks?|months?|quarters?|years?|class|half|time|decade)"
)
_HOW_LONG = any_case(r"\W*how long\b")
_COMMONEST = any_case(
    r"\b(?:(?:most|least)\s+(?:common|frequent|popular|prevalent|usual|typical)|commonest|main|chief"
    r"|principal)\s+(?:\w+\s+)?(?!(?:was|has|does|as|\w*(?:us|ss|is))\b)\w+s\b"
)
_HOW_MANY_OF = any_case(rf"\b(?:\d+|{_SEVERAL}|top|first)\b")
_ON_AVERAGE = any_case(r"\bon average\b")
_AND = any_case(r"\band\b|,")
_LOOKALIKES = word_set("superlatives.lookalikes")
_OF_FREQUENCIES = word_set("checks.of_frequencies")
_FIRST_IN_TIME = word_set("checks.first_in_time")
"""Superlatives of time, whose direction depends on what is told: the oldest has the first date."""
_EITHER_WAY = word_set("checks.either_way")


def check_ranked_averages(said: QuestionWords, sql: Statement) -> Iterator[Finding]:
    """Finds `most expensive item on average` that is the highest price beside the average one."""
    is_whole = not sql.group_keys and sql.find(exp.Avg) is not None
    if is_whole and sql.find(exp.Max, exp.Min) is not None:
        told = _ON_AVERAGE.search(said.request.question)
        if told and not _AND.search(said.request.question):
            yield fault(Code.SUPERLATIVE_DROPPED, "Nothing is ranked by an average.", told.group())


def check_superlatives(said: QuestionWords, sql: Statement) -> Iterator[Finding]:
    """Finds superlatives that rank nothing, or that rank the other way round."""
    high, low = cues_of(said, "superlative_high"), cues_of(said, "superlative_low")
    told = [cue for cue in [*high, *low] if not _idle_superlative(said, sql, cue)]
    told += _others_by_ending(said)
    if not told:
        return
    first = told[0].text
    if not _ranks(said, sql):
        yield fault(Code.SUPERLATIVE_DROPPED, f"“{first}” ranks nothing.", first)
    elif bool(high) != bool(low) and first not in _FIRST_IN_TIME | _EITHER_WAY:
        wanted = "high" if high else "low"
        is_turned = _directions(sql) == {"high", "low"} - {wanted}
        if is_turned and not _depends(said):
            yield fault(Code.SUPERLATIVE_TURNED, f"“{first}” is ranked upside down.", first)


def _ranks(said: QuestionWords, sql: Statement) -> bool:
    """Whether rows or groups are ranked, or the highest, lowest or commonest is told."""
    return (
        bool(sql.limits and sql.find(exp.Order))
        or sql.has_rank
        or any(isinstance(one, exp.Max | exp.Min) for one in sql.aggregates)
        or "MODE(" in sql.sql.upper()
        or (asks_for_several(said.request.question) and _is_ranked_by_rows(sql))
    )


def asks_for_several(question: str) -> bool:
    """Returns whether the commonest of something are asked for, in the plural and not how many.

    `Most common topics` are all of them by their number; `the 3 most common topics` are three.
    """
    told = _COMMONEST.search(question)
    return told is not None and not _HOW_MANY_OF.search(question)


def _is_ranked_by_rows(sql: Statement) -> bool:
    order = sql.tree.args.get("order")
    if order is None or not sql.group_keys or not isinstance(sql.tree, exp.Select):
        return False
    first = order.expressions[0]
    counts = {one.alias for one in sql.tree.selects if one.find(exp.Count)}
    called = {one.name for one in first.find_all(exp.Column)}
    return first.find(exp.Count) is not None or bool(counts & called)


def _others_by_ending(said: QuestionWords) -> Iterator[Cue]:
    """Yields superlatives of no list by how they end: `riskiest`, but no `priest`."""
    known = cue_words("superlative_high") | cue_words("superlative_low") | _LOOKALIKES
    for word in said.content:
        if word.text.endswith("iest") and word.text not in known:
            yield Cue(word.text, word.start, word.start + len(word.text))


def _idle_superlative(said: QuestionWords, sql: Statement, cue: Cue) -> bool:
    """Whether a superlative is a part of another phrase or of a name."""
    question = said.request.question.lower()
    before, after = question[: cue.start].rstrip(), question[cue.end :].lstrip()
    if before.endswith(("more than", "order by")) or _lasts(sql, question, cue):
        return True
    if before.endswith(("at", " the very")) and cue.text in {"least", "most"}:
        return True
    is_span = cue.text in word_set("checks.before_spans") and _TIMED.match(after)
    if is_span and not (sql.limits or sql.has_rank):
        return True
    if re.match(r"(?:\w+ )?first\b", after) or (cue.text == "first" and sql.is_ordered):
        return sql.is_ordered
    if before.endswith(("from the", "to the")) and sql.is_ordered:
        return True
    return is_in_a_name(sql, cue.text) and cue.text not in {"most", "least"}


def _lasts(sql: Statement, question: str, cue: Cue) -> bool:
    """Whether `last` is a verb: `how long do visits last`."""
    asks = cue.text == "last" and _HOW_LONG.match(question) is not None
    return asks and sql.find(exp.DateDiff) is not None


def _depends(said: QuestionWords) -> bool:
    """Whether high may be low here: `fastest` by time, `cheapest`, `best` by rank."""
    return bool(cue_words("turns_direction") & {word.text for word in said.all})


def _directions(sql: Statement) -> set[str]:
    found: set[str] = set()
    for order in sql.find_all(exp.Order):
        is_cut = isinstance(order.parent, exp.Query) and order.parent.args.get("limit") is not None
        if is_cut or isinstance(order.parent, exp.Window):
            first = order.expressions[0]
            found.add("high" if first.args.get("desc") else "low")
    for one in sql.aggregates:
        if isinstance(one, exp.Max | exp.ArgMax):
            found.add("high")
        if isinstance(one, exp.Min | exp.ArgMin):
            found.add("low")
    return found


def check_top(said: QuestionWords, sql: Statement) -> Iterator[Finding]:
    """Finds `top n` that is cut elsewhere."""
    wanted = _asked_first(said)
    numbers = set(map(_number_of_rows, wanted))
    cuts = [(test, one) for test in sql.tests for one in test.literals if one.is_number]
    ranks = {float(one.name) for test, one in cuts if test.operator != "=" or one.name == "1"}
    if numbers and not numbers & {*map(float, sql.limits), *ranks}:
        at = min(numbers)
        yield fault(Code.TOP_DROPPED, f"The first {at:g} were asked for.", *wanted)


def check_added_limits(said: QuestionWords, sql: Statement) -> Iterator[Finding]:
    """Finds cuts that nothing asks for."""
    cues = [*superlatives(said), *cues_of(said, "order")]
    asked = cues or _asked_first(said) or said.numbers
    asked_most = _OF_FREQUENCIES & {word.text for word in said.all}
    if sql.limits and not (asked or asked_most) and not _compares(said):
        yield fault(Code.LIMIT_ADDED, f"Nothing asks for the first {sql.limits[0]} only.")


def check_unordered_limits(_: QuestionWords, sql: Statement) -> Iterator[Finding]:
    """Finds cuts of many rows without an order."""
    for query in sql.find_all(exp.Select):
        is_cut = query.args.get("limit") is not None and query.args.get("order") is None
        if is_cut and not _gives_one_row(query):
            yield fault(Code.LIMIT_WITHOUT_ORDER, "It takes some rows of many without an order.")


def _asked_first(said: QuestionWords) -> list[str]:
    """Returns the numbers of rows that are asked for: `top 5`; not `the last 3 months`."""
    question = said.request.question
    found = (one for one in _TOP.finditer(question) if not is_within_value(said, one.span("after")))
    numbers = [one.group("after") or one.group("before") for one in found]
    return [one for one in numbers if not _OF_TIME.match(question, question.index(one))]


def _number_of_rows(text: str) -> float:
    return float(SPELLED.get(text.lower(), 0) or (text.isdigit() and int(text)))


def _compares(said: QuestionWords) -> bool:
    return any(re.search(r"\b(?:more|less|fewer|\w+er)\b", word.text) for word in said.all)


def _gives_one_row(query: exp.Select) -> bool:
    return query.args.get("group") is None and all(
        one.find(exp.AggFunc) is not None for one in query.selects
    )


CHECKS = (
    check_ranked_averages,
    check_superlatives,
    check_top,
    check_added_limits,
    check_unordered_limits,
)
