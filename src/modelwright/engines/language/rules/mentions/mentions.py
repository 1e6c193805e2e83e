"""Where a question speaks of columns, values and tables."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from modelwright.engines.language.rules.columns.index import Column, Held, Index
from modelwright.engines.language.rules.columns.linking import CONCEPT, Term
from modelwright.engines.language.rules.columns.name_matches import meant
from modelwright.engines.language.rules.columns.named_tables import named_tables, written_as
from modelwright.engines.language.rules.columns.values import PARTING, ValueLink, read_values
from modelwright.engines.language.rules.mentions.competing_names import (
    PREVAILING,
    is_outnamed,
    of_entity,
    of_rows,
)
from modelwright.engines.language.rules.mentions.mention import WHOLLY_NAMED, Mention, Mentions
from modelwright.engines.language.rules.text.lexicon import concepts_at, lexicon
from modelwright.engines.language.rules.text.stopping import Stopped, TooLong, heeding, never
from modelwright.engines.language.rules.text.words import Word, words
from modelwright.engines.language.vocabulary import word_set

_LEAST = 0.34
"""How good a mention is at least that is kept."""
_STOP_WEIGHT = 0.12
"""What a word weighs that says little, beside 1 of another."""
_MOST_BETWEEN = 2
"""So many such words may part the words of a name."""
_KEYS = frozenset({"id", "ids", "identifi"})
_NAMES = frozenset({"name"})
_VERBAL = 0.85
"""What a date's name is worth by a word that names a number too."""
_ROLE = 0.7
"""How much `id` and `name` say of the name of a key or a naming column."""
_KIND = 0.45
"""How much the table's own word says of what its rows are called."""
_OWN = 0.85
"""What a name is worth of which a part names the table."""
_EACH = frozenset({"each", "every"})
_BEING = word_set("small_words.being")
_KINDS = word_set("names.labels")
_CONTENT = word_set("names.content")
_SHARED_HEAD = 3
"""So many words after `first` stands the head of `first and last name`."""
_TYING = frozenset({"of", "for"})
_LONGEST_WRITTEN = 8
"""Names of more words are not looked for as they are written."""
_BREAK = re.compile(r"[,;.](?!\d)")
_DASH = re.compile(r"\s[-\N{EN DASH}\N{EM DASH}]\s")
_ANY_BREAK = re.compile(rf"{_BREAK.pattern}|{_DASH.pattern}")
"""The same where no column's name has a dash."""


@dataclass(slots=True)
class Question:
    """The words of a question with what they may mean."""

    text: str
    words: list[Word]
    terms: list[Term]
    mentions: Mentions
    values: list[ValueLink]
    tables: dict[str, list[int]]
    """Table name -> the words that speak of it."""
    stopped: Stopped = never

    @property
    def table_words(self) -> set[int]:
        """The words that speak of tables."""
        return {at for places in self.tables.values() for at in places}

    def is_value(self, at: int) -> bool:
        """Whether a word is a value, or a part of one."""
        return any(link.start <= at < link.end for link in self.values)

    def values_of(self, start: int, end: int) -> list[Held]:
        """The values that a run of words is, to the letter and as a whole."""
        whole = (link for link in self.values if link.exact)
        return [
            one for link in whole if (link.start, link.end) == (start, end) for one in link.held
        ]

    def go_on(self) -> None:
        """Goes on, unless the reading is to stop: then `TooLong`."""
        if self.stopped():
            raise TooLong

    def at(self, offset: int) -> int:
        """The first word that begins at or after a place in the text."""
        self.go_on()
        return next((i for i, w in enumerate(self.words) if w.start >= offset), len(self.words))


def read_words(text: str, index: Index, stopped: Stopped = never) -> Question:
    """Links every run of words to what it may mean; nothing is decided yet."""
    found = words(text)
    known = lexicon()
    concepts = concepts_at([word.stem for word in found], known.of_words)
    terms = [
        Term(word.text, word.stem, about, _weight(word, index))
        for word, (about, _) in zip(found, concepts, strict=True)
    ]
    values = read_values(text, found, index)
    tables = named_tables(terms, index)
    held = any(_DASH.search(one.facts.name) for one in index.columns)
    mentions = _mentions(
        terms, index, _breaks(text, found, _BREAK if held else _ANY_BREAK), stopped
    )
    mentions = [one for one in mentions if not of_entity(one, terms, index, tables)]
    if len(index.tables) > 1:
        values = [one for one in values if not _calls_rows(one, found, index, tables)]
        mentions = [one for one in mentions if not _names_only_table(one, tables)]
        sure = Mentions(one for one in mentions if one.quality > PREVAILING)
        mentions = [one for one in mentions if not is_outnamed(one, terms, sure)]
        mentions += _without_table(mentions, tables, terms)
        mentions += _by_role(terms, index, tables, mentions)
    else:
        kept, nouns = [m for m in mentions if not of_rows(m, terms, index)], _nouns(mentions)
        mentions = [_as_noun(one, terms, nouns) for one in kept]
        mentions += _by_kind(terms, index, mentions)
    return Question(text, found, terms, Mentions(mentions), values, tables, stopped)


