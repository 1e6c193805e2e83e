"""Whether what the question says of shape has its counterpart in the SQL, and no more.

Negation, superlatives, `each`, `top n`, aggregates, comparisons and orders.
"""

import re
from collections.abc import Callable, Iterator

from sqlglot import exp

from modelwright.engines.language.catalog import Additivity, CatalogColumn, Role
from modelwright.engines.language.checks.findings import Code, Finding, doubt, fault
from modelwright.engines.language.checks.periods import averages_periods
from modelwright.engines.language.checks.restricting import ON_TIME, tests_late_flag
from modelwright.engines.language.checks.statement import Statement, Test
from modelwright.engines.language.checks.words import (
    ASKS_HOW_MUCH,
    QuestionWords,
    facts_of,
    is_nearly_named,
)
from modelwright.engines.language.linking.phrases import BY_DENIAL
from modelwright.engines.language.readers import NameLink, ReadRequest, ValueLink
from modelwright.engines.language.rules.text.lexicon import spelled_out
from modelwright.engines.language.rules.text.numbers import SPELLED
from modelwright.engines.language.rules.text.words import name_parts, squeezed, stem, words
from modelwright.engines.language.temporal.calendar import DAY_LENGTH
from modelwright.engines.language.vocabulary import (
    SWITCHED_OFF,
    Cue,
    aggregate_pattern,
    aggregates,
    alternatives,
    any_case,
    cue_words,
    find_cues,
    phrase_pattern,
    word_list,
    word_set,
    word_values,
)

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
_NOT_NEGATING = any_case(
    r"\b(?:no (?:more|less|fewer) than|not (?:more|less|fewer) than|no\.|whether or not|not only"
    r"|with(?:out)? (?:and|or) with(?:out)?)"
)
_HOW_LONG = any_case(r"\W*how long\b")
_IS_RANGE = any_case(r"[<>]|\d\s*\+|\b(?:over|under|above|below|more|less)\b")
"""A value that is a range itself: `>50K`, `65+`, `over 10 years`."""
_THAN = any_case(
    r"\b(?!(?:other|rather)\b)(?:more|less|fewer|better|worse|\w{2,}er)"
    r"(?:\s+(?!(?:than|other|rather)\b)\w+){0,3}?\s+than\b(?!\s+(?:any|every|all)\b)"
)
"""Rows or numbers that are compared: `older than`, `more women than`."""
_TIME_GROUPS = any_case(
    r"\b(?:days?|dail(?:y)|dates?|weeks?|weekly|weekdays?|weekends?|months?|monthly|quarters?|quarterly|years?"
    r"|yearly|annual(?:ly)?|hours?|hourly|decades?|when|times?|trends?|histor(?:y|ical)|seasons?"
    r"|evol\w+|develop\w+|growth|growing|grow|grew|progress\w*|running|cumulative|latest|last)\b"
)
_NOT_ON_TIME = any_case(rf"\b(?:not|n't|never)\s+(?:\w+\s+)?(?:{'|'.join(ON_TIME)})\b")
_COMMONEST = any_case(
    r"\b(?:(?:most|least)\s+(?:common|frequent|popular|prevalent|usual|typical)|commonest|main|chief"
    r"|principal)\s+(?:\w+\s+)?(?!(?:was|has|does|as|\w*(?:us|ss|is))\b)\w+s\b"
)
_HOW_MANY_OF = any_case(rf"\b(?:\d+|{_SEVERAL}|top|first)\b")
_ON_AVERAGE = any_case(r"\bon average\b")
_EXCLUDING = any_case(
    rf"\b(?:exclud(?:e|ing)|{alternatives('negation.besides')}|without counting|not counting"
    r"|ignoring|leaving out)\b"
)
_ENDS_EXCLUDED = any_case(r"\b(?:by|per|for|in|from|where|who|which|that|but|with)\b|[;.?]")
_AND = any_case(r"\band\b|,")
_NEITHER = any_case(r"\bneither\b.*\bn?or\b")
SIDES_OF_NEITHER = 2
"""What “neither … nor” leaves out."""
_LOOKALIKES = word_set("superlatives.lookalikes")
_KEY_NAMES = word_set("checks.key_names")
_OF_FREQUENCIES = word_set("checks.of_frequencies")
_FIRST_IN_TIME = word_set("checks.first_in_time")
"""Superlatives of time, whose direction depends on what is told: the oldest has the first date."""
_EACH_SURE = word_set("checks.each")
_NO_VALUES = word_set("checks.no_values")
_NO_BEGINNINGS = word_list("checks.no_beginnings")
_DENYING_BEGINNINGS = word_list("checks.denying_beginnings")
_PARTS_OF_WHOLES = word_set("checks.parts_of_wholes")
"""Words for what must be divided, unless a column is called so."""
_BEHIND_CUE = any_case(r"\s+(?:the\s+|its\s+|their\s+)?")
_RATE_BEHIND = any_case(r"\s+rates?\b")
_PER_WHAT = any_case(r"\bper\s+(?P<what>[a-z]+)\b(?=.*\b(?:by|per|each)\b)")
_PER_ONE = any_case(r"\bper\s+(?P<what>[a-z]+)\b")
_UNITS_OF_TIME = word_set("checks.units_of_time")
_SORTED_BY = any_case(r"\b(?:sort|sorted|order|ordered|ranked|arranged) by (?P<what>[\w ]+)")
_UNITS = frozenset(word_values("catalog.units"))
_BEGINS = any_case(r"\W*(?:(?:what (?:is|was|were|are)|show|give me)\s+)?(?:(?:the|our|all)\s+)?")
_RATE_OF_DEED = any_case(r"(?:ion|al|ance|ence|ure|ment|ancy)\s+rates?\b")
"""The rate of what was done, that is never a price."""
_EITHER_WAY = word_set("checks.either_way")
SHORTEST_ABBREVIATION = 3
"""A part of a name may stand for a longer word that begins so: `diff` for a difference."""
_AGGREGATE_SQL: dict[str, tuple[str, ...]] = {
    "avg": ("AVG", "/"),
    "sum": ("SUM", "COUNT"),
    "median": ("MEDIAN", "QUANTILE", "PERCENTILE"),
    "stddev": ("STDDEV",),
    "variance": ("VAR",),
    "mode": ("MODE", "LIMIT"),
}
"""What stands in SQL that computes an aggregate; the ends are checked as superlatives."""

