"""Which readings are offered where none is answered, and why it is asked back."""

import re
from collections.abc import Sequence

from modelwright.engines.language.arbiter.calibration import (
    BUILT_IN,
    CONVERSATION,
    GRAMMAR,
    JOINED,
    NOBODY,
    REREAD,
    RULES,
)
from modelwright.engines.language.arbiter.reading import Reading
from modelwright.engines.language.arbiter.rereading import MEANT_EITHER_WAY
from modelwright.engines.language.arbiter.swapping import RIVALLED, WAYS_TO_DENY
from modelwright.engines.language.checks.findings import Code, Severity

MAX_CHOICES = 3
"""Readings that are offered where none is sure enough; more nobody compares."""
LEAST_CHOICE = 0.03
"""Readings less likely than this are not offered."""


def asked_back(readings: Sequence[Reading], least: float) -> list[Reading]:
    """Returns the readings between which only who asked can decide; none where one is meant.

    Args:
        readings: The readings, the likeliest first.
        least: How likely a reading must be to be answered.
    """
    return (
        _contested(readings)
        or _rivalling(readings)
        or _denying(readings)
        or _meant_either_way(readings)
        or _as_sure(readings, least)
        or _read_otherwise(readings)
    )


def _contested(readings: Sequence[Reading]) -> list[Reading]:
    """Returns what a conversation and the built-in readers read otherwise, if these two agree.

    Neither is surer than the other: the question is asked back.
    """
    sound = [one for one in readings if not one.is_faulty]
    kept = [one for one in sound if CONVERSATION in one.read_by]
    anew = [one for one in sound if len(BUILT_IN & set(one.read_by)) > 1 and one not in kept]
    return [*kept, *anew] if kept and anew else []


def _rivalling(readings: Sequence[Reading]) -> list[Reading]:
    """Returns the likeliest reading and those with another column that the words name as well.

    No word tells which is meant, and they give something else: the question is asked back.
    """
    best = readings[0] if readings else None
    if best is None or best.is_faulty:
        return []
    rivals = {name for one in best.findings if one.code in RIVALLED for name in one.words[1:]}
    others = [
        one
        for one in readings[1:]
        if not one.is_faulty and any(_reads(one.best.sql, name) for name in rivals)
    ]
    return [best, *others][:MAX_CHOICES] if others else []


def _reads(sql: str, column: str) -> bool:
    return re.search(rf'(?<!\w)"?{re.escape(column)}"?(?!\w)', sql, re.IGNORECASE) is not None


def _denying(readings: Sequence[Reading]) -> list[Reading]:
    """Returns the likeliest reading and what denies the same otherwise: no car, or all but cars."""
    sound = [one for one in readings if not one.is_faulty]
    if not sound or not _denied_in(sound[0]):
        return []
    others = [one for one in sound[1:] if _denied_in(one) == _denied_in(sound[0])]
    return [sound[0], *others][:MAX_CHOICES] if others else []


def _denied_in(reading: Reading) -> set[tuple[str, ...]]:
    """Returns what a reading denies that can be denied in two ways."""
    found = (one for one in reading.findings if one.code is Code.AMBIGUOUS_VALUE)
    return {one.words for one in found if len(one.words) == WAYS_TO_DENY}


def _meant_either_way(readings: Sequence[Reading]) -> list[Reading]:
    """Returns a reading and what else may be meant: a mean of rows, the last October."""
    sound = [one for one in readings if not one.is_faulty]
    if not sound or not any(one.code in MEANT_EITHER_WAY for one in sound[0].findings):
        return []
    others = [one for one in sound[1:] if set(one.read_by) == {REREAD}]
    return [sound[0], *others][:MAX_CHOICES] if others else []


def _as_sure(readings: Sequence[Reading], least: float) -> list[Reading]:
    """Returns the readings that are likely enough, where as many readers read another one so.

    Each alone would be answered: what the readers do not agree on is asked back.
    """
    sound = [
        one
        for one in readings
        if not one.is_faulty and one.probability >= least and not set(one.read_by) <= NOBODY
    ]
    rivals = [
        one
        for one in sound[1:]
        if len(one.read_by) >= len(sound[0].read_by)
        or (len(_by_whom(one)) >= len(_by_whom(sound[0])) and not one.doubts)
    ]
    return [sound[0], *rivals][:MAX_CHOICES] if rivals else []


def _read_otherwise(readings: Sequence[Reading]) -> list[Reading]:
    """Returns the likeliest reading and what the third built-in reader undoubtedly reads instead.

    Two of them are the same rules: where they agree, what the other one says weighs as much.
    """
    sound = [one for one in readings if not one.is_faulty]
    if not sound or not set(sound[0].read_by) >= {RULES, JOINED}:
        return []
    others = [
        one for one in sound[1:] if GRAMMAR in _by_whom(one) - _by_whom(sound[0]) and not one.doubts
    ]
    return [sound[0], *others][:MAX_CHOICES] if others else []


def _by_whom(reading: Reading) -> set[str]:
    """Returns who read it so, those left out who stand for what nobody read."""
    return set(reading.read_by) - NOBODY


def offered(readings: Sequence[Reading], contested: Sequence[Reading]) -> list[Reading]:
    """Returns the readings to choose from: likely ones, and those that contest the best."""
    likely = [
        one
        for one in readings
        if (one.probability >= LEAST_CHOICE or one in contested) and not one.is_misread
    ]
    return _first(likely, contested)


def _first(likely: Sequence[Reading], contested: Sequence[Reading]) -> list[Reading]:
    """Returns the choices: the likeliest, and always what is contested."""
    others = [one for one in likely if one not in contested]
    kept = [*contested, *others[: max(0, MAX_CHOICES - len(contested))]]
    return [one for one in likely if one in kept][:MAX_CHOICES]


def why_asked(choices: Sequence[Reading], readings: Sequence[Reading], question: str) -> str:
    """Returns why a question is asked back: it may mean several things, or words are in doubt."""
    outside = outside_the_data(readings)
    if outside and all(set(one.read_by) <= NOBODY for one in choices):
        return outside
    if len(choices) > 1:
        return "The question can be read in several ways."
    told = question.casefold()
    open_ones = [one for one in choices[0].findings if one.severity is not Severity.NOTE]
    words = [word for one in open_ones for word in one.words if word.casefold() in told]
    if words:
        told = ", ".join(f"“{word}”" for word in dict.fromkeys(words))
        return f"It is not sure that {told} was understood."
    whys = " ".join(dict.fromkeys(one.message for one in open_ones[:MAX_CHOICES]))
    return f"It is not sure that the question was understood. {whys}".rstrip()


def outside_the_data(readings: Sequence[Reading]) -> str:
    """Tells where the data begin or end, if nothing else is wrong with a reading."""
    for one in readings:
        faults = [each for each in one.findings if each.severity is Severity.FAULT]
        if faults and all(each.code is Code.PERIOD_OUTSIDE for each in faults):
            return " ".join(each.message for each in faults)
    return ""
