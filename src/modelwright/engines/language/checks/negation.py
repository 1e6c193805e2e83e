"""Whether what the question denies is denied in the SQL, and nothing else.

Negations that were dropped or made up, values that say no by themselves (`No pool`), what is to be
left out (`excluding`, `neither … nor`), flags that are off.
"""

from collections.abc import Iterator

from sqlglot import exp

from modelwright.engines.language.catalog.meaning import Role
from modelwright.engines.language.checks.cues import cues_of, is_in_a_name
from modelwright.engines.language.checks.findings import Code, Finding, doubt, fault
from modelwright.engines.language.checks.restricting import ON_TIME, tests_late_flag
from modelwright.engines.language.checks.statement import Statement, Test
from modelwright.engines.language.checks.words import QuestionWords, facts_of
from modelwright.engines.language.linking.phrases import BY_DENIAL
from modelwright.engines.language.readers import Period, ReadRequest, ValueLink
from modelwright.engines.language.rules.text.lexicon import spelled_out
from modelwright.engines.language.rules.text.words import squeezed, words
from modelwright.engines.language.temporal.calendar import DAY_LENGTH
from modelwright.engines.language.vocabulary import (
    SWITCHED_OFF,
    Cue,
    alternatives,
    any_case,
    cue_words,
    word_list,
    word_set,
)

_NOT_NEGATING = any_case(
    r"\b(?:no (?:more|less|fewer) than|not (?:more|less|fewer) than|no\.|whether or not|not only"
    r"|with(?:out)? (?:and|or) with(?:out)?)"
)
_NOT_MISSING = any_case(
    r"\b(?:not|no|never|without|\w+n['\N{RIGHT SINGLE QUOTATION MARK}]t)(?: ha(?:ve|s|ving))?"
    r"(?: (?:an?|any|the))? (?:missing|null|empty|blank|unknown)\b"
)
"""What is given: `whose region is not missing`."""
_NOT_ON_TIME = any_case(rf"\b(?:not|n't|never)\s+(?:\w+\s+)?(?:{'|'.join(ON_TIME)})\b")
_EXCLUDING = any_case(
    rf"\b(?:exclud(?:e|ing)|{alternatives('negation.besides')}|without counting|not counting"
    r"|ignoring|leaving out)\b"
)
_ENDS_EXCLUDED = any_case(r"\b(?:by|per|for|in|from|where|who|which|that|but|with)\b|[;.?]")
_NEITHER = any_case(r"\bneither\b.*\bn?or\b")
SIDES_OF_NEITHER = 2
"""What “neither … nor” leaves out."""
_NO_VALUES = word_set("checks.no_values")
_NO_BEGINNINGS = word_list("checks.no_beginnings")
_DENYING_BEGINNINGS = word_list("checks.denying_beginnings")
_LATEST = word_set("times.latest")
"""What the names of dates have that tell of the last of several."""


def check_negation(said: QuestionWords, sql: Statement) -> Iterator[Finding]:
    """Finds a negation that was dropped, and one that was made up."""
    cues, is_denying = _negations(said), negates(sql)
    if cues and not is_denying and not _is_told_otherwise(said, sql, cues[0].text):
        told = cues[0].text
        yield fault(Code.NEGATION_DROPPED, f"“{told}” has no counterpart.", told)
    elif is_denying and not cues:
        yield from _added_negation(said, sql)


def _is_told_otherwise(said: QuestionWords, sql: Statement, negation: str) -> bool:
    """Whether a negation needs no NOT: a value or a name says it, a number is 0, a date is past."""
    is_late = _NOT_ON_TIME.search(said.request.question) and tests_late_flag(sql)
    return (
        _has_no_value(sql)
        or _has_zero_count(sql)
        or bool(is_late)
        or _was_before(said, sql)
        or _in_literal(sql, negation)
        or is_in_a_name(sql, negation)
    )


def _added_negation(said: QuestionWords, sql: Statement) -> Iterator[Finding]:
    """Finds what is denied though no word of the question negates anything."""
    denied = {str(one.value) for one in said.request.links.values if one.quality == BY_DENIAL}
    if denied & sql.values_taken:
        told = " and ".join(sorted(denied))
        yield fault(Code.NEGATION_ADDED, f"“{told}” says no by itself, and is denied.", told)
    elif not denied and not _not_by_words(said):
        yield doubt(Code.NEGATION_ADDED, "Nothing in the question says “not”.")
    elif not denied and (told := _denied_though_said(said, sql)):
        yield fault(Code.NEGATION_ADDED, f"Nothing denies “{told}”.", told)


