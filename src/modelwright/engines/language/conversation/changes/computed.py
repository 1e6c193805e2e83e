"""Changes of what is computed: rows counted or listed, shares, other figures."""

from sqlglot import exp, parse_one

from modelwright.engines.language.conversation.changes.change import Probe
from modelwright.engines.language.conversation.changes.groups import says_only_names
from modelwright.engines.language.conversation.parts import Part, Used
from modelwright.engines.language.conversation.statement import (
    DIALECT,
    AnsweredStatement,
    NoPlaceError,
)
from modelwright.engines.language.conversation.words import COUNTED, GROUPED, LISTED
from modelwright.engines.language.readers import NameLink
from modelwright.engines.language.vocabulary import (
    Aggregate,
    aggregate_pattern,
    aggregates,
    any_case,
)

_SHARE = any_case(r"^(?:the )?(?:percentage|share)\b")
_SHARE_BEHIND = any_case(r"^,? *as a percentage of the total$")
_BASIS = any_case(r" where the (?P<amount>.+) is not missing$")


def change_to_count(statement: AnsweredStatement, part: Part, _: Probe) -> Used | None:
    """`How many are these`: the rows that were listed are counted."""
    if not part.begins or not COUNTED.match(part.new) or COUNTED.match(part.old):
        return None
    is_list = statement.tree.find(exp.AggFunc) is None or statement.part("having")
    if not is_list or statement.part("limit"):
        return None
    statement.tree.set("order", None)
    inner = statement.tree.subquery("found", copy=True)
    statement.tree = exp.select("count(*)").from_(inner)
    shown = tuple(one for one in part.old_links.names if one.column)
    return Used(shown, words=f"{part.old} {part.new}")


def change_to_list(statement: AnsweredStatement, part: Part, _: Probe) -> Used | None:
    """`List them`: the rows that were counted are shown."""
    if not part.begins or not LISTED.match(part.new) or not COUNTED.match(part.old):
        return None
    shown = statement.only_figure()
    is_of_rows = isinstance(shown, exp.Count) and not shown.find(exp.Distinct)
    if statement.groups or statement.part("having") or not is_of_rows:
        return None
    counted = _counted(statement, shown)
    if counted is None:
        raise NoPlaceError("It is not sure which rows were counted.")
    table = exp.to_identifier(counted, quoted=True)
    statement.tree.set("expressions", [exp.Column(this=exp.Star(), table=table)])
    return Used(words=f"{part.old} {part.new}")


def _counted(statement: AnsweredStatement, count: exp.Expression) -> str | None:
    """Returns the table of which a count counts each row once; None where that is not sure."""
    first = statement.sources[0]
    known = statement.catalog.table(first.name)
    keys = {(one.name, one.key) for one in statement.catalog.tables if one.key}
    named = set(statement.places(count))
    is_of_first = not named or (known is not None and named == {(first.name, known.key)})
    once = all(
        isinstance(join.args.get("on"), exp.EQ)
        and any(place in keys and place[0] == join.this.name for place in statement.places(join))
        for join in statement.tree.args.get("joins") or ()
    )
    return first.alias_or_name if is_of_first and once else None


def change_to_share(statement: AnsweredStatement, part: Part, _: Probe) -> Used | None:
    """`In per cent`: each figure as a share of all of them."""
    begins = part.begins and _SHARE.match(part.new)
    behind = not part.old and _SHARE_BEHIND.match(part.new)
    if not (begins or behind) or not statement.groups:
        return None
    figure = statement.only_figure()
    is_cut = statement.part("limit") or statement.part("having")
    if not isinstance(figure, exp.Count | exp.Sum) or is_cut:
        return None
    told = figure.sql(dialect=DIALECT, identify=True)
    made = parse_one(f"100.0 * {told} / sum({told}) OVER ()", dialect=DIALECT)
    holder = figure.parent
    figure.replace(made)
    if isinstance(holder, exp.Alias):
        holder.set("alias", exp.to_identifier("percent", quoted=True))
    return Used(words=f"{part.old} {part.new}")