def _nouns(mentions: Sequence[Mention]) -> dict[tuple[int, int], set[str]]:
    """For each run of words the words of the numbers that it may name."""
    found: dict[tuple[int, int], set[str]] = {}
    for one in mentions:
        if one.column.number and not (one.column.keyed or one.column.identifier):
            found.setdefault((one.start, one.end), set()).update(_texts(one.column))
    return found


def _as_noun(
    one: Mention, terms: Sequence[Term], nouns: Mapping[tuple[int, int], set[str]]
) -> Mention:
    """A word that names a number is less another form of a date's: `rent` of Rented On."""
    said = {terms[one.start].text, terms[one.start].text.removesuffix("s")}
    if not one.column.date or one.end > one.start + 1 or said & _texts(one.column):
        return one
    noun = said & nouns.get((one.start, one.end), set())
    return replace(one, named=one.named * _VERBAL) if noun else one


def _texts(column: Column) -> set[str]:
    return {term.text for term in column.name.terms}


def _by_role(
    terms: Sequence[Term], index: Index, tables: dict[str, list[int]], mentions: Sequence[Mention]
) -> list[Mention]:
    """`Id` and `name` alone are the key and the naming column of a table spoken of."""
    found = []
    for at, term in enumerate(terms):
        if any(m.start < at < m.end and m.quality > _ROLE for m in mentions):
            continue
        for table in tables if term.stem in _KEYS or term.stem in _NAMES else ():
            column = index.key(table) if term.stem in _KEYS else index.naming(table)
            if column is not None and (term.stem in _KEYS or index.named(table)):
                found.append(Mention(column, at, at + 1, _ROLE, 1.0))
    return found


def _by_kind(terms: Sequence[Term], index: Index, mentions: Sequence[Mention]) -> list[Mention]:
    """`The best selling pizza` in a table of pizzas sold: what is called name, often the same."""
    kinds = [c for c in index.columns if c.repeated and c.facts.name.lower() in _KINDS]
    own = {term.stem for term in index.table_names[0].terms}
    if len(kinds) != 1:
        return []
    return [
        Mention(kinds[0], at, at + 1, _KIND, 1.0)
        for at, term in enumerate(terms)
        if term.stem in own
        and not any(m.start <= at < m.end and m.quality > _ROLE for m in mentions)
    ]


def _without_table(
    mentions: Sequence[Mention], tables: dict[str, list[int]], terms: Sequence[Term]
) -> list[Mention]:
    """`Age` of `pets whose age` is that of pets, though it is called pet_age."""
    found = []
    for one in mentions:
        places = set(tables.get(one.column.table, ()))
        rest = [at for at in range(one.start, one.end) if at not in places]
        telling = [at for at in rest if terms[at].weight == 1]
        if len(rest) < one.end - one.start and telling and telling[0] > one.start:
            at = telling[0]
            found.append(replace(one, start=at, named=one.named * _OWN))
    return found


def _names_only_table(mention: Mention, tables: dict[str, list[int]]) -> bool:
    """`students` names the table, not its column StuID."""
    places = {at for found in tables.values() for at in found}
    if not all(at in places for at in range(mention.start, mention.end)):
        return False
    return mention.column.identifier or mention.named < WHOLLY_NAMED


def _calls_rows(
    link: ValueLink, said: Sequence[Word], index: Index, tables: dict[str, list[int]]
) -> bool:
    """`Authors` are the rows of a table called so, and no kind `Author` of another one's."""
    if link.end > link.start + 1 or any(
        said[link.start].raw == str(one.value) for one in link.held
    ):
        return False
    names = (one for one in index.table_names if link.start in tables.get(one.written, ()))
    return any([term.stem for term in one.terms] == [said[link.start].stem] for one in names)


def _weight(word: Word, index: Index) -> float:
    """Words that say little say something where a column is called by them: year, last."""
    if word.text not in lexicon().stop:
        return 1.0
    return 1.0 if word.text in _CONTENT and word.stem in index.by_stem else _STOP_WEIGHT


def _breaks(text: str, found: Sequence[Word], ends: re.Pattern[str]) -> frozenset[int]:
    """The words that begin after a comma, a semicolon, a full stop or a dash."""
    return frozenset(
        at for at in range(1, len(found)) if ends.search(text[found[at - 1].end : found[at].start])
    )