def check_not_missing(said: QuestionWords, sql: Statement) -> Iterator[Finding]:
    """Finds `whose region is not missing` that takes the rows where it is."""
    told = _NOT_MISSING.search(said.request.question)
    nulls = [one for one in sql.find_all(exp.Is) if isinstance(one.expression, exp.Null)]
    if told and nulls and not any(isinstance(_around(one), exp.Not) for one in nulls):
        yield fault(Code.NEGATION_DROPPED, f"“{told.group()}” is turned round.", told.group())


def _around(node: exp.Expression) -> exp.Expression | None:
    above = node.parent
    while isinstance(above, exp.Paren):
        above = above.parent
    return above


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
    question = said.request.question
    skipped = [
        one.span() for each in (_NOT_NEGATING, _NOT_MISSING) for one in each.finditer(question)
    ]
    return [
        cue
        for cue in cues_of(said, "negation")
        if not any(start <= cue.start < end for start, end in skipped)
    ]


def check_denied_values(said: QuestionWords, sql: Statement) -> Iterator[Finding]:
    """Finds `without a pool` told by another column than the one that holds `No pool`."""
    denied = [one for one in said.request.links.values if one.quality == BY_DENIAL]
    tested = sql.tested_columns
    for span in {one.span: None for one in denied}:
        meant = [one for one in denied if one.span == span]
        if not any((one.table, one.column) in tested for one in meant):
            told = meant[0].text
            message = f"“{told}” is not told by “{meant[0].value}” of {meant[0].column}."
            yield fault(Code.NEGATION_DROPPED, message, told)


def check_excluded_values(said: QuestionWords, sql: Statement) -> Iterator[Finding]:
    """Finds `excluding cancellations and no shows` that are the no shows alone."""
    question, taken = said.request.question, sql.values_taken
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


def check_denied_times(said: QuestionWords, sql: Statement) -> Iterator[Finding]:
    """Finds `in 2023 but not in 2024` that no row of 2023 could be: things are set apart by it."""
    periods = [one for one in said.request.links.periods if one.start and one.end]
    denied = next((one for one in periods if one.negated), None)
    if denied is None or _sets_apart(sql):
        return
    others = [one for one in periods if not one.negated]
    if others and all(_are_apart(one, denied) for one in others):
        message = f"“{denied.text}” leaves no row of “{others[0].text}” out."
        yield fault(Code.NEGATION_DROPPED, message, denied.text)


def _are_apart(one: Period, other: Period) -> bool:
    ends = one.start, one.end, other.start, other.end
    return None not in ends and not (ends[2] < ends[1] and ends[0] < ends[3])  # type: ignore[operator]


def _sets_apart(sql: Statement) -> bool:
    """Whether things are left out by other rows of theirs, or groups are tested."""
    looked_up = (one for one in sql.find_all(exp.Exists, exp.In) if one.find(exp.Select))
    is_left_out = any(one.find_ancestor(exp.Not) for one in looked_up)
    kinds = {str(one.side or one.kind).upper() for one in sql.find_all(exp.Join)}
    is_outer = not kinds.isdisjoint({"LEFT", "RIGHT", "FULL", "ANTI"})
    return is_left_out or is_outer or sql.find(exp.Except, exp.Having, exp.Qualify) is not None


def negates(sql: Statement) -> bool:
    """Returns whether the SQL leaves out what meets a test, is missing, or has a match."""
    for node in sql.find_all(exp.Not, exp.NEQ, exp.Except, exp.Is):
        if isinstance(node, exp.Not):
            inner = node.this.unnest()
            is_given = isinstance(inner, exp.Is) and isinstance(inner.expression, exp.Null)
            if is_given:
                continue
        elif isinstance(node, exp.Is):
            if isinstance(_around(node), exp.Not) or not isinstance(node.expression, exp.Null):
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


CHECKS = (
    check_negation,
    check_not_missing,
    check_denied_values,
    check_excluded_values,
    check_denied_kinds,
    check_switched_off,
    check_neither,
    check_denied_times,
)
