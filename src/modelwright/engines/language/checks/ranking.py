"""Whether rows are ranked and cut as the question says: superlatives, `top n`, limits."""

import re
from collections.abc import Iterator

from sqlglot import exp

from modelwright.engines.language.catalog.meaning import Role
from modelwright.engines.language.checks.cues import (
    cues_of,
    is_in_a_name,
    is_within_value,
    superlatives,
    words_for,
)
from modelwright.engines.language.checks.findings import Code, Finding, fault
from modelwright.engines.language.checks.statement import Statement
from modelwright.engines.language.checks.unexplained import ASKS_HOW_MUCH
from modelwright.engines.language.checks.used_words import calls_rows
from modelwright.engines.language.checks.words import QuestionWords, names_column_by
from modelwright.engines.language.rules.text.lexicon import spelled_out
from modelwright.engines.language.rules.text.numbers import SPELLED
from modelwright.engines.language.rules.text.words import Word, stem
from modelwright.engines.language.vocabulary import Cue, any_case, cue_words, find_cues, word_set

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
_BEHIND_IN = any_case(r"\b(?:in|by)\s+(?:the\s+)?$")
_THE_ONE = any_case(
    r"\w\W+the\s+(?:single\s+)?(?P<row>\w+)\s+(?:with|(?:that|which)\s+(?:had|has|got))\s+the\s+"
    r"(?:most|fewest|least|highest|lowest|largest|biggest|smallest|longest|shortest|best|worst)\b"
)
"""One row that is told by its end, behind what is asked of it."""
_OF_MONEY = word_set("checks.concepts_of_money")
_EXTREME = any_case(r"\b(max|maximum|min|minimum)\s+(?:of\s+)?(?:the\s+)?$")
LETTERS_OF_EXTREMES = 3
"""Of `maximum` so many stand in `temp_max`."""
_PER = any_case(r"\s+(?:by|per|for each|in each|of each|for every)\b")
_RECORD = any_case(r"\brecord\s+$")


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


def check_ranked_figure(said: QuestionWords, sql: Statement) -> Iterator[Finding]:
    """Finds `the longest trip in km` that is the one of most hours, or ranked for each km apart."""
    question, order = said.request.question, _ranking_order(sql)
    cues = find_cues("superlative_high", question) + find_cues("superlative_low", question)
    if not cues or not (sql.limits or sql.has_rank) or order is None:
        return
    ranked = set(sql.places(order.expressions[0]))
    links = said.request.links.names
    timely = {Role.DATE} if cues[0].text in _FIRST_IN_TIME else set()
    roles = {Role.MEASURE} | timely
    figures = [one for one in links if sql.role((one.table, one.column or "")) in roles]
    for link in figures:
        place = (link.table, link.column or "")
        is_behind = link.span[0] > cues[0].end and _BEHIND_IN.search(question[: link.span[0]])
        is_group = sql.has_rank and place in sql.grouped_columns
        # `the highest rent in each city by rooms` is ranked by what is named before.
        is_group &= any(cues[0].end <= one.span[0] < link.span[0] for one in figures)
        is_other = place in sql.columns and ranked and place not in ranked and not is_group
        if is_behind and is_other:
            message = f"“{cues[0].text}” is not ranked by {link.column}."
            yield fault(Code.SUPERLATIVE_DROPPED, message, cues[0].text)


def _ranking_order(sql: Statement) -> exp.Expression | None:
    """Returns the order by which rows are taken, that of groups apart before that of the result."""
    window = next((one for one in sql.find_all(exp.Window) if one.args.get("order")), None)
    order: exp.Expression | None = (window or sql.tree).args.get("order")
    return order


def check_single_row(said: QuestionWords, sql: Statement) -> Iterator[Finding]:
    """Finds `who hosted the show with the most viewers` told by the viewers of all shows."""
    if not (sql.limits and sql.is_ordered and sql.aggregates and sql.group_keys):
        return
    kinds = {stem(part) for _, name in sql.grouped_columns for part in spelled_out(name)}
    for told in _THE_ONE.finditer(said.request.question):
        row = told["row"].casefold()
        is_row = stem(row) in sql.row_stems or row in cue_words("rows")
        if is_row and not row.endswith("s") and stem(row) not in kinds:
            message = f"One {row} is asked for, and all of each group were taken together."
            yield fault(Code.RANKED_BY_OTHER, message, row)


def check_averaged_rows(said: QuestionWords, sql: Statement) -> Iterator[Finding]:
    """Finds `the heaviest crate` that is the label whose crates are heaviest on average."""
    ranked = sql.ranking if sql.limits and sql.group_keys else None
    if ranked is None or ranked.find(exp.Avg) is None or words_for(said, "avg"):
        return
    heads = {stem(spelled_out(name)[-1]) for _, name in sql.grouped_columns}
    ends = [cue.end for cue in superlatives(said)]
    for word in said.all:
        is_row = word.stem in sql.row_stems and not word.text.endswith("s")
        is_ended = any(not said.request.question[end : word.start].strip() for end in ends)
        if is_row and is_ended and word.stem not in heads and not cues_of(said, "each"):
            message = f"One {word.raw} is asked for, and several are averaged."
            yield fault(Code.RANKED_BY_OTHER, message, word.raw)


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


def check_ranked_rows(said: QuestionWords, sql: Statement) -> Iterator[Finding]:
    """Finds the row of a superlative told by another figure than the one that is asked for.

    `Longest loan` is not the amount of the loan with the longest duration: the word stands for the
    row. `How much did the oldest get` is not an age: that only tells which row is meant.
    """
    order = sql.tree.args.get("order")
    shown = sql.shown_columns
    if len(shown) != 1 or sql.role(place := next(iter(shown))) is not Role.MEASURE:
        return
    naming = [word for word in said.all if names_column_by(said, place, word)]
    asks_amount = ASKS_HOW_MUCH.match(said.request.question) is not None
    if asks_amount and naming and all(_only_ranks(said, word) for word in naming):
        message = f"An amount is asked for, and “{place[1]}” is shown."
        yield fault(Code.OTHER_KIND, message, naming[0].raw)
    first = order.expressions[0] if order is not None and sql.limits else None
    ranked = first.find_all(exp.Column) if first is not None else ()  # what follows breaks ties
    names = {one.name.casefold() for one in ranked}
    is_other = bool(names) and place[1].casefold() not in names
    if is_other and not asks_amount and naming and all(calls_rows(sql, one) for one in naming):
        message = f"“{naming[0].raw}” is what is ranked, and only its {place[1]} is shown."
        yield fault(Code.OTHER_KIND, message, naming[0].raw)


def _only_ranks(said: QuestionWords, word: Word) -> bool:
    """Whether a word is a superlative that only tells which row is meant; `cheapest` is a price."""
    spoken = said.concepts_of(word)
    return word.text.endswith("est") and not spoken & _OF_MONEY


CHECKS = (
    check_ranked_averages,
    check_superlatives,
    check_top,
    check_added_limits,
    check_unordered_limits,
)