Check = Callable[[QuestionWords, Statement], Iterator[Finding]]


def _cues(said: QuestionWords, name: str) -> list[Cue]:
    """Finds the words of a list that are no part of a value or a name."""
    question = said.request.question
    taken = [one.span for one in said.request.links.values]
    return [
        cue
        for cue in find_cues(name, question)
        if not any(start <= cue.start and cue.end <= end for start, end in taken)
    ]


def _in_a_name(sql: Statement, word: str) -> bool:
    """Whether a word is a part of the name of a column that is read: `max_temp`."""
    told = {stem(part.text) for part in words(word)}
    for _, column in sql.columns if told else ():
        parts = {*spelled_out(column), *name_parts(column)}
        if told <= {stem(part) for part in parts}:
            return True
        if any(len(part) > SHORTEST_ABBREVIATION and word.startswith(part) for part in parts):
            return True
    return False


def check_negation(said: QuestionWords, sql: Statement) -> Iterator[Finding]:
    """Finds a negation that was dropped, and one that was made up."""
    cues, negates = _negations(said), _negates(sql)
    if cues and not (negates or _has_no_value(sql) or _has_zero_count(sql)):
        told = cues[0].text
        is_late = _NOT_ON_TIME.search(said.request.question) and tests_late_flag(sql)
        is_told = is_late or _was_before(said, sql) or _in_literal(sql, told)
        if not (is_told or _in_a_name(sql, told)):
            yield fault(Code.NEGATION_DROPPED, f"“{told}” has no counterpart.", told)
    if cues or not negates:
        return
    denied = {str(one.value) for one in said.request.links.values if one.quality == BY_DENIAL}
    if denied & _values_taken(sql):
        told = " and ".join(sorted(denied))
        yield fault(Code.NEGATION_ADDED, f"“{told}” says no by itself, and is denied.", told)
    elif not denied and not _not_by_words(said):
        yield doubt(Code.NEGATION_ADDED, "Nothing in the question says “not”.")
    elif not denied and (told := _denied_though_said(said, sql)):
        yield fault(Code.NEGATION_ADDED, f"Nothing denies “{told}”.", told)


def _was_before(said: QuestionWords, sql: Statement) -> bool:
    """Whether the last of several was before a period: who has `not visited since May`."""
    starts = {one.start.isoformat() for one in said.request.links.periods if one.start}
    return any(
        test.operator == "<"
        and any(not _LATEST.isdisjoint(spelled_out(name)) for _, name in test.columns)
        and any(one.name[:DAY_LENGTH] in starts for one in test.literals)
        for test in sql.tests
    )


def _negations(said: QuestionWords) -> list[Cue]:
    """Returns the words that negate something, without `no more than` and its like."""
    skipped = [one.span() for one in _NOT_NEGATING.finditer(said.request.question)]
    return [
        cue
        for cue in _cues(said, "negation")
        if not any(start <= cue.start < end for start, end in skipped)
    ]


def _values_taken(sql: Statement) -> set[str]:
    """Returns the written values that rows must have."""
    tests = [one for one in sql.tests if one.operator in {"=", "in"} and not one.negated]
    return {literal.name for one in tests for literal in one.literals}


def check_denied_values(said: QuestionWords, sql: Statement) -> Iterator[Finding]:
    """Finds `without a pool` told by another column than the one that holds `No pool`."""
    denied = [one for one in said.request.links.values if one.quality == BY_DENIAL]
    tested = {place for test in sql.tests for place in test.columns}
    for span in {one.span: None for one in denied}:
        meant = [one for one in denied if one.span == span]
        if not any((one.table, one.column) in tested for one in meant):
            told = meant[0].text
            message = f"“{told}” is not told by “{meant[0].value}” of {meant[0].column}."
            yield fault(Code.NEGATION_DROPPED, message, told)


def check_excluded_values(said: QuestionWords, sql: Statement) -> Iterator[Finding]:
    """Finds `excluding cancellations and no shows` that are the no shows alone."""
    question, taken = said.request.question, _values_taken(sql)
    for told in _EXCLUDING.finditer(question):
        ends = [one.start() for one in _ENDS_EXCLUDED.finditer(question, told.end())]
        end = min(ends, default=len(question))
        for link in said.request.links.values:
            if told.end() <= link.span[0] < end and str(link.value) in taken:
                message = f"“{told.group()} {link.text}” keeps nothing else."
                yield fault(Code.NEGATION_DROPPED, message, link.text)
                return


def check_denied_kinds(said: QuestionWords, sql: Statement) -> Iterator[Finding]:
    """Finds `without a car` where a column holds `No car`, `Car` and `Bus`: a bus is no car."""
    for link in (one for one in said.request.links.values if one.quality == BY_DENIAL):
        kind = denied_kind(said.request, link)
        tests = [one for one in sql.tests if (link.table, link.column) in one.columns]
        told = {literal.name for one in tests for literal in one.literals}
        is_written = link.text.casefold() == str(link.value).casefold()
        if kind is not None and not is_written and told & {str(link.value), kind}:
            message = f"“{link.text}” may be “{link.value}”, or all but “{kind}”."
            ways = (link.column, str(link.value), kind)
            yield doubt(Code.AMBIGUOUS_VALUE, message, link.text, *ways)


