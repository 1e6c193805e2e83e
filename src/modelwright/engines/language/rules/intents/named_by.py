"""Whether a column that words fit is named by what is asked for, not by what stands beside it.

`How much will a guest spend at the bar` speaks of guests and asks for no number of them, and no
`purchase price` is a rent. Where nothing tells what is asked for, no column is predicted.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from modelwright.engines.facts import ColumnFacts
from modelwright.engines.language.rules.columns.linking import BOTH, Name, Term, alike
from modelwright.engines.language.rules.columns.name_terms import column_names
from modelwright.engines.language.rules.intents.answers import answers
from modelwright.engines.language.rules.intents.phrasing import asked_kind
from modelwright.engines.language.rules.intents.row_wishes import tells_kinds
from modelwright.engines.language.rules.intents.shapes import (
    asked_units,
    asks_of_deeds,
    asks_yes_or_no,
)
from modelwright.engines.language.rules.intents.tasks import BINARY_VALUES
from modelwright.engines.language.rules.text.lexicon import lexicon
from modelwright.engines.language.rules.text.roots import irregular, root
from modelwright.engines.language.rules.text.sentences import VERBS
from modelwright.engines.language.rules.text.targets import group, is_thing
from modelwright.engines.language.rules.text.words import fold, name_parts
from modelwright.engines.language.vocabulary import word_set, word_table

_MEANT = 0.5
"""How surely a word means a column that it may speak of, 0 to 1, as all below."""
_ASIDE = 0.3
"""Words that weigh no more are said beside what is asked for."""
_ASKED = 0.5
"""Words that weigh no less are asked for."""
_MODIFIED = re.compile(
    rf"(?:\b(?:{VERBS})|\bwhat (?:is|are|was|were|will)) (?:the|an?|our|its?|my) "
    r"(?P<modifier>\w+) (?P<head>\w+)(?=\W*$|[,.;:]"
    r"| (?:of|for|from|in|on|at|by|with|without|per|that|which|an?|the|each|every|using|based)\b)"
)
_OF = re.compile(
    rf"(?:^|\b(?:{VERBS}) |\bwhat (?:is|are|was|were|will) )(?:the |an? |our |its? )?"
    r"(?P<asked>\w+(?: \w+){0,2}?) of (?:the |an? |each |every |our )?(?P<whole>\w+)\b"
)
_OPEN = re.compile(r"^what (?:is|are|was|were|do|does|did) (?!.*\b(?:chance|probability|risk)\b)")
_WHICH = re.compile(r"\b(?:which|what) (?P<asked>\w+)\b")
_WHICH_ONE = re.compile(r"^(?:\w+ )?which (?P<asked>\w*[^\Ws]|\w+ss) (?!of\b)\w")
_BELONGS = re.compile(r"\w+(?:'s|s') (?:\w+ )?(?P<asked>\w+)\W*$")
_PLAIN_WHOLES = frozenset(map(root, word_set("names.plain_wholes")))
_MEASURES = frozenset(map(root, word_set("names.measures")))
_UNITS: Mapping[str, str] = {
    unit: "weight" if kind == "mass" else kind
    for kind, units in word_table("units").items()
    if kind != "count"
    for unit in units
    if len(unit) > 1
}
"""Units with what they measure, as names end with them."""
_AMOUNTS = frozenset({"money", "weight"})
"""What is told in units of its own alone."""
_DENIALS = frozenset({"no", "non"})
_RATES = frozenset({"per", "rate"})


@dataclass(frozen=True, slots=True)
class _Fit:
    """A column, and how surely each word of what is asked means it."""

    text: str
    """The intent, folded."""
    words: Sequence[tuple[Term, float]]
    """The telling words as they weigh where they stand, with how surely they mean the column."""
    column: ColumnFacts
    unsaid: Sequence[str]
    """The parts of its name that tell it from others, and that no word means."""
    is_written: bool
    """Whether a word of its name stands in the intent as it is."""
    is_valued: bool
    """Whether a word is a value of the column, and none of its name."""
    has_pairs: bool
    """Whether other columns of the table say yes or no."""

    @property
    def meant(self) -> list[Term]:
        """The words that speak of the column."""
        return [term for term, sure in self.words if sure >= _MEANT]

    @property
    def unmeant(self) -> list[Term]:
        """The words that do not."""
        return [term for term, sure in self.words if sure < _MEANT]

    @property
    def head(self) -> str:
        """The word that speaks of the column most, as it weighs; empty where there is none."""
        best = max(self.words, key=lambda one: one[0].weight * one[1], default=None)
        return best[0].text if best else ""

    @property
    def is_loose(self) -> bool:
        """Whether no word is one of the name's, nor a value: they only mean the like."""
        return max((sure for _, sure in self.words), default=0.0) < BOTH


