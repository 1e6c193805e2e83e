"""Superlatives that name no number: the best rep, the busiest day, the biggest customer.

`The best rep` ranks by a number that the question leaves to the table: its main amount, or how many
rows there are. A superlative that no column answers to is noted as unread, so that no answer passes
for it.
"""

import re
from typing import cast

from modelwright.engines.language.rules.columns.index import Column, ref
from modelwright.engines.language.rules.measures.extreme_rows import SUPER, ranked_by
from modelwright.engines.language.rules.measures.ratios import profit_at
from modelwright.engines.language.rules.mentions.draft import Draft, entity
from modelwright.engines.language.rules.mentions.mention import Mention
from modelwright.engines.language.rules.mentions.rows import (
    amount,
    coded,
    in_groups,
    person_column,
    sold_only,
)
from modelwright.engines.language.rules.mentions.worth import MONEY, main_measure
from modelwright.engines.language.rules.plans.plan import Bucket, Measure, Order, Part, Unit
from modelwright.engines.language.rules.ranks.ranking_measures import most_rows
from modelwright.engines.language.rules.text.patterns import pattern
from modelwright.engines.language.rules.text.words import name_parts
from modelwright.engines.language.rules.times.usual_dates import usual_date
from modelwright.engines.language.vocabulary import word_set

_COUNTED = pattern("vague counted")
_JUDGED = pattern("vague judged")
_UNKNOWN = pattern("superlatives unknown")
_ORDINARY = word_set("superlatives.lookalikes")
_PARTS: dict[str, Part] = {"hour": "hour of day", "weekday": "weekday"}
_UNITS = word_set("times.units")
_OVER = re.compile(r"\b(?:(?P<average>on average)|in total|altogether)\b")
_UNWANTED = pattern("vague unwanted")
_SIZES = frozenset({"biggest", "largest", "smallest"})
_REACH = 3
"""In words: how far behind the superlative its groups may begin."""
_GROUP_QUALITY = 0.6
"""How surely words must mean the groups, 0 to 1."""
_NUMBER_QUALITY = 0.42
"""How surely words must mean a number to be ranked by it, 0 to 1."""
_WORD_QUALITY = 0.45
"""How surely a superlative that no list has must mean a number or a date, 0 to 1."""
_NAME_SAID = 0.9
"""How much of a column's name must be said to be no name of a table, 0 to 1."""


def read_unknown(draft: Draft) -> bool:
    """`The deadliest war` has the most deaths; by what wines are the sweetest is nowhere said."""
    match = _UNKNOWN.search(draft.lower) if len(draft.index.tables) == 1 else None
    if match is None or SUPER.fullmatch(match.group("word")):
        return False
    at = draft.at(match.start("word"))
    if draft.claimed[at] or draft.question.is_value(at):
        return False
    ranked = draft.pick(at, at + 1, lambda c: c.number or c.date, _WORD_QUALITY)
    if ranked is None and match.group("word") not in _ORDINARY:
        draft.unread.append(match.group("word"))
    if ranked is None or not amount(ranked.column) or not (draft.limit or entity(draft, at + 1)):
        return False
    draft.claim(at, ranked.end, "superlative")
    draft.everything = True
    draft.order, draft.limit = [Order(Measure(None, ref(ranked.column)), True)], draft.limit or 1
    return True


def read_vague(draft: Draft) -> bool:
    """Ranks what follows the superlative by the table's own amount."""
    match = _JUDGED.search(draft.lower) if len(draft.index.tables) == 1 else None
    if match is None:
        return False
    at, end = draft.at(match.start()), draft.at(match.end())
    if match.group() == "top" and _doer(draft, end):
        return True
    if draft.claimed[at] or draft.pick(at, at + 1, amount, _NUMBER_QUALITY):
        return False
    return _largest_rows(draft, match, end) or _best_groups(draft, match, end)