def denied_kind(request: ReadRequest, link: ValueLink) -> str | None:
    """Returns the value that a value says no of, where a column holds others beside the two."""
    facts = facts_of(request, link.table, link.column)
    if facts is None:
        return None
    denied = [word.stem for word in words(str(link.value))][1:]
    held = {str(value): [word.stem for word in words(str(value))] for value, _ in facts.top}
    kind = next((value for value, stems in held.items() if stems == denied), None)
    return kind if set(held) - {kind, str(link.value)} else None


def check_switched_off(said: QuestionWords, sql: Statement) -> Iterator[Finding]:
    """Finds `with auto renewal off` that are those with it on."""
    for link in said.request.links.names:
        place = link.table, link.column or ""
        column = sql.catalog.column(*place)
        told = SWITCHED_OFF.match(said.request.question, link.span[1])
        if told is None or column is None or column.role is not Role.FLAG:
            continue
        tests = [one for one in sql.tests if place in one.columns]
        if not any(_denies(one) for one in tests):
            yield fault(
                Code.NEGATION_DROPPED, f"“{told.group().strip()}” has no counterpart.", link.text
            )


def _denies(test: Test) -> bool:
    is_no = any(_says_no(one) for one in test.literals)
    return is_no is not (test.negated or test.operator == "!=")


def check_neither(said: QuestionWords, sql: Statement) -> Iterator[Finding]:
    """Finds `neither American nor Japanese` that leaves out the Japanese alone."""
    told = _NEITHER.search(said.request.question)
    if told and _left_out(sql) < SIDES_OF_NEITHER:
        yield fault(Code.NEGATION_DROPPED, "“neither … nor” leaves out one of two.", told.group())


def _left_out(sql: Statement) -> int:
    """Counts the values, kinds of no, gaps and looked-up rows that are left out."""
    counted = 0
    for test in sql.tests:
        if test.negated or test.operator == "!=":
            counted += max(1, len(test.literals))
        elif any(_says_no(one) for one in test.literals):
            counted += 1
    for one in sql.find_all(exp.Not):
        inner = one.this.unnest()
        if isinstance(inner, exp.Column):
            counted += 1
        elif isinstance(inner, exp.Or):
            counted += sum(1 for _ in inner.flatten())
    gaps = [one for one in sql.find_all(exp.Is) if isinstance(one.expression, exp.Null)]
    looked_up = [one for one in sql.find_all(exp.Exists, exp.In) if one.find(exp.Select)]
    return counted + len(gaps) + len(looked_up)


def _negates(sql: Statement) -> bool:
    for node in sql.find_all(exp.Not, exp.NEQ, exp.Except, exp.Is):
        if isinstance(node, exp.Not):
            inner = node.this.unnest()
            is_given = isinstance(inner, exp.Is) and isinstance(inner.expression, exp.Null)
            if is_given:
                continue
        elif isinstance(node, exp.Is):
            above = node.parent
            while isinstance(above, exp.Paren):
                above = above.parent
            if isinstance(above, exp.Not) or not isinstance(node.expression, exp.Null):
                continue
        elif isinstance(node, exp.NEQ) and node.find_ancestor(exp.Join):
            continue
        return True
    return any(str(one.args.get("kind") or "").upper() == "ANTI" for one in sql.find_all(exp.Join))


def _has_no_value(sql: Statement) -> bool:
    """Whether a test asks for the value of a flag that means no."""
    return any(_says_no(one) for test in sql.tests for one in test.literals)


def _says_no(one: exp.Expression) -> bool:
    if isinstance(one, exp.Boolean):
        return not one.this
    text = squeezed(one.name)
    return text in _NO_VALUES or text.startswith(_NO_BEGINNINGS)


def _has_zero_count(sql: Statement) -> bool:
    return any(
        test.aggregated and any(one.name == "0" for one in test.literals) for test in sql.tests
    )


def _in_literal(sql: Statement, word: str) -> bool:
    told = squeezed(word)
    return any(told in squeezed(one.name) for one in sql.find_all(exp.Literal))


def _not_by_words(said: QuestionWords) -> bool:
    """Whether other words may negate: `only`, `foreign`, `unpaid`, `at least one`."""
    return any(
        word.text.startswith(_DENYING_BEGINNINGS) or word.text in cue_words("may_negate")
        for word in said.all
    )


def _denied_though_said(said: QuestionWords, sql: Statement) -> str:
    """Returns a value that is said and denied, where only the prefix of another word denies."""
    if cue_words("may_negate") & {word.text for word in said.all}:
        return ""
    plain = {word.text for word in said.all}
    found = (
        literal.name
        for test in sql.tests
        if test.operator in {"!=", "in"} and (test.negated or test.operator == "!=")
        for literal in test.literals
        if literal.is_string
    )
    return next((one for one in found if {part.text for part in words(one)} <= plain), "")


def check_ranked_averages(said: QuestionWords, sql: Statement) -> Iterator[Finding]:
    """Finds `most expensive item on average` that is the highest price beside the average one."""
    is_whole = not sql.group_keys and sql.find(exp.Avg) is not None
    if is_whole and sql.find(exp.Max, exp.Min) is not None:
        told = _ON_AVERAGE.search(said.request.question)
        if told and not _AND.search(said.request.question):
            yield fault(Code.SUPERLATIVE_DROPPED, "Nothing is ranked by an average.", told.group())