def untold_by(
    intent: str,
    told: Sequence[Term],
    links: Callable[[Term], bool],
    column: ColumnFacts,
    columns: Sequence[ColumnFacts],
) -> str:
    """Returns what an intent asks for that the column which fits its words best does not tell.

    Args:
        intent: What a user wants to predict, in words.
        told: The words that may name the target, as they weigh where they stand.
        links: Whether a word may mean the name of any column.
        column: The column that fits best.
        columns: All columns of the table.

    Returns:
        A word of the intent; empty where nothing is untold.
    """
    name = next(one for one in column_names(columns) if one.written == column.name)
    values = {one.name: answers(told, one) for one in columns}
    own = values[column.name]
    named = [max((alike(term, part) for part in name.terms), default=0.0) for term in told]
    words = [
        (term, max(own.get(at, 0.0), named[at]))
        for at, term in enumerate(told)
        if term.text not in lexicon().stop
    ]
    fit = _Fit(
        fold(intent),
        words,
        column,
        unsaid=_unsaid(name, told),
        is_written=not {part.text for part in name.terms}.isdisjoint(term.text for term in told),
        is_valued=any(sure > named[at] for at, sure in own.items()),
        has_pairs=any(one.distinct == BINARY_VALUES for one in columns if one is not column),
    )
    held = {told[at].text for found in values.values() for at in found}

    def is_known(word: Term) -> bool:
        return word.text in held or links(word)

    asked = [
        find(fit, is_known) for find in (_beside_things, _modifier, _whole_of, _which, _belonging)
    ]
    form = (_deed(fit), _kind(fit), _measure(fit), _denied(fit), _other_unit(fit))
    return next(filter(None, (*asked, *form)), "")


def _unsaid(name: Name, told: Sequence[Term]) -> list[str]:
    parts = [part for part in name.terms if part.weight >= _ASKED and part.text not in _UNITS]
    return [part.text for part in parts if all(alike(term, part) < _MEANT for term in told)]


def _beside_things(fit: _Fit, is_known: Callable[[Term], bool]) -> str:
    """Finds what is asked for where the column is only of whom it is asked: guests, books."""
    if not fit.meant or not all(is_thing(one.text) and one.weight <= _ASIDE for one in fit.meant):
        return ""
    named = any(sure == 1 for _, sure in fit.words)
    asked = [one.text for one in fit.unmeant if one.weight >= _ASKED and not is_known(one)]
    return asked[0] if asked and not named else ""


def _modifier(fit: _Fit, is_known: Callable[[Term], bool]) -> str:
    """Finds what kind of a thing is asked for, where the column is of another: `repair costs`."""
    found = _MODIFIED.search(fit.text)
    if found is None or is_thing(found["modifier"]) or _is_short_for(found["modifier"], fit.unsaid):
        return ""
    heads = [sure for term, sure in fit.words if term.text == found["head"]]
    is_near = bool(heads) and max(heads) >= _MEANT and (max(heads) < BOTH or bool(fit.unsaid))
    kinds = [one for one in fit.unmeant if one.text == found["modifier"]]
    is_kind = any(one.weight >= _ASKED and not is_known(one) for one in kinds)
    return found["modifier"] if is_near and is_kind else ""


def _is_short_for(word: str, parts: Sequence[str]) -> bool:
    """Whether a part of a name may be a word cut short: `dem` of `democratic`."""
    return any(word.startswith(part) or part.startswith(word) for part in parts)


