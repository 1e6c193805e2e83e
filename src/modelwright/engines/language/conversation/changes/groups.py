"""Changes of what figures are grouped by, and of which groups are told."""

from collections.abc import Mapping, Sequence

from sqlglot import exp

from modelwright.engines.language.conversation.changes.change import SORTED, Probe
from modelwright.engines.language.conversation.parts import Part, Used
from modelwright.engines.language.conversation.statement import (
    DIALECT,
    AnsweredStatement,
    NoPlaceError,
)
from modelwright.engines.language.conversation.words import GROUPED, NUMBER
from modelwright.engines.language.linking.linking import number_of
from modelwright.engines.language.rules.text.words import words
from modelwright.engines.language.vocabulary import BEHIND_GROUPED, any_case

_ADDED = any_case(r"^(?:and|,)\s+(?:by\s+)?(?=\S)")
_GROUP_TEST = any_case(
    r"^with (?:(?P<figure>\S.*) )?(?P<way>at least|at most|more than|fewer than)"
    rf" (?P<n>\d[\d,.]*(?:k|m|bn)?|one|{NUMBER})(?: (?P<rows>[\w-]+))?$"
)
_WAYS: Mapping[str, type[exp.Binary]] = {
    "at least": exp.GTE, "at most": exp.LTE, "more than": exp.GT, "fewer than": exp.LT,
}  # fmt: skip


def take_groups(statement: AnsweredStatement, part: Part, _: Probe) -> Used | None:
    """`With at least 50 patients`: groups of so many rows, after how many each has.

    So it is with another figure of the groups, such as `with average fee more than 20`.
    """
    some = _GROUP_TEST.match(part.new)
    amount = number_of(some["n"].lower()) if some else None
    if some is None or amount is None or part.old or not statement.groups:
        return None
    figure = statement.only_figure()
    kinds = ("rows", "figure") if isinstance(figure, exp.Count) else ("figure", "rows")
    named, other = (some[one] for one in kinds)
    told = {word.stem for word in words(f"total {part.before}")}
    if not named or other or not {word.stem for word in words(named)} <= told:
        return None
    number = exp.Literal.number(f"{amount:.15g}")
    test = _WAYS[some["way"].lower()](this=figure.copy(), expression=number)
    statement.tree = statement.tree.having(test)
    return part.used_up()


def change_groups(statement: AnsweredStatement, part: Part, probe: Probe) -> Used | None:
    """`By region`, `and gender`: what the figures are grouped by."""
    is_added = _adds_groups(statement, part)
    if SORTED.match(part.new.lower()):
        return None
    if not (is_added or _names_groups(part)) or not says_only_names(part):
        return None
    statement.aggregate()
    text = _ADDED.sub("", part.new)
    found = probe("number of", text if GROUPED.match(text) else f"by {text}")
    if not found.groups or found.part("where"):
        return None
    statement.join_as_in(found)
    kept = statement.groups if is_added or not part.old else _kept_groups(statement, part)
    shown = [*shown_of(statement, kept), *found.shown(figures=False)]
    statement.group_by(shown, [*kept, *found.groups])
    _reorder(statement, found)
    used = part.used_up()
    return used if part.old else Used(new=used.new, words=used.words)


def _names_groups(part: Part) -> bool:
    """Whether what is said begins with `by`, or stands behind it."""
    cue = GROUPED.search(part.new)
    return (cue is not None and not cue.start()) or bool(BEHIND_GROUPED.search(part.before))


def _adds_groups(statement: AnsweredStatement, part: Part) -> bool:
    """Whether `and gender` is said where figures of groups are shown already."""
    names = part.new_links.names
    is_amount = any(statement.is_measure(one) for one in names if one.column)
    return bool(_ADDED.match(part.new) and statement.groups and names and not is_amount)


def says_only_names(part: Part) -> bool:
    """Whether what is said is no value, and no number."""
    return bool(part.new) and not (part.new_links.values or part.new_links.numbers)


def shown_of(
    statement: AnsweredStatement, groups: Sequence[exp.Expression]
) -> list[exp.Expression]:
    """Returns what a statement shows of these groups."""
    written = {one.sql(dialect=DIALECT) for one in groups}
    shown = statement.shown(figures=False)
    return [one for one in shown if one.unalias().sql(dialect=DIALECT) in written]


def _kept_groups(statement: AnsweredStatement, part: Part) -> list[exp.Expression]:
    """Returns the groups that stay; raises where it is not sure which one goes."""
    groups, links = statement.groups, part.old_links
    if links.values or links.numbers or links.periods:
        raise NoPlaceError("What is taken away is no group.")
    places = {(one.table, one.column) for one in links.names if one.column}
    kept = [one for one in groups if not set(statement.places(one)) & places]
    if not places and len(groups) == 1:
        return []
    if groups and len(kept) == len(groups):
        raise NoPlaceError("What is taken away is no group.")
    return kept


def _reorder(statement: AnsweredStatement, found: AnsweredStatement) -> None:
    """Keeps an order by a figure; one by what was grouped by is that of the new groups."""
    order = statement.part("order")
    kept = [one for one in order.expressions if one.find(exp.AggFunc)] if order else []
    new = found.part("order")
    by = kept or [one for one in (new.expressions if new else ()) if not one.find(exp.AggFunc)]
    if statement.part("limit") and not by:
        raise NoPlaceError("It is not said by what the first are taken.")
    statement.tree.set("order", exp.Order(expressions=[one.copy() for one in by]) if by else None)