def check_superlatives(said: QuestionWords, sql: Statement) -> Iterator[Finding]:
    """Finds superlatives that rank nothing, or that rank the other way round."""
    high, low = _cues(said, "superlative_high"), _cues(said, "superlative_low")
    told = [cue for cue in [*high, *low] if not _idle_superlative(said, sql, cue)]
    told += _others_by_ending(said)
    if not told:
        return
    ranks = (sql.limits and sql.find(exp.Order)) or sql.has_rank
    ranks = ranks or any(isinstance(one, exp.Max | exp.Min) for one in sql.aggregates)
    ranks = ranks or "MODE(" in sql.sql.upper()
    ranks = ranks or (asks_for_several(said.request.question) and _is_ranked_by_rows(sql))
    if not ranks:
        yield fault(Code.SUPERLATIVE_DROPPED, f"“{told[0].text}” ranks nothing.", told[0].text)
        return
    directions = _directions(sql)
    if bool(high) != bool(low) and len(directions) == 1:
        cue = told[0]
        if cue.text in _FIRST_IN_TIME | _EITHER_WAY or _depends(said):
            return
        wanted = "high" if high else "low"
        if directions != {wanted}:
            yield fault(Code.SUPERLATIVE_TURNED, f"“{cue.text}” is ranked upside down.", cue.text)


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
    if before.endswith(("at", " the very")) and cue.text in {"least", "most"}:
        return True
    if cue.text in word_set("checks.before_spans") and not (sql.limits or sql.has_rank):
        near = _TIMED.match(after)
        if near:
            return True
    lasts = cue.text == "last" and _HOW_LONG.match(question) and sql.find(exp.DateDiff)
    if lasts or before.endswith(("more than", "order by")):
        return True
    if re.match(r"(?:\w+ )?first\b", after) or (cue.text == "first" and sql.is_ordered):
        return sql.is_ordered
    if before.endswith(("from the", "to the")) and sql.is_ordered:
        return True
    return _in_a_name(sql, cue.text) and cue.text not in {"most", "least"}


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
    cuts = [(test, one) for test in sql.tests for one in test.literals if _is_number(one)]
    ranks = {float(one.name) for test, one in cuts if test.operator != "=" or one.name == "1"}
    if numbers and not numbers & {*map(float, sql.limits), *ranks}:
        at = min(numbers)
        yield fault(Code.TOP_DROPPED, f"The first {at:g} were asked for.", *wanted)


def check_added_limits(said: QuestionWords, sql: Statement) -> Iterator[Finding]:
    """Finds cuts that nothing asks for."""
    cues = [*_superlatives(said), *_cues(said, "order")]
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
    found = (one for one in _TOP.finditer(question) if not _inside_value(said, one.span("after")))
    numbers = [one.group("after") or one.group("before") for one in found]
    return [one for one in numbers if not _OF_TIME.match(question, question.index(one))]


def _number_of_rows(text: str) -> float:
    return float(SPELLED.get(text.lower(), 0) or (text.isdigit() and int(text)))


def _superlatives(said: QuestionWords) -> list[Cue]:
    return [*_cues(said, "superlative_high"), *_cues(said, "superlative_low")]


def _compares(said: QuestionWords) -> bool:
    return any(re.search(r"\b(?:more|less|fewer|\w+er)\b", word.text) for word in said.all)


def _is_number(one: exp.Expression) -> bool:
    return isinstance(one, exp.Literal) and not one.is_string


def _gives_one_row(query: exp.Select) -> bool:
    return query.args.get("group") is None and all(
        one.find(exp.AggFunc) is not None for one in query.selects
    )


def check_each(said: QuestionWords, sql: Statement) -> Iterator[Finding]:
    """Finds `each` without groups."""
    cues = [cue for cue in _cues(said, "each") if cue.text in _EACH_SURE]
    if not cues or sql.group_keys or sql.find(exp.Window, exp.Distinct, exp.Pivot):
        return
    told = cues[0].text
    if sql.aggregates:
        if not _is_rate(sql, cues) and not _in_a_name(sql, told):
            yield doubt(Code.EACH_DROPPED, f"“{told}” makes no groups.", told)
    elif not _divides(sql) and len(sql.columns) > 1:
        for cue in cues:
            if cue.text == "per" and _is_kind_named(said, sql, cue.end):
                yield doubt(Code.EACH_DROPPED, f"“{cue.text}” makes no groups.", cue.text)


def check_other_rates(said: QuestionWords, sql: Statement) -> Iterator[Finding]:
    """Finds `price per person` that is told by the price per night."""
    if _divides(sql) and not sql.group_keys:
        return
    names = (name_parts(name) for _, name in sql.written_columns)
    rates = [parts for parts in names if "per" in parts[:-1]]
    for told in _PER_ONE.finditer(said.request.question):
        is_said = any(stem(parts[parts.index("per") + 1]) in said.stems for parts in rates)
        if rates and not is_said:
            make = doubt if sql.group_keys else fault
            yield make(Code.EACH_DROPPED, f"“{told.group()}” is not told.", told.group())


def check_added_groups(said: QuestionWords, sql: Statement) -> Iterator[Finding]:
    """Finds groups that nothing names."""
    for key in sql.group_keys:
        for table, column in sql.places(key):
            is_time = "STRPTIME(" in key.sql() and _speaks_of_time(said, column)
            if not is_time and not _is_named(said, sql, table, column):
                yield doubt(Code.GROUP_ADDED, f"Nothing asks for groups of “{column}”.")


def _is_kind_named(said: QuestionWords, sql: Statement, at: int) -> bool:
    """Whether a column of kinds is named next: `per item`, not `per hour`."""
    named = [one for one in said.request.links.names if one.column and one.span[0] == at + 1]
    columns = [sql.catalog.column(one.table, str(one.column)) for one in named]
    return any(one is not None and one.role in {Role.DIMENSION, Role.FLAG} for one in columns)


def _is_rate(sql: Statement, cues: list[Cue]) -> bool:
    """Whether one figure may be told: per year, on average. `each` always wants groups."""
    if all(cue.text == "per" for cue in cues):
        return _divides(sql)
    return sql.find(exp.Div) is not None