def _whole_of(fit: _Fit, is_known: Callable[[Term], bool]) -> str:
    """Finds what of a thing is asked for, where the column is of the thing: `water of honey`."""
    found = _OF.search(fit.text)
    meant = {one.text for one in fit.meant}
    asked = found["asked"].split() if found else []
    if found is None or found["whole"] not in meant or not meant.isdisjoint(asked):
        return ""
    heads = [one.text for one in fit.unmeant if one.weight >= _ASKED and not is_known(one)]
    told = [one for one in asked if one in heads and not _is_plain(one)]
    return told[-1] if told else ""


def _is_plain(word: str) -> bool:
    return root(word) in _PLAIN_WHOLES or word.endswith("ing")


def _deed(fit: _Fit) -> str:
    """Finds what rows will do, where the column says neither yes nor no: `no seat left`."""
    is_of_deeds = fit.has_pairs and fit.column.distinct > BINARY_VALUES
    if not is_of_deeds or not asks_of_deeds(fit.text) or asked_kind(fit.text):
        return ""
    which = _WHICH.search(fit.text)
    is_asked = which is not None and which["asked"] in {one.text for one in fit.meant}
    if is_asked or fit.is_valued or any(_is_verb(one.text) for one in fit.meant):
        return ""
    done = [one.text for one in fit.unmeant if one.weight >= _ASIDE and _is_verb(one.text)]
    return done[0] if done else ""


def _is_verb(word: str) -> bool:
    is_light = root(word) in group("light verbs") | group("late verbs")
    is_strong = word in irregular() or word in irregular().values()
    return is_strong or word.endswith("ed") or is_light


def _which(fit: _Fit, is_known: Callable[[Term], bool]) -> str:
    """Finds what is asked for of a number, or of a yes or no: `which doctor treated them`."""
    found = _WHICH_ONE.search(fit.text)
    if found is None or tells_kinds(fit.column):
        return ""
    is_number = fit.column.distinct > BINARY_VALUES
    asked = [one for one in fit.unmeant if one.text == found["asked"] and not is_known(one)]
    return next((one.text for one in asked if is_number or one.weight >= _ASKED), "")


def _belonging(fit: _Fit, is_known: Callable[[Term], bool]) -> str:
    """Finds what belongs to somebody, where the column is of the like: a driver's licence."""
    found = _BELONGS.search(fit.text)
    asked = [one.text for one in fit.unmeant if not (is_thing(one.text) or is_known(one))]
    return found["asked"] if found and found["asked"] in asked else ""


def _kind(fit: _Fit) -> str:
    """Finds what is asked for of a column of yes or no: `what is a member training for`."""
    is_open = _OPEN.search(fit.text) is not None and fit.column.distinct == BINARY_VALUES
    return fit.meant[0].text if is_open and fit.meant and not fit.is_written else ""


def _measure(fit: _Fit) -> str:
    """Finds a size, a price or the like that is asked for of a column of kinds: `AREA`, a room."""
    is_of_kinds = fit.column.type == "string" and fit.is_loose and not asks_yes_or_no(fit.text)
    return fit.head if is_of_kinds and root(fit.head) in _MEASURES else ""


def _denied(fit: _Fit) -> str:
    """Finds what begins with a no, where the column is of the thing: `no-claims level`."""
    denied = re.search(rf"\bnon?-{re.escape(fit.head)}\b", fit.text) if fit.head else None
    is_called_so = _DENIALS.intersection(name_parts(fit.column.name))
    return denied.group() if denied and not is_called_so else ""


def _other_unit(fit: _Fit) -> str:
    """Finds money or a weight that is asked for of a column of times, of lengths or of shares."""
    asked, parts = asked_units(fit.text), name_parts(fit.column.name)
    told = _UNITS.get(parts[-1])
    is_amount = bool(asked) and asked <= _AMOUNTS and fit.is_loose
    if is_amount and told and told not in asked and not _RATES.intersection(parts):
        return next((one.text for one in fit.meant), "")
    return ""
