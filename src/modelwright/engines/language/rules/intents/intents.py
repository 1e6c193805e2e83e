"""Which column an intent asks to predict, and by which kind of task; never a guess."""

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from functools import cache
from itertools import compress

from modelwright.engines.facts import ColumnFacts
from modelwright.engines.language.rules.columns.linking import RELATED, Name, Phrase, Term, alike
from modelwright.engines.language.rules.columns.name_terms import column_names, units_of
from modelwright.engines.language.rules.intents import spelled
from modelwright.engines.language.rules.intents.abbreviated import abbreviated, initialled
from modelwright.engines.language.rules.intents.answers import (
    PARTLY,
    answers,
    either_of,
    listed_of,
    stems_of_values,
)
from modelwright.engines.language.rules.intents.beside_target import (
    NOTHING_BESIDE,
    BesideTarget,
    beside_target,
)
from modelwright.engines.language.rules.intents.candidates import likeliest_first
from modelwright.engines.language.rules.intents.named_by import untold_by
from modelwright.engines.language.rules.intents.opposites import agreement
from modelwright.engines.language.rules.intents.periods import asks_of_rows, without_periods
from modelwright.engines.language.rules.intents.phrasing import (
    asked_kind,
    counted_by,
    target_phrase,
    without_denied,
    without_inputs,
)
from modelwright.engines.language.rules.intents.rates import is_rate_of_two
from modelwright.engines.language.rules.intents.row_wishes import refusal_of_rows, some_rows
from modelwright.engines.language.rules.intents.shapes import (
    asked_units,
    asks_which_rows,
    asks_who_leaves,
    fitness,
    is_remainder,
)
from modelwright.engines.language.rules.intents.tasks import ANSWERS, BINARY_VALUES, Task, task_of
from modelwright.engines.language.rules.intents.unsupported import (
    unsupported_wish,
    unsupported_wishes,
)
from modelwright.engines.language.rules.intents.untold import so_measured, untold
from modelwright.engines.language.rules.text.languages import is_english
from modelwright.engines.language.rules.text.lexicon import lexicon
from modelwright.engines.language.rules.text.roots import root, undone_word
from modelwright.engines.language.rules.text.sentences import (
    asking,
    clauses,
    in_sentences,
    limit,
    requests,
    without_lead,
)
from modelwright.engines.language.rules.text.targets import KEYS, foreign, identifies, meanings
from modelwright.engines.language.rules.text.words import Word, fold, name_parts, squeezed, words
from modelwright.engines.language.vocabulary import word_set

FORECAST = "forecast"
DERIVED = "derived"
THRESHOLD = 0.42
"""What a column must score to be meant, 0 to 1."""
MARGIN = 0.01
"""Columns that score so little less than the best are rivals."""
_LEAST = 0.5
"""The best word of the phrase must be meant by a column at least so surely."""
_ABSENT_WEIGHT = 0.6
"""What is left of the weight of a word that no column bears, though its meaning is known."""
_UNKNOWN_WEIGHT = 0.25
"""The same of a word whose meaning is not known."""
_STRANGE = 0.8
"""Taken off when the intent is about something the table holds no word of."""
_LONGEST_INITIALS = 4
"""In letters."""
_SHORTEST_REST = 5
"""In letters; what is a word of its own at the end of a part of a name has more."""
_MOST_NAMED = 5
"""How many columns a sentence lists."""
_MOST_ASKED = 3
"""How many parts of an intent are read as wishes of their own."""
_BY_NAME = "it is called by its name"
_IN_ENGLISH = " Intents are read in English, or by a column's name in any language."
_TOTAL = frozenset({root("total"), root("overall")})
_EACH = re.compile(r" (?:per|by|for (?:each|every)) ([^\W\d_]+)\b", re.IGNORECASE)
_UNIQUE_SHARE = 0.98
"""Which share of the rows must have a value of their own in what numbers them."""
_WHAT_KIND = re.compile(
    r"\b(?:what|which) (?:kind|type|sort|class|category) of (?P<thing>[a-z]+)\b"
)
_KINDS = frozenset(map(root, ("type", "kind", "class", "category", "group")))
"""How the names of columns end that tell of what kind something is."""
_SIZES = frozenset({"distance", "length", "weight", "speed", "heat"})
"""What is asked to be measured in one way only: money and times are told in many."""
_OTHER_KIND = -0.3
"""What a number loses that is not of the kind asked for."""
_HOLLOW = word_set("small_words.within_initials")