def _divides(sql: Statement) -> bool:
    return sql.find(exp.Div, exp.Avg) is not None


def _is_named(said: QuestionWords, sql: Statement, table: str, name: str) -> bool:
    """Whether the question names a column: by its name, a word alike, or its table's rows."""
    column = sql.catalog.column(table, name)
    told = sql.catalog.table(table)
    if column is None or told is None or column.role is Role.ID:
        return True
    if column.role is Role.DATE:
        return _speaks_of_time(said, name)
    linked = {(one.table, one.column) for one in said.request.links.names}
    linked |= {(one.table, one.column) for one in said.request.links.values}
    if (table, name) in linked:
        return True
    parts = {stem(part) for one in (name, *column.synonyms) for part in spelled_out(one)}
    rows = {stem(one) for one in told.row_nouns} | {stem(part) for part in spelled_out(table)}
    rows |= {
        stem(part)
        for key in sql.catalog.relationships
        if key.to_table == table and (key.table, key.column) in sql.columns
        for part in spelled_out(key.column)
    }
    asking = word_set("checks.asks_unnamed") & {word.text for word in said.all}
    return bool((parts | rows) & said.stems or asking) or is_nearly_named(said, name)


def _speaks_of_time(said: QuestionWords, name: str) -> bool:
    """Whether groups of time are asked for, or the whole name of a date is said."""
    asks = bool(_TIME_GROUPS.search(said.request.question) or said.request.links.periods)
    return asks or {stem(part) for part in spelled_out(name)} <= said.stems


def check_aggregates(said: QuestionWords, sql: Statement) -> Iterator[Finding]:
    """Finds aggregates that were asked for and are missing."""
    for one in aggregates():
        wanted = _AGGREGATE_SQL.get(one.name)
        if wanted is None:
            continue
        cues = [cue for cue in _words_of(said, one.name) if not _in_a_name(sql, cue)]
        if cues and not any(made in sql.text for made in wanted) and cues[0] != "overall":
            make = doubt if one.name == "sum" else fault
            yield make(Code.AGGREGATE_DROPPED, f"“{cues[0]}” is not computed.", cues[0])


_LATEST = word_set("times.latest")
"""What the names of dates have that tell of the last of several."""
UNIT_BEHIND = any_case(rf"\s+(?:{alternatives('checks.units_of_time')}|minute|second)s?\b")
"""What makes a number of units of time of a count: `how many days`."""
HOW_LONG = any_case(
    rf"\bhow (?:long|far|(?:many (?:{alternatives('checks.units_of_time')}|minute)s))\b"
)
"""What asks for a time that each row has, which is told of all by its average."""


def check_counts(said: QuestionWords, sql: Statement) -> Iterator[Finding]:
    """Finds `how many` of which nothing is counted."""
    cues = _cues(said, "count")
    if sql.find(exp.DateDiff) is not None:
        cues = [one for one in cues if not UNIT_BEHIND.match(said.request.question, one.end)]
    counted = cues and any(made in sql.text for made in ("COUNT", "SUM(", "ROW_NUMBER"))
    if cues and not counted and not _is_count_column(said, sql):
        yield doubt(Code.AGGREGATE_DROPPED, f"“{cues[0].text}” counts nothing.", cues[0].text)


def check_shares(said: QuestionWords, sql: Statement) -> Iterator[Finding]:
    """Finds shares that are asked for where nothing is divided."""
    shares = _cues(said, "share")
    if shares and not _divides(sql) and not _in_share_name(said, sql):
        told = shares[0].text
        is_of_one = said.request.question[: shares[0].start].rstrip().lower().endswith(" per")
        is_sure = told in _PARTS_OF_WHOLES or _RATE_OF_DEED.search(said.request.question)
        make = fault if is_sure and not is_of_one else doubt
        yield make(Code.AGGREGATE_DROPPED, f"“{told}” is not computed.", told)


def check_added_averages(said: QuestionWords, sql: Statement) -> Iterator[Finding]:
    """Finds averages that nothing asks for."""
    if sql.find(exp.Avg) is None or _averages_usually(sql):
        return
    if sql.find(exp.DateDiff) is not None and HOW_LONG.search(said.request.question):
        return
    asked = _words_of(said, "avg") or cue_words("means_average") & {w.text for w in said.all}
    if not asked and not _cues(said, "share"):
        yield doubt(Code.AGGREGATE_ADDED, "Nothing asks for an average.")
    elif set(asked) == {"per"} and sql.group_keys:
        for place in {place for one in sql.find_all(exp.Avg) for place in sql.places(one)}:
            column = sql.catalog.column(*place)
            if column is not None and column.additivity is Additivity.SUM:
                message = f"The average of {column.name} is told; its total may be meant."
                yield doubt(Code.TOTAL_OR_MEAN, message, column.name)


def check_rates_of_figures(said: QuestionWords, sql: Statement) -> Iterator[Finding]:
    """Finds `bycatch rate` that is the average bycatch: a rate of a figure is of another one."""
    if sql.tree.find(exp.Div) is not None:
        return
    question = said.request.question
    for link in said.request.links.names:
        column = sql.catalog.column(link.table, link.column or "")
        is_figure = column is not None and column.role is Role.MEASURE
        if is_figure and _RATE_BEHIND.match(question, link.span[1]) and not _in_a_name(sql, "rate"):
            yield fault(Code.AGGREGATE_DROPPED, "“rate” is not computed.", "rate")


