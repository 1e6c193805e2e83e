"""Conditions that are added, changed or taken away."""

from sqlglot import exp

from modelwright.engines.language.conversation.changes.change import Probe
from modelwright.engines.language.conversation.changes.groups import shown_of
from modelwright.engines.language.conversation.parts import Part, Used
from modelwright.engines.language.conversation.statement import (
    DIALECT,
    AnsweredStatement,
    NoPlaceError,
)
from modelwright.engines.language.conversation.turns import OF_OURS
from modelwright.engines.language.readers import ValueLink
from modelwright.engines.language.rules.text.words import words
from modelwright.engines.language.vocabulary import any_case, word_set

_BESIDE = any_case(r"^(?:compared|versus|vs)\b")
_LED = any_case(r"\b(?:in|for|of|from|with|since|before|after|over|under)\s+$")
_TIED = any_case(r"^and\s+")
_NARROWING = any_case(r"^(?:for|with|in|from|who|where)\s+\S")
_NOTHING = word_set("small_words.tying")


def drop(statement: AnsweredStatement, part: Part, _: Probe) -> Used | None:
    """`For all regions`, `just by contract`: a condition or a group that is taken away."""
    if part.new or not part.old:
        return None
    links = part.old_links
    places = {(one.table, one.column) for one in links.of_tables if one.column}
    held = [one for one in statement.conditions if set(statement.places(one)) & places]
    if len(held) == 1:
        used = _used_of(statement, held[0], part)
        held[0].replace(exp.true())
        return used
    kept = [one for one in statement.groups if not set(statement.places(one)) & places]
    if held or not kept or len(kept) == len(statement.groups):
        return None
    if statement.part("limit"):
        raise NoPlaceError("It is not said by what the first are taken.")
    statement.group_by(shown_of(statement, kept), kept)
    statement.tree.set("order", None)
    return Used(tuple(one for one in links.names if one.column))


def _used_of(statement: AnsweredStatement, held: exp.Expression, part: Part) -> Used:
    """Returns the old links that a condition is made of; raises where it is made of more."""
    links, tested = part.old_links, set(statement.places(held))
    of_it = [one for one in links.of_tables if (one.table, one.column) in tested]
    values = [one for one in of_it if isinstance(one, ValueLink)]
    told = {_value(one.value) for one in values} | {_value(one.value) for one in links.numbers}
    written = {_value(one.this) for one in held.find_all(exp.Literal, exp.Boolean)}
    periods = links.periods if len(tested) == 1 and not held.find(exp.Or) else ()
    named = {(one.table, one.column) for one in of_it}
    is_told = tested <= named if values else len(tested) == 1
    if not is_told or not (written <= told or periods):
        raise NoPlaceError("The condition is of more than what changes.")
    numbers = tuple(one for one in links.numbers if _value(one.value) in written)
    return Used((*of_it, *numbers, *periods))


def _value(one: object) -> str:
    """Writes a value so that equal ones are written alike."""
    said = str(one).casefold()
    try:
        return f"{float(said):.15g}"
    except ValueError:
        return said


def add_condition(statement: AnsweredStatement, part: Part, probe: Probe) -> Used | None:
    """`Only those over 60`: one more condition."""
    links = part.new_links
    is_linked = links.values or links.periods or links.numbers or links.names
    if part.old or _BESIDE.match(part.new) or not (is_linked or _NARROWING.match(part.new)):
        return None
    found, where = _condition(probe, _TIED.sub("", part.new))
    if isinstance(where, exp.EQ) and any(
        isinstance(one, exp.EQ) and _columns(one) == _columns(where) for one in statement.conditions
    ):
        raise NoPlaceError("No row is both.")
    statement.join_as_in(found)
    statement.tree = statement.tree.where(where.copy())
    return part.used_up()


def change_condition(statement: AnsweredStatement, part: Part, probe: Probe) -> Used | None:
    """`Under 50`, `since 2010`: another condition on the column of one."""
    if not part.old or not part.new or part.begins:
        return None
    led = _LED.search(part.before)
    found, where = _condition(probe, f"{led.group() if led else 'of '}{part.new}")
    tested = _columns(where)
    held = [one for one in statement.conditions if _columns(one) == tested]
    if len(held) != 1:
        return None
    old = _used_of(statement, held[0], part)
    statement.join_as_in(found)
    held[0].replace(where.copy())
    used = part.used_up()
    return Used(old.old, used.new, used.words)


def _condition(probe: Probe, said: str) -> tuple[AnsweredStatement, exp.Expression]:
    found = probe("how many", said)
    where = found.part("where")
    if where is None or found.groups:
        raise NoPlaceError("It is no condition.")
    return found, exp.paren(where.this) if isinstance(where.this, exp.Or) else where.this


def _columns(node: exp.Expression) -> set[str]:
    return {one.sql(dialect=DIALECT) for one in node.find_all(exp.Column)}


def change_nothing(_: AnsweredStatement, part: Part, __: Probe) -> Used | None:
    """Takes words that only tie others together for no change."""
    told = f"{part.old} {part.new}"
    said = OF_OURS.sub("", f" {told}")
    return Used(words=told) if all(one.text in _NOTHING for one in words(said)) else None