@dataclass(frozen=True, slots=True)
class Target:
    """The column to predict, the task, and why both."""

    column: str
    task: Task
    reason: str
    confidence: float
    beside: BesideTarget = NOTHING_BESIDE
    """What the intent says of the build beside the target."""


@dataclass(frozen=True, slots=True)
class Unclear:
    """No column fits, or several do: candidates, and a sentence saying what to write instead."""

    candidates: tuple[str, ...]
    sentence: str
    is_decided: bool = False
    """Whether it is known that no model can be built of it: another reader would only guess."""


def find_target(
    intent: str, columns: Sequence[ColumnFacts], given: Collection[str] = ()
) -> Target | Unclear:
    """Finds the column an intent means; without one clear column the answer is `Unclear`.

    Columns named as inputs ("from the age …", "based on …") are not the target.

    Args:
        intent: What a user wants to predict, in words.
        columns: What is known of the table's columns.
        given: Fields of the request that are given: what they say is not read from words.

    Returns:
        The target with what else is said of the build, or what is unclear or cannot be met.
    """
    if not columns:
        return Unclear((), "The table has no columns to predict.")
    intent = in_sentences(intent)
    beside = beside_target(intent, columns, given)
    plain = without_denied(beside.plain, [one.name for one in columns])
    together = spelled.called_together(plain, columns) or _asked_together(plain, columns)
    if together:
        return _several(together)
    found = _unmet(beside, columns, given)
    if found is None:
        inputs = {*beside.only, *beside.without}
        kept = [one for one in columns if one.name not in inputs] or columns
        found = _of_all_rows(plain, kept, columns)
        if isinstance(found, Unclear) and not found.is_decided and len(kept) < len(columns):
            found = _of_all_rows(plain, columns, columns)
    return replace(found, beside=beside) if isinstance(found, Target) else found


def _unmet(
    beside: BesideTarget, columns: Sequence[ColumnFacts], given: Collection[str]
) -> Target | Unclear | None:
    """Refuses what no model can meet; a time of rows that are asked for alone is no such wish."""
    intent, names = beside.unjudged, [one.name for one in columns]
    unsupported = unsupported_wish(intent, names, given)
    if unsupported is not None and unsupported.kind == DERIVED:
        unsupported = unsupported_wish(_without_own_rows(intent, columns), names, given)
    if unsupported is None and is_rate_of_two(intent, columns):
        unsupported = next(one for one in unsupported_wishes() if one.kind == DERIVED)
    if unsupported is None:
        return Unclear((), beside.refusal, is_decided=True) if beside.refusal else None
    refused = _unsupported(unsupported.sentence, intent, columns)
    is_forecast = unsupported.kind == FORECAST
    return (_of_each_row(intent, columns) if is_forecast else None) or refused


def _of_all_rows(
    intent: str, kept: Sequence[ColumnFacts], columns: Sequence[ColumnFacts]
) -> Target | Unclear:
    """Finds the target among the columns kept for it; refuses to predict it for some rows only."""
    found = _meant(intent, kept)
    if isinstance(found, Unclear):
        return found
    listed = listed_of(intent, columns)
    if listed and listed[0].name == found.column:
        intent = listed[1]
    told = some_rows(intent, columns, lambda head: _column_of(_meant(head, columns)))
    return Unclear((found.column,), refusal_of_rows(told), is_decided=True) if told else found


def _column_of(found: Target | Unclear) -> str | None:
    return found.column if isinstance(found, Target) else None


def _meant(intent: str, columns: Sequence[ColumnFacts]) -> Target | Unclear:
    called = spelled.called_by_name(intent, columns)
    if called is not None:
        return _target(called, intent, 1.0, _BY_NAME)
    if held := _of_listed_values(intent[slice(*asking(intent))], columns):
        return _target(held, intent, 1.0, "its values are what is to choose from")
    alone = _alone(intent)
    found = _find_one(alone, columns)
    return found if isinstance(found, Target) or alone == intent else _find_one(intent, columns)