def check_per_what(said: QuestionWords, sql: Statement) -> Iterator[Finding]:
    """Finds `price per person by room` that is grouped by rooms alone."""
    if not sql.group_keys or sql.tree.find(exp.Div) is not None:
        return
    grouped = {place for key in sql.group_keys for place in sql.places(key)}
    rows = _row_stems(sql) if sql.find(exp.Avg) is not None else set()
    for found in _PER_WHAT.finditer(said.request.question):
        word, start = found["what"].casefold(), found.start("what")
        links = [one for one in said.request.links.names if one.span[0] <= start < one.span[1]]
        is_group = any((one.table, one.column) in grouped for one in links)
        parts = {stem(part) for _, name in grouped for part in spelled_out(name)}
        is_known = is_group or stem(word) in parts | rows or word in _UNITS_OF_TIME
        if not is_known and not _in_a_name(sql, "per"):
            yield fault(Code.EACH_DROPPED, f"“per {found['what']}” is not computed.", found["what"])


def _row_stems(sql: Statement) -> set[str]:
    """Returns what a row is called, by its table and its key: an average of rows is one per row."""
    tables = [table for name in set(sql.tables) if (table := sql.catalog.table(name))]
    keys = [one.name for table in tables for one in table.columns[:1] if one.role is Role.ID]
    nouns = [part for table in tables for noun in table.row_nouns for part in noun.split()[-1:]]
    return {stem(part) for name in keys for part in spelled_out(name)} | set(map(stem, nouns))


def check_added_sums(said: QuestionWords, sql: Statement) -> Iterator[Finding]:
    """Finds sums that nothing asks for."""
    is_usual = sql.is_over_time or _sums_by_sign(sql)
    is_usual = is_usual or ASKS_HOW_MUCH.match(said.request.question) is not None
    is_usual = is_usual or _is_sum_of_some(said, sql) or averages_periods(said, sql)
    if sql.find(exp.Sum) is not None and not is_usual and not _asks_numbers(said):
        yield doubt(Code.AGGREGATE_ADDED, "Nothing says that it is added up.")


def _is_sum_of_some(said: QuestionWords, sql: Statement) -> bool:
    """Whether a question is the whole name of an amount and which rows: `ad spend this year`."""
    sums = [one for one in sql.aggregates if isinstance(one, exp.Sum)]
    place = sql.place(sums[0].this) if len(sums) == 1 and len(sql.aggregates) == 1 else None
    column = sql.catalog.column(*place) if place else None
    if column is None or column.additivity is not Additivity.SUM or sql.group_keys:
        return False
    begun = _BEGINS.match(said.request.question)
    first = said.request.question[begun.end() if begun else 0 :]
    name = [stem(part) for part in spelled_out(column.name) if part.casefold() not in _UNITS]
    told = [word.stem for word in words(first)[: len(name)]]
    return bool(sql.tests) and bool(said.request.links.periods) and told == name


def check_added_orders(said: QuestionWords, sql: Statement) -> Iterator[Finding]:
    """Finds figures of groups that are sorted by a figure of another column, which is made up."""
    order, select = sql.tree.args.get("order"), sql.tree
    is_whole = isinstance(select, exp.Select) and select.args.get("limit") is None
    if order is None or not is_whole or not sql.group_keys:
        return
    shown = {one.sql() for each in select.selects for one in each.find_all(exp.AggFunc)}
    made = [one for key in order.expressions for one in key.find_all(exp.AggFunc)]
    behind = _SORTED_BY.search(said.request.question)
    if not shown or behind is None or all(one.sql() in shown for one in made):
        return
    is_told = aggregate_pattern().search(behind["what"]) or find_cues("count", behind["what"])
    if not is_told:
        yield doubt(Code.AGGREGATE_ADDED, f"“{behind['what']}” is of no group.", behind["what"])


def check_added_counts(said: QuestionWords, sql: Statement) -> Iterator[Finding]:
    """Finds rows that are counted though nothing asks for their number."""
    if not sql.counts:
        return
    measure = _names_a_measure(said, sql) if not _cues(said, "count") else ""
    if measure:
        yield doubt(Code.AGGREGATE_ADDED, f"Rows are counted, and “{measure}” is not shown.")
    if not sql.group_keys and not _asks_numbers(said) and not averages_periods(said, sql):
        yield doubt(Code.AGGREGATE_ADDED, "Nothing asks for a number of rows.")


def _asks_numbers(said: QuestionWords) -> bool:
    """Whether a number of several rows is asked for: a sum, a share, how many, the most."""
    cues = [*_cues(said, "share"), *_cues(said, "count"), *_cues(said, "each")]
    return bool(cues or _superlatives(said) or _words_of(said, "sum"))


def _sums_by_sign(sql: Statement) -> bool:
    """Whether groups are told by the sign of their sum: `which shops lose money`."""
    return any(
        test.aggregated and [one.name for one in test.literals] == ["0"] for test in sql.tests
    )


def _averages_usually(sql: Statement) -> bool:
    """Whether groups are told by averages of what does not add up: `temperature by month`."""
    averaged = {place for one in sql.find_all(exp.Avg) for place in sql.places(one)}
    columns = [sql.catalog.column(*place) for place in averaged]
    usual = all(one is not None and one.additivity is Additivity.AVERAGE for one in columns)
    return bool(sql.group_keys) and bool(columns) and usual


def _names_a_measure(said: QuestionWords, sql: Statement) -> str:
    """Returns a measure that the question names and the SQL does not use."""
    for link in said.request.links.names:
        column = sql.catalog.column(link.table, link.column) if link.column else None
        is_used = any(name == link.column for _, name in sql.columns)
        is_verb = link.text.casefold().endswith("ed") or _names_things(sql, link)
        is_verb = is_verb or _is_of_time(said, sql, link) or _is_read_otherwise(said, sql, link)
        if (
            column
            and not is_verb
            and column.role is Role.MEASURE
            and not is_used
            and link.table in sql.tables
        ):
            return column.name
    return ""


