"""Columns that an intent calls by their very names: as written, or word by word."""

import re
from collections.abc import Iterator, Sequence

from modelwright.engines.facts import ColumnFacts
from modelwright.engines.language.rules.columns.name_terms import column_names
from modelwright.engines.language.rules.intents.phrasing import input_spans
from modelwright.engines.language.rules.text.lexicon import lexicon
from modelwright.engines.language.rules.text.sentences import VERBS, asking
from modelwright.engines.language.rules.text.targets import group, identifies, is_thing, meanings
from modelwright.engines.language.rules.text.words import (
    SHORTEST,
    fold,
    name_parts,
    squeezed,
    words,
)

_SET_APART = re.compile(r"[(\"'`]([^()\"'`]+)[)\"'`]")
_VALUED = (
    r"(?:(?:predict|forecast|estimat|guess|comput|calculat|determin|anticipat)[a-z]*|infer|regress"
    r"|work out|figure out"
    r"|(?:target|label|outcome|goal|objective)(?: variable| column)?(?: is|:| =)"
    r"|(?:response|dependent|explained|target|outcome|label) (?:variable|column|field)(?: is|:| =)?"
    r"|response:?"
    r"|what(?:'s| is| are| was| will be| would be| will| would))"
)
_BETWEEN = (
    r"(?:(?:both|the|an?|its?|their|our|my|your|this|that|each|of|for|me|us|out|is|are|what|which|whether"
    r"|if|next|coming|future|column|field|variable|target|label|values?) ){0,5}[\"'`(]?$"
)
_OF_VALUE = re.compile(rf"\b{_VALUED} {_BETWEEN}")
_OF_ANY = re.compile(rf"\b(?:{VERBS}|which|what) {_BETWEEN}")
_AS_TARGET = re.compile(
    r"[\"'`)]?,? (?:(?:is|as|being|for) (?:the |our |my |a )?"
    r"(?:(?:target|response|dependent|outcome|label)(?: (?:variable|column|field))?|y)\b"
    r"|is (?:to be|what (?:is|has) to be) (?:predicted|modelled|modeled))"
)
"""What is said behind the name of a column to say that it is the target."""
_ROLE = re.compile(
    r"^(?:(?:target|response|outcome|label)? ?(?:variable|column|field)|target|label) "
)
_END = (
    r"[\"'`)]?(?: (?:columns?|field|variable|values?|class|category|label|be))?"
    r"(?:\W*$|[.,;:?!]\s"
)
_ENDS = re.compile(_END + r"| (?:from|using|based|given|as a function)\b)")
_GOES_ON = re.compile(
    _END + r"| (?:for|from|with|without|using|based|given|per|in|at|on|when|because|so|during"
    r"|before|after|today|tomorrow|next|now|please|together|jointly|simultaneously|at once"
    r"|and(?: then| also)? (?:explain|show|list|give|tell|say|why))\b)"
)
_OF = re.compile(r" of\b")
_OF_ONE = re.compile(r" (?:of|for) (?:an?|the|each|every|any|this|our|my|their|all) ")
_AND = re.compile(
    r"[\"'`)]?(?:,? (?:and|&|plus|as well as|or)|,) (?:also )?(?:(?:the|an?|its|their) )?[\"'`(]?"
)
_TWO_OF_A_KIND = re.compile(r"\b([a-z]+) (?:and|&) (?:the )?([a-z]+) ([a-z]+?)s?\b")
_ARTICLE = re.compile(r"\b(?:the|an?|each|every|this|our|my|their) $")
_ARTICLES = ("the ", "a ", "an ", "our ", "my ")
_MODELS = (
    " prediction", " forecast", " forecasting", " estimation", " classification", " classifier",
    " regression", " model", " predictor",
)  # fmt: skip
_UNIQUE_SHARE = 0.9
"""The share of rows with a text of its own from which on texts only tell rows apart."""
_EDGES = " \t\n.,;:!?\"'`"
Spot = tuple[int, int, ColumnFacts]
"""Where a text holds a column's name: its start and its end."""


def called_by_name(intent: str, columns: Sequence[ColumnFacts]) -> ColumnFacts | None:
    """Returns the column that is asked for by its name; of several the first, then the longest.

    A name counts where it is what a verb of predicting or a question is followed by, where it is
    all that is said, where it is set apart, and anywhere in the sentence that asks when no ordinary
    one holds it. What a verb of predicting is followed by comes before what is only mentioned.
    """
    set_apart = [_ROLE.sub("", fold(one).strip()) for one in _SET_APART.findall(intent)]
    apart = {squeezed(one) for one in [*set_apart, _all_that_is_said(intent)]}
    inputs, (begin, stop) = input_spans(intent), asking(intent)
    found = [
        (not predicted, start, start - end, number)
        for number, column in enumerate(columns)
        for start, end in places(column.name, intent)
        if not any(low <= start < high for low, high in inputs)
        and (
            (predicted := _predicted(column, intent, start, end))
            or (
                begin <= start < stop
                and not _tells_rows_apart(column)
                and _direct(intent, column.name, start, end)
            )
        )
    ]
    found += [
        (False, 0, -len(column.name), number)
        for number, column in enumerate(columns)
        if squeezed(column.name) in apart - {""}
    ]
    return columns[min(found)[3]] if found else None