def _of_each_row(intent: str, columns: Sequence[ColumnFacts]) -> Target | None:
    """Reads an intent that only a time makes a forecast, where it asks something of each row."""
    plain = without_periods(intent)
    if plain == intent or unsupported_wish(plain, [one.name for one in columns]) is not None:
        return None
    found = find_target(plain, columns)
    if not isinstance(found, Target) or not asks_of_rows(intent, found.task):
        return None
    unread = " The time is not read: rows are answered, whenever they are."
    return replace(found, reason=found.reason + unread)


def _without_own_rows(intent: str, columns: Sequence[ColumnFacts]) -> str:
    """Takes `per order` away where each row is an order, as its key tells: nothing is added up."""
    keys = [one for one in columns if one.distinct >= _UNIQUE_SHARE * one.rows]
    things = _things(column_names(keys), keys)
    return _EACH.sub(lambda found: "" if root(fold(found[1])) in things else found.group(), intent)


def _unsupported(sentence: str, intent: str, columns: Sequence[ColumnFacts]) -> Unclear:
    """Refuses a wish by its name, and says which columns could be predicted."""
    known = column_names(columns)
    ranked = likeliest_first(intent, _read(intent, columns, known)[0], columns, known)
    listed = [one.name for one in ranked[:_MOST_NAMED]]
    more = f" Columns that could be predicted are {_listed(listed)}." if listed else ""
    return Unclear(tuple(listed), sentence + more, is_decided=True)


def _alone(intent: str) -> str:
    """Returns the sentence that asks, without the inputs it names and what leads to it."""
    return without_lead(without_inputs(intent[slice(*asking(intent))]))


def _asked_together(intent: str, columns: Sequence[ColumnFacts]) -> list[ColumnFacts]:
    """Returns the columns that questions joined by `and` ask for, where there are two of them."""
    parts = [part for one in requests(intent) for part in clauses(_alone(one))]
    asked = [_find_one(part, columns) for part in parts[:_MOST_ASKED]] if len(parts) > 1 else []
    meant = {one.column for one in asked if isinstance(one, Target)}
    return [one for one in columns if one.name in meant] if len(meant) > 1 else []


def _find_one(intent: str, columns: Sequence[ColumnFacts]) -> Target | Unclear:
    known = column_names(columns)
    if called := spelled.called_by_name(intent, columns) or _kind_of(intent, columns, known):
        return _target(called, intent, 1.0, _BY_NAME)
    if held := _of_two_values(intent, columns, known):
        return _target(held, intent, 1.0, "two of its values are asked for")
    if not is_english(intent) and not _names_any(intent, columns):
        said, _ = _read(intent, columns, known)
        return _no_fit(intent, likeliest_first(intent, said, columns, known), _IN_ENGLISH)
    return _named_by_words(intent, columns, known)


def _named_by_words(
    intent: str, columns: Sequence[ColumnFacts], known: Sequence[Name]
) -> Target | Unclear:
    """Finds the one column that the words of an intent fit best, and that tells what is asked."""
    said, valued = _read(intent, columns, known)
    strange = _strangeness(intent, columns, known)
    scores = [score - strange for score in _scores(intent, said, valued, columns, known)]
    best = max(scores)
    ranked = likeliest_first(intent, said, columns, known)
    if best < THRESHOLD:
        meant = _meant_without_names(intent, said, columns, is_strange=bool(strange))
        return meant or _no_fit(intent, ranked)
    near = [score > best - MARGIN for score in scores]
    rivals = _written(list(compress(columns, near)), intent)
    rivals += _measured_otherwise(intent, rivals, columns)
    if len(rivals) > 1:
        return _tie([one for one in ranked if one in rivals])
    (column,) = rivals
    if untold := untold_by(intent, *_told(intent, columns, known), column, columns):
        near_first = [column, *(one for one in ranked if one is not column)]
        return _no_fit(intent, near_first, f' {column.name} is near, and tells no "{untold}".')
    return _target(column, intent, min(1.0, best), f'"{_quoted(said.terms)}" names it')