def _mentions(
    terms: Sequence[Term], index: Index, breaks: frozenset[int], stopped: Stopped
) -> list[Mention]:
    hits: dict[int, dict[int, dict[int, float]]] = {}
    known = {term: meant(index, term) for term in heeding(stopped, dict.fromkeys(terms))}
    for at, term in enumerate(heeding(stopped, terms)):
        for (column, part), sure in known[term].items():
            if sure <= CONCEPT and index.columns[column].distant:
                continue  # what products cost is not what somebody spent
            hits.setdefault(column, {}).setdefault(at, {})[part] = sure
    spelled = _spelled_out(terms, index)
    found = [one for one in spelled if breaks.isdisjoint(range(one.start + 1, one.end))]
    parting = PARTING | _EACH | (_BEING if len(index.tables) > 1 else frozenset())
    tied = [at for at, term in enumerate(terms) if term.text in _TYING]
    for number, places in heeding(stopped, hits.items()):
        found += [
            _mention(index.columns[number], run, places, terms)
            for run in _runs(places, terms, breaks, parting)
        ]
        found += _shared_heads(index.columns[number], places, terms)
        if tied:
            found += _turned_round(index.columns[number], places, tied)
    return [mention for mention in found if mention.quality >= _LEAST]


def _shared_heads(
    column: Column, places: dict[int, dict[int, float]], terms: Sequence[Term]
) -> list[Mention]:
    """`First` of `first and last name` shares its head with the other."""
    found = []
    for at in sorted(places):
        head = at + _SHARED_HEAD
        if head in places and terms[at + 1].text in {"and", "or"} and at + 2 not in places:
            named = _share_named(column, [places[at], places[head]])
            alone = max(_share_named(column, [places[one]]) for one in (at, head))
            if named > max(WHOLLY_NAMED, alone):
                found.append(Mention(column, at, at + 1, named, 1.0))
    return found


def _turned_round(
    column: Column,
    places: dict[int, dict[int, float]],
    tied: Sequence[int],
) -> list[Mention]:
    """`Reasons for intake` is all of Intake Reason, and no other column of intakes."""
    found = []
    for at in tied:
        if at - 1 in places and at + 1 in places:
            head, rest = _sure_parts(places[at - 1]), _sure_parts(places[at + 1])
            named = _share_named(column, [places[at - 1], places[at + 1]])
            if named > WHOLLY_NAMED and head and rest and not head & rest:
                found.append(Mention(column, at - 1, at + 2, named, 1.0))
    return found


def _runs(
    places: dict[int, dict[int, float]],
    terms: Sequence[Term],
    breaks: frozenset[int],
    parting: frozenset[str],
) -> list[tuple[int, int]]:
    """Joins hits that stand together; one that says the same again begins a new run."""
    runs: list[tuple[int, int]] = []
    covered: set[int] = set()
    for at in sorted(places):
        between = terms[runs[-1][1] : at] if runs else ()
        parted = bool(runs) and any(runs[-1][1] <= one <= at for one in breaks)
        near = (
            not parted
            and len(between) <= _MOST_BETWEEN
            and all(term.weight < 1 and term.text not in parting for term in between)
        )
        again = set(places[at]) <= covered
        if runs and near and not again:
            runs[-1] = (runs[-1][0], at + 1)
            covered |= _sure_parts(places[at])
        else:
            runs.append((at, at + 1))
            covered = _sure_parts(places[at])
    return runs


def _sure_parts(hits: dict[int, float]) -> set[int]:
    return {part for part, sure in hits.items() if sure > CONCEPT}


def _mention(
    column: Column, run: tuple[int, int], places: dict[int, dict[int, float]], terms: Sequence[Term]
) -> Mention:
    inside = _without_edges(column, run, places, terms)
    named = _share_named(column, [places[at] for at in inside])
    if named < WHOLLY_NAMED:  # "of" and "in" prove nothing unless the whole name is there
        inside = [at for at in inside if terms[at].weight == 1] or inside
        named = _share_named(column, [places[at] for at in inside])
    start, end = inside[0], inside[-1] + 1
    mass = sum(terms[at].weight for at in range(start, end))
    said = sum(terms[at].weight * max(places[at].values()) for at in inside)
    stops = all(terms[at].weight < 1 for at in inside)
    return Mention(column, start, end, named * (0.5 if stops and named < 1 else 1.0), said / mass)


def _without_edges(
    column: Column, run: tuple[int, int], places: dict[int, dict[int, float]], terms: Sequence[Term]
) -> list[int]:
    """The words of a run that may name a column, without those at its ends that say little."""
    inside = [at for at in range(*run) if at in places]
    while len(inside) > 1 and terms[inside[0]].weight < 1 and max(places[inside[0]].values()) < 1:
        inside = inside[1:]
    named = _share_named(column, [places[at] for at in inside])
    while len(inside) > 1 and terms[inside[-1]].weight < 1:
        if _share_named(column, [places[at] for at in inside[:-1]]) < named:
            break
        inside = inside[:-1]
    return inside


def _share_named(column: Column, hits: Sequence[dict[int, float]]) -> float:
    parts = column.name.terms
    return sum(
        part.weight * max(hit.get(number, 0.0) for hit in hits) for number, part in enumerate(parts)
    ) / sum(part.weight for part in parts)


def _spelled_out(terms: Sequence[Term], index: Index) -> list[Mention]:
    found = []
    for start in range(len(terms)):
        for end in range(start + 1, min(start + _LONGEST_WRITTEN, len(terms)) + 1):
            named = written_as(terms[start:end], index)
            found += [Mention(index.columns[at], start, end, 1.0, 1.0) for at in named]
    return found