def _best_groups(draft: Draft, match: re.Match[str], end: int) -> bool:
    """`The best reps` are the groups with the most of the table's own amount, or the most rows."""
    top = draft.limit is not None and match.group() == "top"
    group = draft.pick(end, end + _REACH, least=_GROUP_QUALITY, taken=top)
    if group is None or not _repeats(group.column):
        return False
    ranked = SUPER.search(draft.text(end, group.start)) is not None
    most = next((at for at in range(group.end, end + _REACH + 2) if _most(draft, at)), None)
    if most is not None:
        measure = most_rows(draft, most)
    else:
        counted = top or "selling" in match.group()
        measure = main_measure(draft) or (Measure("count") if counted else None)
    if ranked or measure is None or _measured(draft, group.end):
        return False
    draft.claim_text(match, "superlative")
    draft.claim(group.start, group.end, "group")
    _rank(draft, Bucket(ref(group.column)), measure, match)
    return True


def _most(draft: Draft, at: int) -> bool:
    return draft.text(at, at + 1) in {"most", "fewest"}


def _largest_rows(draft: Draft, match: re.Match[str], end: int) -> bool:
    """`The 10 largest orders` of a table of orders are those of the largest amounts."""
    end += draft.text(end, end + 1) == "single"
    main = main_measure(draft) if match.group() in _SIZES and entity(draft, end) else None
    said = max(draft.question.mentions.over(end), key=lambda m: m.quality, default=None)
    kind = said is not None and (_repeats(said.column) or amount(said.column))
    kind = kind or draft.text(end + 1, end + 2) == "by"
    if main is None or main.aggregate != "sum" or kind or _measured(draft, end + 1):
        return False
    draft.claim(draft.at(match.start()), end, "superlative")
    draft.claim(end, end + 1, "rows")
    draft.everything = True
    draft.order = [Order(Measure(None, main.ref), bool(match.group("up")))]
    draft.limit = draft.limit or 1
    return True


def _doer(draft: Draft, at: int) -> bool:
    """`The top earner`, `top 3 scorers`: rows by the number that the word is made of."""
    at += draft.text(at, at + 1).isdigit()
    number = draft.pick(at, at + 1, amount, _NUMBER_QUALITY)
    if number is None or not draft.text(at, at + 1).removesuffix("s").endswith(("er", "or")):
        return False
    draft.claim(at - 1, at + 1, "superlative")
    draft.order, draft.limit = [Order(Measure(None, ref(number.column)), True)], draft.limit or 1
    shown = person_column(draft)
    draft.select += [Measure(None, ref(shown))] if shown else []
    return True


def read_busiest(draft: Draft) -> bool:
    """Ranks what follows, a column or a stretch of time, by how often it comes."""
    match = _COUNTED.search(draft.lower) if len(draft.index.tables) == 1 else None
    if match is None or draft.claimed[draft.at(match.start())]:
        return False
    end = draft.at(match.end())
    if len(draft.group) == 1 and draft.group[0].unit and not _measured(draft, end):
        draft.claim_text(match, "superlative")
        _rank(draft, draft.group.pop(), Measure("count"), match)
        return True
    timed = _stretch(draft, end)
    group = None if timed else draft.pick(end, end + _REACH, least=_GROUP_QUALITY)
    if timed is None and (group is None or not _repeats(group.column)):
        return False
    after = group.end if group else end + 1
    if _measured(draft, after):
        return False
    draft.claim_text(match, "superlative")
    draft.claim(end, after, "group")
    bucket = Bucket(ref(group.column)) if group else timed
    if bucket is not None:
        _rank(draft, bucket, Measure("count"), match)
    return bucket is not None


def _stretch(draft: Draft, at: int) -> Bucket | None:
    """`Busiest month`, `busiest hour`: pieces of the usual date."""
    usual, said = usual_date(draft), draft.text(at, at + 1)
    if usual is None or draft.group or said not in {*_UNITS, *_PARTS}:
        return None
    if said == "hour" and not usual.timed:
        return None
    return Bucket(ref(usual), _PARTS.get(said) or cast("Unit", said))


def read_ranked_kind(draft: Draft) -> bool:
    """`Least profitable state`, `largest state by sales`: groups and what ranks them."""
    for match in SUPER.finditer(draft.lower) if len(draft.index.tables) == 1 else ():
        at = draft.at(match.start())
        if draft.claimed[at]:
            continue
        number = draft.pick(at, at + 2, amount, _NUMBER_QUALITY)
        if number and sold_only(draft, number):
            number = None
        if (number and _rank_periods(draft, match, number)) or _rank_kinds(draft, match, number):
            return True
    return False