def _meant_without_names(
    intent: str, said: Phrase, columns: Sequence[ColumnFacts], *, is_strange: bool
) -> Target | None:
    """Finds what is meant where no words name a column: by a short name, by the form alone."""
    called = None if is_strange else spelled.called_of(intent, columns)
    if short := called or abbreviated(intent, columns) or initialled(intent, columns):
        return _target(short, intent, 0.5, _BY_NAME)
    meant = None if is_strange else untold(intent, said.terms, columns)
    why = "nothing else is named, and targets stand there"
    return _target(meant, intent, 0.5, why) if meant is not None else None


def _measured_otherwise(
    intent: str, found: Sequence[ColumnFacts], columns: Sequence[ColumnFacts]
) -> list[ColumnFacts]:
    """Returns the only column that is measured as is asked, where none that was found is.

    `How far the light reaches` is no number of visitors where a range is told.
    """
    asked = asked_units(fold(intent)) & _SIZES
    if any(units_of(name) & asked for name in column_names(found)):
        return []
    measured = so_measured(asked, columns)
    return [] if measured is None else [measured]


def _of_listed_values(intent: str, columns: Sequence[ColumnFacts]) -> ColumnFacts | None:
    """Returns the column whose values are listed as answers, where no other is called."""
    found = listed_of(intent, columns)
    if found is None:
        return None
    (column, rest), known = found, column_names(columns)
    said, valued = _read(rest, columns, known)
    if not said.terms:
        return column
    spoken = {root(word.text) for word in words(rest)}
    called = [any(root(part) in spoken for part in name_parts(one.name)) for one in columns]
    scores = _scores(rest, said, valued, columns, known)
    likely = [score >= THRESHOLD for score in scores]
    others = [one for one, *both in zip(columns, called, likely, strict=True) if all(both)]
    return column if not others or column in others else None


def _of_two_values(
    intent: str, columns: Sequence[ColumnFacts], known: Sequence[Name]
) -> ColumnFacts | None:
    """Returns the column of two values, `red or white`, where no other is asked for: no price."""
    found = either_of(intent, columns)
    if found is None:
        return None
    column, rest = found
    said, valued = _read(rest, columns, known)
    if not said.terms:
        return column
    scores = _scores(rest, said, valued, columns, known)
    best = max(scores)
    is_asked = best - _strangeness(rest, columns, known) >= THRESHOLD
    return None if is_asked and columns[scores.index(best)] is not column else column


def _kind_of(
    intent: str, columns: Sequence[ColumnFacts], known: Sequence[Name]
) -> ColumnFacts | None:
    """Returns the one column `Applicant Type` where is asked what kind of applicant it is."""
    asked = _WHAT_KIND.search(fold(intent))
    if asked is None:
        return None
    thing = root(asked["thing"])
    found = [
        column
        for column, name in zip(columns, known, strict=True)
        if len(name.terms) > 1 and name.terms[-1].stem in _KINDS and name.terms[-2].stem == thing
    ]
    return found[0] if len(found) == 1 else None


def _strangeness(intent: str, columns: Sequence[ColumnFacts], known: Sequence[Name]) -> float:
    held = frozenset(term.stem for name in known for term in name.terms)
    return _STRANGE * foreign(fold(intent), held | stems_of_values(columns))


def _scores(
    intent: str,
    said: Phrase,
    valued: Sequence[dict[int, float]],
    columns: Sequence[ColumnFacts],
    known: Sequence[Name],
) -> list[float]:
    return [
        _score(intent, said, name, column, by_value)
        for name, column, by_value in zip(known, columns, valued, strict=True)
    ]


def _read(
    intent: str, columns: Sequence[ColumnFacts], known: Sequence[Name]
) -> tuple[Phrase, list[dict[int, float]]]:
    """Returns the phrase that names the target, and which words of it are values of each column."""
    told, links = _told(intent, columns, known)
    valued = [answers(told, column) for column in columns]
    return Phrase(_weighed(told, links, {at for found in valued for at in found})), valued


def _told(
    intent: str, columns: Sequence[ColumnFacts], known: Sequence[Name]
) -> tuple[list[Term], Callable[[Term], bool]]:
    """Returns the words that may name the target, and what says whether one means any column."""
    parts = {part for name in known for part in name.terms}
    links = cache(lambda word: any(alike(word, part) >= RELATED for part in parts))
    told = target_phrase(intent, _things(known, columns), links)
    told = [_turned_round(word, parts, links) for word in told]
    return _written_as_one(told, intent, known), links