def change_to_basis(statement: AnsweredStatement, part: Part, _: Probe) -> Used | None:
    """`How many is that based on`: the rows that an average is of."""
    some = _BASIS.search(part.whole)
    if some is None or not COUNTED.match(part.new) or some["amount"] not in part.old:
        return None
    figure = statement.only_figure()
    if not isinstance(figure, exp.Avg | exp.Median):
        return None
    _replace_figure(statement, figure, exp.Count(this=_only_column(figure)))
    return part.used_up()


def change_figure(statement: AnsweredStatement, part: Part, _: Probe) -> Used | None:
    """`And the median`, `average age instead`: another figure of the same rows."""
    if GROUPED.search(part.new) or not says_only_names(part) or part.new_links.periods:
        return None
    said, told = aggregate_pattern().search(part.new), aggregate_pattern().search(part.old)
    counted = COUNTED.match(part.old) if part.begins else None
    named = _best_named(statement, part.new_links.names)
    was = tuple(one for one in part.old_links.names if one.column)
    is_other_aggregate, is_other_column = said and (told or counted), named and was
    if not is_other_aggregate and not is_other_column:
        return None
    figure = statement.only_figure()
    if was and not is_of(statement, figure, list(was)):
        raise NoPlaceError("What is taken away is no figure.")
    column = statement.column(named) if named else _only_column(figure)
    _replace_figure(statement, figure, _figure_of(figure, column, said.group() if said else ""))
    explained = " ".join(one.group() for one in (said, told, counted) if one)
    return Used(was, (named,) if named else (), explained)


def is_of(statement: AnsweredStatement, node: exp.Expression, named: list[NameLink]) -> bool:
    """Whether what is computed looks at a column that is named."""
    return bool(set(statement.places(node)) & {(one.table, one.column) for one in named})


def _best_named(statement: AnsweredStatement, names: tuple[NameLink, ...]) -> NameLink | None:
    """Returns the amount that is named best; raises where several are named as well."""
    found = [one for one in names if one.column and statement.is_measure(one)]
    best = max((one.quality for one in found), default=0.0)
    found = [one for one in found if one.quality == best]
    if len({(one.table, one.column) for one in found}) > 1:
        raise NoPlaceError("Several amounts are called so.")
    return found[0] if found else None


def _only_column(figure: exp.Expression) -> exp.Expression:
    columns = list(figure.find_all(exp.Column))
    if len(columns) != 1 or figure.find(exp.Binary, exp.Case) is not None:
        raise NoPlaceError("The figure is of several columns.")
    return columns[0].copy()


def _figure_of(figure: exp.Expression, column: exp.Expression, word: str) -> exp.Expression:
    """Writes a figure of a column: that which a word names, or the same as before."""
    if word:
        told = _aggregate(word).of(column.sql(dialect=DIALECT, identify=True))
        return parse_one(told, dialect=DIALECT)
    if isinstance(figure, exp.Count):
        raise NoPlaceError("It is not said what of it is computed.")
    _only_column(figure)
    made = figure.copy()
    next(made.find_all(exp.Column)).replace(column.copy())
    return made


def _aggregate(word: str) -> Aggregate:
    return next(one for one in aggregates() if word.lower() in one.words)


def _replace_figure(
    statement: AnsweredStatement, figure: exp.Expression, made: exp.Expression
) -> None:
    """Puts a figure where the other is shown or ordered by, and calls the result after it."""
    written, having = figure.sql(dialect=DIALECT), statement.part("having")
    if having is not None and having.find(exp.AggFunc):
        raise NoPlaceError("It is not said whether the groups are others as well.")
    column = next(made.find_all(exp.Column), None)
    name = f"{made.key}_{column.name}" if column is not None else made.key
    order = statement.part("order")
    for one in [
        each
        for top in (*statement.tree.selects, *(order.expressions if order else ()))
        for each in list(top.find_all(type(figure)))
    ]:
        if one.sql(dialect=DIALECT) == written:
            holder = one.parent
            one.replace(made.copy())
            if isinstance(holder, exp.Alias) and holder.parent is statement.tree:
                holder.set("alias", exp.to_identifier(name, quoted=True))