def _rank_periods(draft: Draft, match: re.Match[str], number: Mention) -> bool:
    """`The wettest month` by a number that the superlative names."""
    timed = _period(draft, number.end)
    if timed is None:
        return False
    draft.claim(draft.at(match.start()), number.end + 1, "superlative")
    _rank(draft, timed, in_groups(draft, Measure(None, ref(number.column))), match)
    return True


def _rank_kinds(draft: Draft, match: re.Match[str], number: Mention | None) -> bool:
    """`Least profitable state`, `largest state by sales`."""
    at = draft.at(match.start())
    earning = number is None and draft.text(at + 1, at + 2) == "profitable"
    start = number.end if number else at + 1 + earning
    group = draft.pick(start, start + 1, least=_GROUP_QUALITY)
    rows = group is not None and group.named < _NAME_SAID and draft.rows_named(group)
    if group is None or rows or not _repeats(group.column):
        return False
    number = ranked_by(draft, match.end()) or number
    measure = in_groups(draft, Measure(None, ref(number.column))) if number else None
    measure = measure or (profit_at(draft, at + 1, start) if earning else None)
    if measure is None:
        return False
    draft.claim(at, start, "superlative")
    draft.claim(*((number.start, number.end) if number else (at, start)), "superlative")
    draft.claim(group.start, group.end, "group")
    _rank(draft, Bucket(ref(group.column)), measure, match)
    return True


def _period(draft: Draft, at: int) -> Bucket | None:
    """`Wettest month`: the stretches of the only date, of more than a row each."""
    unit = draft.text(at, at + 1)
    dates = [one for one in draft.index.columns if one.date]
    if unit not in _UNITS or len(dates) != 1 or draft.group:
        return None
    alone = unit == "day" and dates[0].facts.distinct == dates[0].facts.rows
    return None if alone else Bucket(ref(dates[0]), cast("Unit", unit))


def _rank(draft: Draft, group: Bucket, measure: Measure, match: re.Match[str]) -> None:
    draft.group.append(group)
    draft.select.append(measure)
    turned = match.group() in {"best", "worst"} and unwanted(measure)
    draft.order = [Order(measure, bool(match.group("up")) != turned)]
    draft.limit = draft.limit or 1


def unwanted(measure: Measure | None) -> bool:
    """Whether the best has the least of it: the worst airline by delay."""
    name = " ".join(name_parts(measure.ref.column)) if measure and measure.ref else ""
    return bool(_UNWANTED.search(name))


def _repeats(column: Column) -> bool:
    """Whether rows can be grouped by a text."""
    kinds = column.facts.type == "string" or coded(column)
    return kinds and 2 * column.facts.distinct < column.facts.rows


def _measured(draft: Draft, end: int) -> bool:
    """Whether a number is named that the superlative may be of."""
    return draft.pick(end, len(draft.claimed), amount, _NUMBER_QUALITY) is not None


def told_over(draft: Draft, measure: Measure | None) -> Measure | None:
    """`Which insurer pays the most on average`, `which rep sold the most in total`."""
    match = _OVER.search(draft.lower)
    plain = measure is None or (measure.ref is not None and measure.aggregate is None)
    if match is None or not plain or (measure is None and match["average"]):
        return measure
    measure = measure or main_measure(draft)
    draft.claim_text(match, "superlative")
    return measure and Measure("avg" if match["average"] else "sum", measure.ref)


def by_worth(draft: Draft, at: int) -> Measure | None:
    """`Which region performs best`, `has the lowest grades`, `earns most` by the table's amount."""
    word = draft.text(at, at + 1)
    judged = word in {"best", "worst"} or (word in {"highest", "lowest"} and entity(draft, at + 1))
    money = word in {"most", "least"} and MONEY.search(draft.text(at - 3, at))
    alone = draft.text(at + 1, at + 2) in {"money", ""}
    if draft.several or not (judged or (money and alone)):
        return None
    main = main_measure(draft)
    if money:
        draft.claim(at - 2, at + 2, "superlative")
        draft.unread += [] if main and main.aggregate == "sum" else [money["verb"]]
    return main
