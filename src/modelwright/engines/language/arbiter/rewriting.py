"""Candidates written anew, so that they tell what is asked for or what else may be meant."""

import re
from collections.abc import Callable, Sequence
from dataclasses import replace

from modelwright.engines.language.arbiter.averaged_things import of_whole_things
from modelwright.engines.language.arbiter.looking_up import looked_up
from modelwright.engines.language.arbiter.rereading import in_years, reread
from modelwright.engines.language.arbiter.swapping import (
    added_up,
    all_by_number,
    by_key,
    denied_otherwise,
    listed_once,
    of_groups,
    swapped,
    turned,
)
from modelwright.engines.language.arbiter.whole_rows import with_its_row
from modelwright.engines.language.checks.findings import Code, Finding
from modelwright.engines.language.checks.joins import is_unique
from modelwright.engines.language.checks.ranking import asks_for_several
from modelwright.engines.language.checks.words import QuestionWords
from modelwright.engines.language.grain import at_own_grain
from modelwright.engines.language.key_names import with_keys, with_names
from modelwright.engines.language.readers import Candidate, ReadRequest
from modelwright.engines.language.whole_names import told_whole, with_whole_names

_ONLY_FIRST = re.compile(r", the first only")


def as_asked(one: Candidate, request: ReadRequest) -> Candidate:
    """Writes a candidate so that it shows all that is asked for, and adds nothing up twice.

    Args:
        one: What a reader read.
        request: The question, with catalog and links.
    """
    return _at_own_grain(_with_names(_whole_extremes(one, request), request), request)


def counted_once(
    one: Candidate, found: Callable[[str], list[Finding]], request: ReadRequest
) -> Candidate:
    """Writes a candidate so that things that a join repeats, and kinds of a list, are told once."""
    return _told_once(_counted_by_key(one, found, request), found)


def _whole_extremes(one: Candidate, request: ReadRequest) -> Candidate:
    """Writes the commonest, an extreme and an average so that they are what is asked for."""
    one = of_whole_things(with_its_row(one, request), request)
    made = all_by_number(one.sql) if asks_for_several(request.question) else None
    if made is None:
        return one
    return replace(one, sql=made, interpretation=_ONLY_FIRST.sub("", one.interpretation))


def _with_names(one: Candidate, request: ReadRequest) -> Candidate:
    """Writes a candidate so that it tells whole names, not the keys that lead to them."""
    named = with_names(one.sql, request)
    whole = with_whole_names(named, request.catalog, request.links.names)
    is_more = whole != named
    told = told_whole(one.interpretation, request.catalog) if is_more else one.interpretation
    return replace(one, sql=with_keys(whole, request), interpretation=told)


def _at_own_grain(one: Candidate, request: ReadRequest) -> Candidate:
    """Writes a candidate so that each measure is added up over the rows of its own table."""
    made = at_own_grain(
        one.sql, request.catalog, lambda table, column: is_unique(request, (table, column))
    )
    return one if made is None else replace(one, sql=made)


def _counted_by_key(
    one: Candidate, found: Callable[[str], list[Finding]], request: ReadRequest
) -> Candidate:
    """Writes a candidate so that things a join repeats are counted by their key."""
    repeated = [
        each.words[0] for each in found(one.sql) if each.code is Code.FAN_OUT and each.words
    ]
    table = request.catalog.table(repeated[0]) if repeated else None
    made = by_key(one.sql, table.name, table.key) if table and table.key else None
    return one if made is None else replace(one, sql=made)


def _told_once(one: Candidate, found: Callable[[str], list[Finding]]) -> Candidate:
    """Writes a list of kinds so that each is told once."""
    repeats = any(each.code is Code.DISTINCT_DROPPED for each in found(one.sql))
    made = listed_once(one.sql) if repeats else None
    return one if made is None else replace(one, sql=made)


def other_readings(
    one: Candidate, findings: Sequence[Finding], said: QuestionWords
) -> list[Candidate]:
    """Returns readings that nobody read, which the findings of a candidate point to."""
    request = said.request
    return [
        *swapped(one, findings),
        *added_up(one, findings),
        *denied_otherwise(one, findings),
        *turned(one, request.question),
        *of_groups(one, findings),
        *looked_up(one, findings, request.catalog),
        *reread(one, findings, request.catalog),
        *in_years(one, findings, said),
    ]
