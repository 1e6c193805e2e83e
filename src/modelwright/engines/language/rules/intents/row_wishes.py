"""Words of an intent that tell of some rows only: `the price of flats in the centre`."""

import re
from collections.abc import Callable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from itertools import islice

from modelwright.engines.facts import ColumnFacts
from modelwright.engines.language.rules.columns.linking import BOTH, CONCEPT, Name, Term, alike
from modelwright.engines.language.rules.columns.name_terms import column_names
from modelwright.engines.language.rules.intents.answers import either_of
from modelwright.engines.language.rules.intents.unsupported import unsupported_wishes
from modelwright.engines.language.rules.text.lexicon import lexicon
from modelwright.engines.language.rules.text.roots import root
from modelwright.engines.language.rules.text.sentences import asking, limit
from modelwright.engines.language.rules.text.targets import identifies, meanings
from modelwright.engines.language.rules.text.words import Word, name_parts, squeezed, words

_MOST_CLASSES = 60
"""Different values of a column of kinds; with more it holds names or texts."""
_PAIR = 2
"""Words of a limit, and values of a column that says yes or no."""
_SHORTEST = 3
"""Letters of a word that stands for others of its root."""
_LONGEST_VALUE = 4
"""Words of a value that is looked for."""
_ASIDE = 0.3
"""What words of a name weigh that say little."""
_MOST_PLACES = 12
"""Places in a sentence where rows may be told of that are looked at."""
_OF_ROWS = re.compile(
    r" (?:of|for|among|amongst|in|within|from|on|at|by|during|with)"
    r" (?!(?:home|work|an?|each|every|any|one|this|that|my|our|your|his|her|its|their|all|whether"
    r"|which|what|how|who)\b)",
    re.IGNORECASE,
)
"""Where rows may be told of; a single one that is asked of is none of some."""
_OF_THE_ONE = re.compile(r"(?:of|for|with) the\b", re.IGNORECASE)
_SEVERAL = re.compile(r"\b[a-z]+(?<!s)s\b|\bonly\b|\bpeople\b|\b(?:wo)?men\b", re.IGNORECASE)
_SUCH = re.compile(
    r"\b(?P<rows>[a-z]+s|people|men|women|children|staff|those|ones)"
    r" (?P<such>who|that|which|whose|where|with|without|having|aged)\b(?P<told>.*)",
    re.IGNORECASE,
)
_OF_AGE = re.compile(
    r"^\w+ (?:[a-z]+s|people|men|women|children) (?:over|under|above|below|aged) \d\d$"
)
"""People over a number are so old: `patients over 80`."""
_FLAG_WORDS = frozenset({"is", "has", "was", "flag", "had"})
_TRIVIAL = frozenset(
    {
        "yes", "no", "true", "false", "other", "others", "unknown", "none", "nan", "not", "all",
        "new", "single", "one", "two", "three", "low", "high", "medium", "good", "bad", "first",
    }
)  # fmt: skip
"""Values that say nothing of what they are values of."""
_ROWS = frozenset({"case", "cases", "data", "entries", "entry", "record", "records", "row", "rows"})
"""What rows of any table are called: no value of one, though `rowing` or `news` has the root."""
Heads = Callable[[str], str | None]
"""Says which column what stands before some words asks for alone."""


def some_rows(intent: str, columns: Sequence[ColumnFacts], target_of: Heads) -> str:
    """Returns the words of an intent that tell of some rows only, empty where there are none.

    They stand behind what is asked for, and hold a value of another column (`flats in the centre`),
    its name behind `who` or `with` (`customers who churned`), a limit of it, or a column of yes or
    no before a noun (`diabetic patients`).
    """
    start, end = asking(intent)
    sentence = intent[start:end].rstrip(" .?!")
    for place in islice(_OF_ROWS.finditer(sentence), _MOST_PLACES):
        head, told = sentence[: place.start()], sentence[place.start() :].strip()
        is_one = _OF_THE_ONE.match(told) and not _SEVERAL.search(told)
        if is_one or _lists_inputs(told, columns):
            continue
        links = set(_links(told, columns))
        if links and (_is_either(head, told, links, columns) or _tells(target_of(head), links)):
            return told
    return ""


def _lists_inputs(told: str, columns: Sequence[ColumnFacts]) -> bool:
    """Returns whether columns are listed, not rows: `from size and district`."""
    said = [root(word.text) for word in words(told) if word.text not in lexicon().stop]
    called = {root(part) for one in columns for part in name_parts(one.name)}
    return told.casefold().startswith("from ") and bool(said) and said[0] in called