def called_of(intent: str, columns: Sequence[ColumnFacts]) -> ColumnFacts | None:
    """Returns the one column whose name a verb is followed by, and `of` follows that."""
    found = [
        column
        for column in columns
        for start, end in places(column.name, intent)
        if _OF_VALUE.search(fold(intent)[:start]) and _OF.match(fold(intent), end)
    ]
    return found[0] if len(found) == 1 else None


def called_together(intent: str, columns: Sequence[ColumnFacts]) -> list[ColumnFacts]:
    """Returns the columns whose names one verb asks for at once, as said: `predict price and size`.

    Of names that begin alike the longest counts; where fewer than two are asked for, there is none.
    """
    text = fold(intent)
    if not _AND.search(text):
        return []
    if found := _two_of_a_kind(text, columns):
        return found
    spots = sorted(
        ((start, end, column) for column in columns for start, end in places(column.name, text)),
        key=lambda spot: (spot[0], -spot[1]),
    )
    inputs = input_spans(intent)
    for at, (start, _, _) in enumerate(spots):
        is_asked = _OF_VALUE.search(text[:start]) or not text[:start].strip(_EDGES)
        if is_asked and not any(low <= start < high for low, high in inputs):
            chain = _chain(text, spots[at:])
            goes_on = _GOES_ON.match(text, chain[-1][1]) or _OF_ONE.match(text, chain[-1][1])
            if len(chain) > 1 and goes_on:
                return [column for _, _, column in chain]
    return []


def _two_of_a_kind(text: str, columns: Sequence[ColumnFacts]) -> list[ColumnFacts]:
    """Returns two columns that share what their names end with: `midterm and final scores`."""
    named = {
        " ".join(part.text for part in name.terms): one
        for name, one in zip(column_names(columns), columns, strict=True)
    }
    for pair in _TWO_OF_A_KIND.finditer(text):
        first, second, kind = pair.groups()
        both = [named.get(f"{one} {kind}") for one in (first, second)]
        found = [one for one in both if one is not None]
        if len(found) == len(both) and _OF_VALUE.search(text[: pair.start()]):
            return found
    return []


def _chain(text: str, spots: Sequence[Spot]) -> list[Spot]:
    """Returns the first of some places of names and those that an `and` or a comma joins to it."""
    chain = [spots[0]]
    for spot in spots[1:]:
        if _AND.fullmatch(text, chain[-1][1], spot[0]):
            chain.append(spot)
    return chain


def places(name: str, text: str) -> Iterator[tuple[int, int]]:
    """Yields where a text holds a name, as written or word by word: its start and its end."""
    text = fold(text)
    for written in {fold(name), " ".join(name_parts(name))} - {""}:
        start = text.find(written)
        while start >= 0:
            end = start + len(written)
            if not (_in_word(text, start) or _in_word(text, end)):
                yield start, end
            start = text.find(written, end)


def _in_word(text: str, at: int) -> bool:
    around = text[max(0, at - 1) : at + 1]
    return len(around) > 1 and all(letter.isalnum() or letter == "_" for letter in around)


def _tells_rows_apart(column: ColumnFacts) -> bool:
    """Whether nearly each row has a text of its own: what the rows are called, and no answer."""
    return column.type == "string" and column.distinct > _UNIQUE_SHARE * column.rows


def _direct(intent: str, name: str, start: int, end: int) -> bool:
    """Whether a name is asked for where it stands, or could not stand there for anything else."""
    text = fold(intent)
    before = text[:start]
    if _peculiar(name, intent, start, end):
        return True
    if _unheard(text[start:end]) and not _ARTICLE.search(before):
        return True
    return bool(_ENDS.match(text, end) and _OF_ANY.search(before))


def _predicted(column: ColumnFacts, intent: str, start: int, end: int) -> bool:
    """Whether a name is what a verb of predicting is followed by; a key has to end there."""
    text = fold(intent)
    if _AS_TARGET.match(text, end):
        return True
    ends = _ENDS.match(text, end) or (not identifies(column) and _GOES_ON.match(text, end))
    return bool(ends and _OF_VALUE.search(text[:start]))


def _all_that_is_said(intent: str) -> str:
    """Returns an intent without an article and a word for a model around it."""
    text = fold(intent).strip(_EDGES)
    for article in _ARTICLES:
        text = text.removeprefix(article)
    for model in _MODELS:
        text = text.removesuffix(model)
    return text.strip(_EDGES)


def _peculiar(name: str, intent: str, start: int, end: int) -> bool:
    """Whether no ordinary sentence holds a name as it is written there."""
    written = intent[start:end]
    if "_" in name or "(" in name or (name[0].isalpha() and any(map(str.isdigit, name))):
        return fold(written) == fold(name)
    return written == name and any(map(str.isupper, name[1:])) and not intent.isupper()


def _unheard(text: str) -> bool:
    """Returns whether a folded text is one word of some letters, of which nothing is known."""
    if (
        len(text) < SHORTEST
        or not text.isalpha()
        or is_thing(text)
        or text in lexicon().stop | group("generic")
    ):
        return False
    read = words(text)
    known = any(about.concepts or about.fields for about in meanings(read))
    return not (known or read[0].stem in lexicon().qualifiers)