def _turned_round(word: Term, parts: AbstractSet[Term], links: Callable[[Term], bool]) -> Term:
    """Reads `unfilled` as the name that it denies, where none is called so itself: `filled`."""
    bare = root(undone_word(word.text))
    is_name = bool(bare) and any(bare == part.stem for part in parts)
    return (
        replace(word, text=undone_word(word.text), stem=bare)
        if is_name and not links(word)
        else word
    )


def _written(rivals: list[ColumnFacts], intent: str) -> list[ColumnFacts]:
    """Of columns that fit alike, those remain whose names hold most of what is written or meant.

    A number in a name is for who writes it. Asked which rows, yes or no comes before more classes.
    Of parts and their total the total is meant.
    """
    if len(rivals) == 1:
        return rivals
    found = words(intent)
    said = {root(word.text) for word in found}
    meant = {squeezed(concept) for about in meanings(found) for concept in about.concepts}
    parts = [{root(part) for part in name_parts(one.name)} for one in rivals]
    held = [
        (
            len(own & said),
            own <= said,
            all(part in said for part in own if part.isdigit()),
            squeezed(one.name) in meant,
            squeezed(one.name) in asked_units(fold(intent)),
            asks_which_rows(fold(intent)) and one.distinct == BINARY_VALUES,
            bool(own & _TOTAL),
        )
        for one, own in zip(rivals, parts, strict=True)
    ]
    return [one for one, count in zip(rivals, held, strict=True) if count == max(held)]


def _target(column: ColumnFacts, intent: str, confidence: float, why: str) -> Target:
    task = task_of(column, intent)
    reason = f"{column.name} is what to predict: {why}; the answer is {ANSWERS[task]}."
    unread = (
        limit(intent)
        if column.type in {"integer", "float"} and column.distinct > BINARY_VALUES
        else ""
    )
    if unread:
        reason += f' "{unread}" is not read: all rows count, and {column.name} itself is predicted.'
    return Target(column.name, task, reason, round(confidence, 3))


def _score(
    intent: str, said: Phrase, name: Name, column: ColumnFacts, by_value: dict[int, float]
) -> float:
    named, explained = said.coverage(name)
    if by_value:
        mass = sum(word.weight for word in said.terms)
        told = sum(word.weight * by_value.get(at, 0.0) for at, word in enumerate(said.terms))
        explained = min(1.0, explained + told / mass)
        named = max(named, _named_by(by_value))
    elif said.surest(name) < _LEAST:
        return 0.0
    unlikely = 0.5 if identifies(column) else 0.0
    suits = fitness(fold(intent), column, units_of(name), told=_sure(by_value) > 0)
    suits += agreement(intent, name) + _of_kind(intent, said, name, column)
    suits += _is_counted_by(intent, said, name)
    if is_remainder(column) and asks_who_leaves(fold(intent)):
        return 0.0
    return 0.45 * named + 0.55 * explained + suits - unlikely


def _of_kind(intent: str, said: Phrase, name: Name, column: ColumnFacts) -> float:
    """Takes off where a kind is asked for that a number is none of: `which meal will it take`."""
    kinds = asked_kind(intent)
    asked = [word for word in said.terms if word.stem in kinds]
    is_number = column.type in {"integer", "float"} and column.distinct > BINARY_VALUES
    is_held = any(alike(word, part) >= RELATED for word in asked for part in name.terms)
    return _OTHER_KIND if asked and is_number and not is_held else 0.0


def _is_counted_by(intent: str, said: Phrase, name: Name) -> float:
    """Takes off where only the words by which is counted mean a column: no hour in `per hour`."""
    units = counted_by(intent)
    others = [word for word in said.terms if word.text not in units]
    if len(others) == len(said.terms):
        return 0.0
    is_meant = any(alike(word, part) >= RELATED for word in others for part in name.terms)
    return 0.0 if is_meant else _OTHER_KIND


def _sure(by_value: Mapping[int, float]) -> int:
    return sum(sure >= PARTLY for sure in by_value.values())


def _named_by(by_value: Mapping[int, float]) -> float:
    return 0.95 if _sure(by_value) > 1 else 0.75 * max(by_value.values())