def _is_read_otherwise(said: QuestionWords, sql: Statement, link: NameLink) -> bool:
    """Whether a word is a value that is tested, or the `rate` of a share that is computed."""
    taken = _values_taken(sql)
    if _divides(sql) and link.text.casefold() in cue_words("share"):
        return True
    return any(
        one.span == link.span and str(one.value) in taken for one in said.request.links.values
    )


def _names_things(sql: Statement, link: NameLink) -> bool:
    """Whether a word for what has a key begins the name of a figure: `patients`, Patient Age."""
    table = sql.catalog.table(link.table)
    keys = (one.name for one in table.columns if _is_key(one)) if table else ()
    return any(stem(spelled_out(name)[0]) == stem(link.text.casefold()) for name in keys)


def _is_key(column: CatalogColumn) -> bool:
    """Whether a column tells things apart, of which the rows may tell several times."""
    is_called = spelled_out(column.name)[-1].casefold() in _KEY_NAMES
    return column.role is Role.ID or (column.role is Role.DIMENSION and is_called)


def _is_of_time(said: QuestionWords, sql: Statement, link: NameLink) -> bool:
    """Whether a word is of the time of groups: `per month` and Monthly Fee, `exits`, Exit Age."""
    if not sql.is_over_time:
        return False
    if stem(link.text.casefold()) in map(stem, word_set("checks.units_of_time")):
        return True
    column = sql.catalog.column(link.table, link.column or "")
    is_sum = column is not None and column.additivity is Additivity.SUM
    dates = {place for key in sql.group_keys for place in sql.places(key)}
    known = [one for one in dates if (facts := facts_of(said.request, *one)) and not facts.missing]
    parts = {stem(part) for _, name in known for part in spelled_out(name)}
    return not is_sum and stem(link.text.casefold()) in parts


def _words_of(said: QuestionWords, aggregate: str) -> list[str]:
    """Returns the words of the question that ask for an aggregate."""
    told = next(one.words for one in aggregates() if one.name == aggregate)
    return [one.lower() for one in phrase_pattern(told).findall(said.request.question)]


def _is_count_column(said: QuestionWords, sql: Statement) -> bool:
    """Whether a column of numbers holds what is counted: how many wins, number of rooms."""
    for table, name in sql.columns:
        column = sql.catalog.column(table, name)
        parts = {stem(part) for part in spelled_out(name)}
        if column and column.role is Role.MEASURE and parts & said.stems:
            return True
    return False


def _in_share_name(said: QuestionWords, sql: Statement) -> bool:
    shares, question = _cues(said, "share"), said.request.question
    held = any("%" in column for _, column in sql.columns)
    is_unit = [
        question[: cue.start].rstrip()[-1:].isdigit() or (cue.text == "%" and held)
        for cue in shares
    ]
    return any(is_unit) or any(_in_a_name(sql, cue.text) for cue in shares)


def check_computations(said: QuestionWords, sql: Statement) -> Iterator[Finding]:
    """Finds differences, changes and correlations that were asked for and are not computed."""
    subtracts = sql.find(exp.Sub, exp.Window, exp.Lag, exp.DateDiff) is not None
    computed = {
        "difference": subtracts or _divides(sql) or bool(sql.group_keys) or _tells_each(sql),
        "excess": subtracts or bool(sql.group_keys) or _tells_each(sql),
        "change": subtracts or _divides(sql),
        "correlation": "CORR(" in sql.sql.upper(),
    }
    for name, is_there in computed.items():
        cues = [one for one in _cues(said, name) if one.text != "between"]
        cues = [one for one in cues if not _in_a_name(sql, one.text) or name == "change"]
        cues = [one for one in cues if one.text != "trend" or not sql.is_over_time]
        if cues and not is_there:
            told = cues[0].text
            make = doubt if _in_a_name(sql, told) else fault
            yield make(Code.AGGREGATE_DROPPED, f"“{told}” is not computed.", told)


def _tells_each(sql: Statement) -> bool:
    """Whether a figure is told of one of several values, or of each: no rows of them all."""
    return bool(sql.aggregates) and any(test.operator == "in" for test in sql.tests)


def check_distinct(said: QuestionWords, sql: Statement) -> Iterator[Finding]:
    """Finds `different` where what is counted may be counted twice."""
    cues = _cues(said, "distinct")
    made = sql.find(exp.Distinct) is not None or bool(sql.group_keys)
    if cues and not made and not _negates(sql):
        told = cues[0].text
        yield doubt(Code.DISTINCT_DROPPED, f"“{told}” is not heeded.", told)


def check_comparisons(said: QuestionWords, sql: Statement) -> Iterator[Finding]:
    """Finds numbers that are compared the other way round than the question says."""
    question = said.request.question.lower()
    for name, wrong in (("above", {"<", "<="}), ("below", {">", ">="})):
        for cue in _cues(said, name):
            match = re.match(r"\s*(?:the\s+|a\s+)?\$?(\d[\d,]*(?:\.\d+)?)", question[cue.end :])
            if match is None:
                continue
            value = float(match.group(1).replace(",", ""))
            tests = (one for one in sql.tests if not _is_subtracted(one))
            found = [test for test in tests if _compares_with(test, value)]
            operators = {_operator(test) for test in found}
            if operators and operators <= wrong and not _is_reversed(sql, found):
                told = f"{cue.text} {match.group(1)}"
                yield fault(Code.COMPARISON_TURNED, f"“{told}” is compared upside down.", told)
            elif found and operators <= {"=", "!="}:
                told = f"{cue.text} {match.group(1)}"
                yield fault(Code.COMPARISON_TURNED, f"“{told}” is not compared.", told)


def _is_subtracted(test: Test) -> bool:
    """Whether a test says which rows a figure is of that another is less: `from 2003 to 2009`."""
    told = test.node.find_ancestor(exp.Filter)
    return told is not None and isinstance(told.parent, exp.Sub)