def _tells(target: str | None, links: AbstractSet[str]) -> bool:
    return target is not None and bool(links - {target})


def _is_either(
    head: str, told: str, links: AbstractSet[str], columns: Sequence[ColumnFacts]
) -> bool:
    """Returns whether two values follow what is asked for: `time by bus or train`."""
    asked = [word for word in words(head) if word.text not in lexicon().stop]
    pair = either_of(told, columns)
    if pair is None or pair[0].name not in links:
        return False
    return bool(asked) and len(words(pair[1])) <= _PAIR


def refusal_of_rows(told: str) -> str:
    """Refuses a model of some rows by the words that tell of them."""
    wish = next(one for one in unsupported_wishes() if one.kind == "rows")
    return f'{wish.sentence} The words that tell of some rows are "{told}".'


def _links(told: str, columns: Sequence[ColumnFacts]) -> Iterator[str]:
    """Yields the columns by which words tell rows apart."""
    found = words(told)
    yield from _by_values(found, columns)
    yield from _by_flags(found, columns)
    such = _SUCH.search(told)
    known = column_names(columns) if such or limit(told) else []
    if such:
        yield from _named(such["told"], columns, known, is_flag=such["such"].startswith("with"))
    if _OF_AGE.search(told):
        yield from (one.name for one in columns if "age" in name_parts(one.name))
    if limit(told):
        yield from _named(told, columns, known, is_flag=False)


def _by_values(found: Sequence[Word], columns: Sequence[ColumnFacts]) -> Iterator[str]:
    """Yields columns of which some values are said, and not all of them."""
    called = {root(part) for one in columns for part in name_parts(one.name)}
    said = {
        key
        for length in range(1, _LONGEST_VALUE + 1)
        for at in range(len(found) - length + 1)
        for key in _value_of(found[at : at + length], called)
    }
    for one in columns:
        if one.type == "string" and _PAIR <= one.distinct <= _MOST_CLASSES:
            values = [squeezed(str(value)) for value, _ in one.top]
            held = [value not in _TRIVIAL and bool({value, root(value)} & said) for value in values]
            if any(held) and not all(held):
                yield one.name


def _value_of(run: Sequence[Word], called: AbstractSet[str]) -> set[str]:
    """Returns what words are as a value; what a column is called by is none, but for a code."""
    joined = "".join(squeezed(word.raw) for word in run)
    if len(run) == 1 and run[0].raw.isupper():
        return {joined}
    is_name = len(run) == 1 and (root(run[0].text) in called or run[0].text in _TRIVIAL | _ROWS)
    return set() if is_name or joined.isdigit() or len(joined) < _SHORTEST else {root(joined)}


def _by_flags(found: Sequence[Word], columns: Sequence[ColumnFacts]) -> Iterator[str]:
    """Yields columns of yes or no whose name is before a noun, or what rows are: `holidays`."""
    for one in columns:
        if one.distinct != _PAIR or tells_kinds(one):
            continue
        parts = [root(part) for part in name_parts(one.name) if part not in _FLAG_WORDS]
        said = [root(word.text) for word in found]
        for at in range(len(said) - len(parts) + 1):
            if said[at : at + len(parts)] != parts:
                continue
            after = found[at + len(parts) : at + len(parts) + 1]
            noun = after[0] if after else found[at + len(parts) - 1]
            if noun.text.endswith("s") and noun.text not in lexicon().stop:
                yield one.name


def tells_kinds(one: ColumnFacts) -> bool:
    """Returns whether the values of a column are kinds, not yes and no."""
    values = {squeezed(str(value)) for value, _ in one.top}
    return one.type == "string" and not values & {"yes", "no", "y", "n", "true", "false", "0", "1"}


def _named(
    told: str, columns: Sequence[ColumnFacts], known: Sequence[Name], *, is_flag: bool
) -> Iterator[str]:
    found = words(told)
    for word, about in zip(found, meanings(found), strict=True):
        if word.text in lexicon().stop:
            continue
        term = Term(word.text, root(word.text), about.concepts, 1.0, about.weak, about.phrase)
        for one, name in zip(columns, known, strict=True):
            if identifies(one) or (is_flag and one.distinct != _PAIR):
                continue
            sure = max(
                (alike(term, part) for part in name.terms if part.weight > _ASIDE), default=0.0
            )
            if sure >= (BOTH if is_flag else CONCEPT):
                yield one.name
