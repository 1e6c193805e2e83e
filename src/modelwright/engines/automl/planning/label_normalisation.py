"""Classes that are written in different ways: in case or blanks, as yes or no, or not at all."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

import pyarrow as pa

from modelwright.engines.automl.planning.plan import BINARY_CLASSES
from modelwright.engines.facts import ColumnFacts, Value
from modelwright_runtime.missing_values import no_class
from modelwright_runtime.text_keys import folded, spelling_key

MAX_NAMED_WORDS = 3
"""Words that one sentence names; more would not make it clearer."""
Spellings = Mapping[str, str]
"""By a spelling, the commoner one that it is read as; an empty one where it is no class."""
MAX_SINGLETON_SHARE = 0.05
"""Classes of a single row are left out where they are no more of the rows than this."""
TRUTHS = {
    **dict.fromkeys(("yes", "y", "true", "t", "1", "1.0"), "yes"),
    **dict.fromkeys(("no", "n", "false", "f", "0", "0.0"), "no"),
    **dict.fromkeys(
        ("ja", "wahr", "oui", "vrai", "s\u00ed", "si", "s\u00ec", "verdadero", "vero", "sim",
         "verdadeiro", "waar", "tak", "ano", "\u0434\u0430"),
        "yes",
    ),
    **dict.fromkeys(
        ("nein", "falsch", "non", "faux", "falso", "n\u00e3o", "nee", "onwaar", "nie", "ne",
         "\u043d\u0435\u0442"),
        "no",
    ),
}  # fmt: skip
"""What says yes or no, in English and the languages around it."""
CODE_LENGTH = 2
"""Where classes are codes of so many characters, `NA` may be one of them."""


def spellings(target: ColumnFacts) -> dict[str, str]:
    """Finds the spellings of a class that are read as its commonest one.

    Args:
        target: What is known of the target.

    Returns:
        Other spellings with the commonest one, those that say nothing with an empty text.
    """
    values = [value for value, _ in target.top if isinstance(value, str)]
    gaps = _gaps(values)
    values = [value for value in values if value not in gaps]
    ys = TRUTHS.keys() >= set(map(folded, values))
    groups = _groups(values, (lambda value: TRUTHS[folded(value)]) if ys else spelling_key)
    return dict.fromkeys(gaps, "") | {one: first for first, *others in groups for one in others}


def _gaps(values: Sequence[str]) -> list[str]:
    """Finds the values that say that nothing is known, beside two classes or more."""
    kept = {value.strip() for value in values if not no_class(value)}
    codes = any(len(value) == CODE_LENGTH and value.isupper() for value in kept)
    kinds = {"-" if "+" in kept else "", "NA" if codes else ""}
    gaps = [value for value in values if no_class(value) and value.strip() not in kinds - {""}]
    return gaps if len(kept) >= 2 else []  # noqa: PLR2004 - to tell one class from another


def singles(target: ColumnFacts) -> dict[str, str]:
    """Finds the classes of a single row, beside two others or more; none where they are many.

    Args:
        target: What is known of the target.

    Returns:
        Classes with an empty text.
    """
    there, alone = target.rows - target.missing, [value for value, n in target.top if n == 1]
    others = target.distinct - len(alone)
    if (
        len(target.top) < target.distinct
        or others < BINARY_CLASSES
        or len(alone) > MAX_SINGLETON_SHARE * there
    ):
        return {}
    return {str(value): "" for value in alone}


def respelt(facts: ColumnFacts, known: Spellings) -> ColumnFacts:
    """Counts the spellings of one class together, and those that say nothing as missing.

    Args:
        facts: What is known of the target.
        known: Spellings with what each is read as, empty where its rows are left out.

    Returns:
        Facts of the classes as they are learnt.
    """
    counts: dict[Value, int] = {}
    for value, count in facts.top:
        name = known.get(str(value), value)
        counts[name] = counts.get(name, 0) + count
    missing = facts.missing + counts.pop("", 0) if "" in known.values() else facts.missing
    top = tuple(sorted(counts.items(), key=lambda one: -one[1]))
    return replace(facts, missing=missing, distinct=facts.distinct - len(known), top=top)


def rewritten(column: pa.ChunkedArray, known: Spellings) -> pa.ChunkedArray:
    """Returns a column of classes in their commonest spellings.

    Args:
        column: Classes, n rows.
        known: Spellings with what each is read as, empty where its rows are left out.

    Returns:
        Classes, n rows.
    """
    if not known:
        return column
    coded = column.combine_chunks().dictionary_encode()
    names = [_name(value, known) for value in coded.dictionary.to_pylist()]
    return pa.chunked_array([pa.array(names, column.type).take(coded.indices)])


def _name(value: Value, known: Spellings) -> Value | None:
    name = known.get(str(value), value)
    return None if name == "" else name


def left_alone(known: Spellings) -> list[str]:
    """Returns the classes that are left out as one row alone has them.

    Args:
        known: Spellings with what each is read as, empty where its rows are left out.

    Returns:
        Classes in alphabetical order.
    """
    return sorted(other for other, first in known.items() if not first and not no_class(other))


def told(target: ColumnFacts, known: Spellings) -> list[str]:
    """Returns which spellings are read as one class, and which are left as several.

    Args:
        target: What is known of the target.
        known: Spellings with what each is read as, empty where its rows are left out.

    Returns:
        Sentences.
    """
    said = []
    alone = left_alone(known)
    if alone:
        said.append(
            f"{target.name} has values that a single row has ({_listed([*map(repr, alone)])}): none"
            " can be learnt and checked, so these rows are left out. Mend them if they are slips,"
            " or upload more rows like them."
        )
    gone = (other for other, first in known.items() if not first and other not in alone)
    if gaps := sorted(map(repr, gone)):
        said.append(
            f"{target.name} has values that say that nothing is known ({_listed(gaps)}); their rows"
            " are not learnt from."
        )
    if pairs := [f"{other!r} as {first!r}" for other, first in sorted(known.items()) if first]:
        ys = TRUTHS.keys() >= {folded(first) for first in known.values() if first}
        how = "say yes or no in several ways" if ys else "differ in case or blanks alone"
        said.append(
            f"{target.name} has values that {how} and are read as one"
            f" class, called by its commonest spelling ({_listed(pairs)}). If they do not mean the"
            " same, write them in different words and upload the table again."
        )
    left = _groups([str(value) for value, _ in target.top if isinstance(value, str)], folded)
    if left:
        pairs = sorted(" and ".join(map(repr, sorted(group))) for group in left)
        said.append(
            f"{target.name} has short values that differ in case alone ({_listed(pairs)}) and are"
            " learnt as different classes. If they mean the same, write them alike and upload the"
            " table again."
        )
    return said


def _listed(names: Sequence[str]) -> str:
    more = len(names) - MAX_NAMED_WORDS
    return "; ".join(names[:MAX_NAMED_WORDS]) + (f"; and {more} more" if more > 0 else "")


def _groups(values: Sequence[str], key: Callable[[str], str]) -> list[list[str]]:
    """Returns values of which several have one key, in their order."""
    groups: dict[str, list[str]] = {}
    for value in values:
        groups.setdefault(key(value), []).append(value)
    return [group for group in groups.values() if len(group) > 1]
