"""Finds what columns mean: their roles, units and labels, and whether amounts add up."""

import re
from collections import Counter
from collections.abc import Sequence

from modelwright.engines.facts import KEYLIKE, ColumnFacts
from modelwright.engines.language.catalog.meaning import PERCENT, Additivity, CatalogColumn, Role
from modelwright.engines.language.rules.columns.row_numbers import numbers_rows, numbers_things
from modelwright.engines.language.rules.columns.value_shapes import kind_of, shape_of, yes_no
from modelwright.engines.language.rules.text.lexicon import spelled_out
from modelwright.engines.language.rules.text.words import name_parts, squeezed
from modelwright.engines.language.temporal.calendar import FIRST_YEAR, LAST_YEAR
from modelwright.engines.language.vocabulary import word_set, word_values
from modelwright.engines.language.written_dates import COMPACT, SEPARATOR

MAX_FLAG_VALUES = 2
"""Values of a column that says yes or no."""
UNKNOWN = word_set("values.of_any_column") - word_set("values.yes", "values.no")
"""Values of a column of yes and no that say neither."""
AVERAGED = word_set("catalog.averaged")
NOT_AGGREGATED = word_set("catalog.not_aggregated")
SUMMED = word_set("catalog.summed")
CODED = word_set("catalog.coded")
OF_YEARS = word_set("catalog.of_years")
PRIVATE = word_set("catalog.private")
UNITS: dict[str, str] = word_values("catalog.units")
NUMBERED = word_set("names.numbered")
"""Last parts of names of numbers that tell something apart: `street_no`."""
NOT_LETTERS = re.compile(r"\W+|_+")


def column_of(
    facts: ColumnFacts, alias: str, pointing: set[str], key: str | None, sql_type: str, written: str
) -> CatalogColumn:
    """Tells what a column means, and for each thing by what it was told."""
    role, reason = _role(facts, pointing, key)
    words = words_of(facts.name) | ({PERCENT} if PERCENT in facts.name else set())
    additivity, why = _additivity(facts, words, written) if role is Role.MEASURE else (None, "")
    told = _unit_in(facts.name)
    why_unit = f"its name says {told}" if told else ""
    if written:
        why_unit = f"its file writes {written} with every number"
    yearly = role is Role.DATE and facts.type != "date"
    private = min(words & PRIVATE, default="") if facts.type == "string" else ""
    reasons = {
        "label": "it is called so",
        "role": reason,
        "additivity": why,
        "unit": why_unit,
        "format": "it holds years" if yearly else _why_format(facts),
        "private": f"texts called {private} are of persons" if private else "",
    }
    return CatalogColumn(
        facts.name,
        alias,
        " ".join(spelled_out(facts.name)),
        role,
        sql_type,
        additivity,
        written or UNITS.get(told, ""),
        "year" if yearly else SEPARATOR.join(facts.written),
        private=bool(private),
        reasons={name: one for name, one in reasons.items() if one},
    )


def _why_format(facts: ColumnFacts) -> str:
    """Says why a column is stored as text though it holds dates."""
    if not facts.written:
        return ""
    return (
        "it holds " + ("whole numbers" if COMPACT in facts.written else "texts") + " that are dates"
    )


def _role(facts: ColumnFacts, pointing: set[str], key: str | None) -> tuple[Role, str]:
    """Decides what a column is for, and says why."""
    reasons = {
        (Role.ID, "its values name the rows"): facts.name == key,
        (Role.ID, "its values name rows of another table"): facts.name in pointing,
        (Role.DATE, "it holds dates"): facts.type == "date",
        (Role.FLAG, "it says yes or no"): facts.type == "boolean",
        (Role.FLAG, "its two values say yes or no"): _is_flag(facts),
        (Role.ID, "it is called as identifiers are and hardly repeats"): (
            bool(KEYLIKE.search(facts.name)) and 2 * facts.distinct > facts.rows
        ),
        (Role.ID, "its numbers count the rows"): numbers_rows(facts),
        (Role.DIMENSION, "it holds text"): facts.type == "string",
    }
    found = next((reason for reason, holds in reasons.items() if holds), None)
    return found or _role_of_numbers(facts)


def _role_of_numbers(facts: ColumnFacts) -> tuple[Role, str]:
    words = words_of(facts.name)
    if facts.type == "integer" and words & OF_YEARS and _are_years(facts):
        return Role.DATE, "it holds years"
    if KEYLIKE.search(facts.name):
        return Role.ID, "it is called as identifiers are"
    _, *last = name_parts(facts.name)[-2:]
    numbers = bool(NUMBERED & {*last})
    numbers = numbers or numbers_things(facts.name)
    if facts.type == "integer" and (words & CODED or numbers):
        return Role.DIMENSION, "its numbers are codes by its name"
    return Role.MEASURE, "it holds numbers"


def _unit_in(name: str) -> str:
    """Returns the unit that a name tells, not that of a period: `Visits Last 30 Days`."""
    signs = [sign for sign in UNITS if not sign.isalnum() and sign in name]
    parts = [*map(str.casefold, spelled_out(name))]
    told = [one for at, one in enumerate(parts) if one in UNITS and not parts[at - 1].isdigit()]
    return next(iter([*signs, *told]), "")


def _is_flag(facts: ColumnFacts) -> bool:
    """Whether a column says yes or no, and of some rows at most that it is not known."""
    unknown = {
        value
        for value, _ in facts.top
        if squeezed(str(value)) in UNKNOWN or str(value).casefold().startswith("not ")
    }
    kinds = {kind_of(value) for value, _ in facts.top if value not in unknown}
    spelled = facts.distinct - len(facts.top) + len(kinds)
    return spelled <= MAX_FLAG_VALUES and None not in yes_no(facts)


def _are_years(facts: ColumnFacts) -> bool:
    low, high = facts.minimum, facts.maximum
    if isinstance(low, int) and isinstance(high, int):
        return FIRST_YEAR <= low <= high <= LAST_YEAR
    return shape_of(facts) == "year"


def _additivity(facts: ColumnFacts, words: set[str], written: str) -> tuple[Additivity, str]:
    if words & NOT_AGGREGATED:
        return Additivity.NEITHER, "its name is that of a place or a code"
    if PERCENT in {written, *words}:
        return Additivity.AVERAGE, "percentages do not add up"
    averaged, summed = words & AVERAGED, words & SUMMED
    if averaged and not summed:
        return Additivity.AVERAGE, f"amounts called {min(averaged)} do not add up"
    if {"unit", "per"} & words and not {"units"} & words:
        return Additivity.AVERAGE, "it is told for one unit"
    low = facts.minimum
    if isinstance(low, int | float) and low < 0 and not summed:
        return Additivity.SUM, "it holds amounts, some below nothing"
    return Additivity.SUM, "it holds amounts"


def words_of(name: str) -> set[str]:
    """Returns the words of a name, spelled out and as they are written."""
    return set(spelled_out(name)) | set(name_parts(name))


def unique_aliases(names: Sequence[str]) -> list[str]:
    """Writes names in snake_case, each another."""
    seen: Counter[str] = Counter()
    found = []
    for name in names:
        alias = "_".join(NOT_LETTERS.split("_".join(name_parts(name)))).strip("_") or "column"
        alias = f"c_{alias}" if alias[0].isdigit() else alias
        seen[alias] += 1
        while seen[alias] > 1:
            alias = f"{alias}_{seen[alias]}"
            seen[alias] += 1
        found.append(alias)
    return found