def _weighed(
    said: Sequence[Term], links: Callable[[Term], bool], valued: AbstractSet[int]
) -> list[Term]:
    """Words that mean no column weigh less; those of a known outcome weigh more of them."""
    linked = [at in valued or links(word) for at, word in enumerate(said)]
    return [
        word
        if linked[at]
        else replace(
            word, weight=word.weight * (_ABSENT_WEIGHT if word.concepts else _UNKNOWN_WEIGHT)
        )
        for at, word in enumerate(said)
    ]


def _things(known: Sequence[Name], columns: Sequence[ColumnFacts]) -> frozenset[str]:
    """What the rows are, as told by the identifiers: `ticket_id` makes them tickets."""
    keys = [name for name, column in zip(known, columns, strict=True) if identifies(column)]
    return frozenset(term.stem for name in keys for term in (name.terms[:-1] or name.terms))


def _written_as_one(said: Sequence[Term], intent: str, known: Sequence[Name]) -> list[Term]:
    """Joins words that a name writes as one, and words whose initials a name is: `nps`."""
    found = _joined_as_named(said, known)
    called = {part.text for name in known for part in name.terms} - KEYS
    spoken = words(intent)
    for length in range(2, _LONGEST_INITIALS + 1):
        for start in range(len(spoken) - length + 1):
            run = spoken[start : start + length]
            texts = {word.text for word in run}
            short = _initials(run)
            if short in called - texts:
                found = [
                    replace(term, stem=short) if term.text in texts and term.weight > 0 else term
                    for term in found
                ]
    return found


def _initials(run: Sequence[Word]) -> str | None:
    """Returns what initials spell; None where the last word is hollow, or two spell a small one."""
    short = "".join(word.text[0] for word in run)
    is_word = short in lexicon().stop
    return None if run[-1].text in _HOLLOW or len(run) <= 1 + is_word else short


def _joined_as_named(said: Sequence[Term], known: Sequence[Name]) -> list[Term]:
    """Joins neighbours that a name writes as one word, or that one ends with."""
    parts = {part.stem for name in known for part in name.terms}
    ends = {
        part[cut:]: part for part in sorted(parts) for cut in range(1, len(part) - _SHORTEST_REST)
    }
    found = list(said)
    for at in range(len(found) - 1):
        joined = found[at].stem + found[at + 1].text
        whole = root(joined) if root(joined) in parts else ends.get(joined)
        if whole is not None:
            found[at : at + 2] = [
                replace(found[at], stem=whole),
                replace(found[at + 1], stem=whole),
            ]
    return found


def _quoted(said: Sequence[Term]) -> str:
    return " ".join(word.text for word in said if word.weight >= 0.25)  # noqa: PLR2004


def _several(asked: Sequence[ColumnFacts]) -> Unclear:
    listed = [one.name for one in asked[:_MOST_NAMED]]
    said = listed if len(asked) == len(listed) else [*listed, "others"]
    return Unclear(
        tuple(listed),
        f"A model predicts one column, and the intent asks for {_listed(said, 'and')}. Ask for"
        f' one of them, for example "Predict {listed[0]}", and build a model for each other one.',
        is_decided=True,
    )


def _tie(rivals: Sequence[ColumnFacts]) -> Unclear:
    listed = [one.name for one in rivals[:_MOST_NAMED]]
    return Unclear(
        tuple(listed),
        f"The intent fits {_listed(listed)} equally well. Name the column, {_for_example(listed)}.",
    )


def _names_any(intent: str, columns: Sequence[ColumnFacts]) -> bool:
    return any(next(spelled.places(one.name, intent), None) for one in columns)


def _no_fit(intent: str, columns: Sequence[ColumnFacts], why: str = "") -> Unclear:
    listed = [one.name for one in columns[:_MOST_NAMED]]
    short = " ".join(intent.split())[:80]
    return Unclear(
        tuple(listed),
        f'No column of the table fits "{short}".{why} Columns that could be predicted are'
        f" {_listed(listed)}; name one, {_for_example(listed)}.",
    )


def _for_example(listed: Sequence[str]) -> str:
    return f'for example "Predict {listed[0]}", or give it as `target`'


def _listed(names: Sequence[str], joint: str = "or") -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} {joint} {names[-1]}"