def check_limits_compared(said: QuestionWords, sql: Statement) -> Iterator[Finding]:
    """Finds `catches over quota` that lists the quotas: nothing is compared with them."""
    question = said.request.question
    starts = {one.span[0]: one for one in said.request.links.names if one.column}
    compared = {place for test in sql.tests for place in test.columns}
    for name in ("above", "below"):
        for cue in _cues(said, name):
            behind = _BEHIND_CUE.match(question, cue.end)
            link = starts.get(behind.end()) if behind else None
            place = (link.table, str(link.column)) if link else ("", "")
            column = sql.catalog.column(*place)
            is_limit = column is not None and column.role is Role.MEASURE
            if link and is_limit and place not in compared and not _compares_or_ranks(sql):
                told = f"{cue.text} {link.text}"
                yield fault(Code.COMPARISON_DROPPED, f"“{told}” compares nothing.", told)


def check_rows_compared(said: QuestionWords, sql: Statement) -> Iterator[Finding]:
    """Finds `older than` that compares nothing, and figures that are compared with a key."""
    told = _THAN.search(said.request.question)
    if told and not _idle_comparison(said, told) and not _compares_or_ranks(sql):
        words_of = told.group()
        yield fault(Code.COMPARISON_DROPPED, f"“{words_of}” compares nothing.", words_of)
    for node in sql.find_all(exp.GT, exp.GTE, exp.LT, exp.LTE):
        sides = [sql.place(one.unnest()) for one in (node.left, node.right)]
        roles = [column.role for one in sides if one and (column := sql.catalog.column(*one))]
        if Role.ID in roles and Role.MEASURE in roles:
            yield fault(Code.COMPARISON_TURNED, "A figure is compared with a key.")


def _idle_comparison(said: QuestionWords, told: re.Match[str]) -> bool:
    """Whether it is a part of a value."""
    return any(
        one.span[0] <= told.start() and told.end() <= one.span[1]
        for one in said.request.links.values
    )


def _compares_or_ranks(sql: Statement) -> bool:
    kinds = exp.GT, exp.GTE, exp.LT, exp.LTE, exp.Between, exp.Sub, exp.NEQ, exp.Div, exp.Case
    if sql.find(*kinds) is not None or sql.limits or sql.has_rank:
        return True
    return any(_IS_RANGE.search(one.name) for test in sql.tests for one in test.literals)


def _compares_with(test: Test, value: float) -> bool:
    return any(_is_number(one) and float(one.name) == value for one in test.literals)


def _operator(test: Test) -> str:
    turned = {"<": ">=", "<=": ">", ">": "<=", ">=": "<", "=": "!="}
    return turned.get(test.operator, test.operator) if test.negated else test.operator


def _is_reversed(sql: Statement, tests: list[Test]) -> bool:
    """Whether more of what is said is less of what is stored: older than, by date of birth."""
    columns = [sql.catalog.column(*place) for test in tests for place in test.columns]
    return any(one is not None and one.role is Role.DATE for one in columns)


def _sorts(said: QuestionWords, cue: Cue) -> bool:
    """Whether `ordered` is a matter of order: `ordered by`, not `ordered from`, `in order to`."""
    after = said.request.question[cue.end :].lstrip().lower()
    if cue.text.casefold() == "in order":
        return not after.startswith(("to ", "that "))
    return cue.text != "ordered" or after.startswith(("by", "from the", "in ", "alphabet"))


def check_order(said: QuestionWords, sql: Statement) -> Iterator[Finding]:
    """Finds an order that was asked for and is missing."""
    cues = [one for one in _cues(said, "order") if one.text != "rank" and _sorts(said, one)]
    if cues and not sql.is_ordered and not sql.has_rank and not _in_a_name(sql, cues[0].text):
        yield fault(Code.ORDER_DROPPED, f"“{cues[0].text}” has no counterpart.", cues[0].text)
    if not sql.is_ordered or not isinstance(sql.tree.args.get("order"), exp.Order):
        return
    first = sql.tree.args["order"].expressions[0]
    for name, wrong in (("descending", False), ("ascending", True)):
        cue = next(iter(_cues(said, name)), None)
        if cue and bool(first.args.get("desc")) is wrong and not sql.limits:
            yield fault(Code.ORDER_DROPPED, f"“{cue.text}” is sorted the other way.", cue.text)


def check_periods(said: QuestionWords, sql: Statement) -> Iterator[Finding]:
    """Finds periods of the question whose bounds the SQL does not hold."""
    text = sql.sql
    for period in said.request.links.periods:
        ends = [one for one in (period.start, period.end) if one is not None]
        if not ends or any(_inside_value(said, period.span) for _ in ends):
            continue
        years = {str(one.year) for one in ends}
        if any(one.isoformat() in text for one in ends) or any(year in text for year in years):
            continue
        if re.search(r"current_date|now\(|today\(", text, re.IGNORECASE):
            continue
        yield fault(Code.PERIOD_DROPPED, f"“{period.text}” has no counterpart.", period.text)


def _inside_value(said: QuestionWords, span: tuple[int, int]) -> bool:
    return any(
        one.span[0] <= span[0] and span[1] <= one.span[1] for one in said.request.links.values
    )


CHECKS: tuple[Check, ...] = (
    check_negation,
    check_denied_values,
    check_excluded_values,
    check_denied_kinds,
    check_switched_off,
    check_neither,
    check_ranked_averages,
    check_superlatives,
    check_top,
    check_added_limits,
    check_unordered_limits,
    check_each,
    check_other_rates,
    check_added_groups,
    check_aggregates,
    check_counts,
    check_shares,
    check_added_averages,
    check_added_sums,
    check_added_orders,
    check_rates_of_figures,
    check_per_what,
    check_added_counts,
    check_computations,
    check_distinct,
    check_comparisons,
    check_rows_compared,
    check_limits_compared,
    check_order,
    check_periods,
)
