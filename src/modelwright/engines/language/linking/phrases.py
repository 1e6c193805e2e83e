"""Everything that words may mean in some tables, looked up by the stems of phrases.

A session asks many questions of the same tables: values and names are indexed once, and a look-up
does not grow with the rows.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from modelwright.engines.facts import Value
from modelwright.engines.language.catalog.meaning import Catalog, CatalogColumn, CatalogTable, Role
from modelwright.engines.language.row_nouns import singular
from modelwright.engines.language.rules.columns.schema import TableFacts
from modelwright.engines.language.rules.mentions.units import measures
from modelwright.engines.language.rules.text.lexicon import concepts_at, lexicon, spelled_out
from modelwright.engines.language.rules.text.roots import deed, is_deed, is_doer
from modelwright.engines.language.rules.text.targets import listed
from modelwright.engines.language.rules.text.words import Word, is_written_as, squeezed, stem, words
from modelwright.engines.language.vocabulary import cue_words, word_list, word_set

Stems = tuple[str, ...]

LONGEST_DENIAL = 3
"""The most words by which it is said that something has not."""
LONGEST_PHRASE = 7
"""Longer names and values are linked by their first words only."""
MAX_VALUE_WORDS = 12
"""Values of more words are not linked."""
WHOLE = 1.0
"""How surely a phrase means a thing, from 0 to 1: by its whole name."""
BY_SYNONYM = 0.95
"""By a word of the catalog for it."""
BY_TELLING_PART = 0.9
"""By all of its name but what only says how it is told: `weight` of Weight kg, `shows` of
ShowName."""
BY_HEAD = 0.7
"""A name is meant by its last word alone, where no other ends so: `charges`."""
BY_CUT = 0.8
"""A name is the words cut short: `horTh` of hormone therapy, `tsize` of tumor size."""
BY_PART = 0.6
"""By one word of its name, or its first words."""
BY_CONCEPT = 0.55
"""By a word of like meaning: `price` for a cost."""
BY_DENIAL = 0.98
"""A value that says no is meant by words that deny the rest of it: `No pool` of without a pool."""
BY_VALUE_PART = 0.75
"""A value is meant by a word that stands in no other: `Delta` of Delta Air Lines."""
MOST_CUT_WORDS = 4
"""Words of a question that a name may cut short."""
SHORTEST_CUT_NAME = 4
"""Shorter names are the beginnings of too many words."""
CODE_LETTERS = range(3, 5)
"""A name of so few letters that is no word may be a code of one."""
_NO_NOUNS = word_list("names.endings_of_no_nouns")
_VOWELS = frozenset("aeiou")
LONGEST_PIECE = 3
"""Of several words that a name cuts short at least one lends it so many letters."""
SUPERLATIVE = "est"
"""`Windiest` ranks by the wind: it is no name."""
MAX_VALUES_OF_PART = 1
"""A word that stands in more values of a column means none of them."""
SHORTEST_PART = 4
"""Shorter words of a name mean nothing alone."""
MOST_KINDS = 10
"""A column of more values tells no women from men."""
_NUMBERED = re.compile(r"^\s*\d+[.)]\s*")
"""How values are numbered for sorting: `2. Married`."""
_DENYING = frozenset({"no", "without"})
"""What values begin with that deny the rest of them; `Non-fiction` is a kind of its own."""
_ARTICLES = word_set("small_words.before_phrase")
ROWS_OF_KIND = 2
"""Values that come back in so many rows each are kinds."""
RANKING = frozenset({"best", "least", "most", "top", "worst"})
"""Words that rank: alone they name nothing."""
LITTLE = word_set("small_words.little")
_NAMING = word_set("names.of_rows")
_KEYS = word_set("names.key_stems")
LONGEST_UNIT = 3
"""Longer words are no signs of units: labour hours are no labour."""


@dataclass(frozen=True, slots=True)
class NameHit:
    """A phrase that names a table (without `column`) or a column."""

    table: str
    column: str | None
    quality: float


@dataclass(frozen=True, slots=True)
class ValueHit:
    """A phrase that is a value of a column."""

    table: str
    column: str
    value: Value
    quality: float


@dataclass(slots=True)
class Phrases:
    """The index of one session's tables."""

    catalog: Catalog
    names: dict[Stems, dict[tuple[str, str | None], float]] = field(default_factory=dict)
    squeezed: dict[str, dict[tuple[str, str | None], float]] = field(default_factory=dict)
    """Names by their letters and digits alone: `marketvalue`."""
    deeds: dict[str, dict[tuple[str, str | None], float]] = field(default_factory=dict)
    """Names by what they say that was done: `produced` of `production`."""
    values: dict[Stems, dict[tuple[str, str, Value], float]] = field(default_factory=dict)
    kinds: set[tuple[str, str]] = field(default_factory=set)
    """The columns whose values come back in several rows each."""
    denials: dict[Stems, dict[tuple[str, str, Value], float]] = field(default_factory=dict)
    """Values that say no, by what they deny: `internet service` of No internet service."""

    @classmethod
    def build(
        cls,
        tables: Sequence[TableFacts],
        catalog: Catalog,
        more: Mapping[tuple[str, str], Sequence[Value]] | None = None,
    ) -> "Phrases":
        """Reads all names and values once."""
        made = cls(catalog)
        for table in catalog.tables:
            made._add_table(table)
        for key in catalog.relationships:
            if key.table == key.to_table:  # `without a manager`
                role = tuple(word.stem for word in words(key.role))
                made._name(role, key.table, key.column, WHOLE)
        for facts in tables:
            for column in facts.columns:
                if column.type == "string":
                    if ROWS_OF_KIND * column.distinct < column.rows:
                        made.kinds.add((facts.name, column.name))
                    known = [value for value, _ in column.top]
                    known += (more or {}).get((facts.name, column.name), ())
                    made._add_values(facts.name, column.name, list(dict.fromkeys(known)))
        return made

    def _name(self, stems: Stems, table: str, column: str | None, quality: float) -> None:
        ranks = quality < WHOLE and not RANKING.isdisjoint(stems[:1]) and len(stems) == 1
        if stems and len(stems) <= LONGEST_PHRASE and not ranks:
            told = self.names.setdefault(stems, {})
            told[table, column] = max(quality, told.get((table, column), 0.0))

    def _add_table(self, table: CatalogTable) -> None:
        for name in (table.name, *table.row_nouns):
            stems = tuple(stem(part) for part in spelled_out(name))
            self._name(stems, table.name, None, WHOLE)
            if len(stems) > 1:
                self._name(stems[-1:], table.name, None, BY_HEAD)
        for column in table.columns:
            self._add_column(table, column)
            for word in filter(is_deed, (word.text for word in words(column.label))):
                self.deeds.setdefault(deed(word), {})[table.name, column.name] = BY_HEAD

    def _add_column(self, table: CatalogTable, column: CatalogColumn) -> None:
        """Indexes everything that a column may be called, each by how surely it is meant."""
        self._add_synonyms(table, column)
        written = column.label, column.name.replace("_", " "), column.alias.replace("_", " ")
        for name in set(written):
            parts = tuple(word.stem for word in words(name))
            telling = tuple(part for part in parts if part not in LITTLE)
            self._name(parts, table.name, column.name, WHOLE)
            self._name(telling, table.name, column.name, WHOLE)
        self.squeezed.setdefault(squeezed(column.name), {})[table.name, column.name] = WHOLE
        label = tuple(word.stem for word in words(column.label))
        for noun in table.row_nouns:
            self._name((stem(noun), *label), table.name, column.name, WHOLE)
        if len(label) > 1:
            self._add_telling(table, column, label)
        if column.role is Role.ID and len(label) > 1:
            return
        rows = {stem(part) for part in spelled_out(table.name)}
        rows |= {stem(one) for one in table.row_nouns}
        shorter = tuple(part for part in label if part not in rows)
        if shorter and len(shorter) < len(label):
            self._name(shorter, table.name, column.name, WHOLE)
        if len(label) > 1:
            self._add_parts(table, column, label)

    def _add_telling(
        self, table: CatalogTable, column: CatalogColumn, label: tuple[str, ...]
    ) -> None:
        """Lets what is left without a unit, `name` or `id` stand for it, but for no two."""
        links = {one.column for one in self.catalog.relationships if one.table == table.name}
        telling = () if column.name in {table.key, *links} else _telling(column, label)
        labels = [tuple(word.stem for word in words(one.label)) for one in table.columns]
        told = {one[-1] for one in labels if one[:-1] == telling}
        if telling and (told <= _KEYS or not told & _KEYS):
            self._name(telling, table.name, column.name, BY_TELLING_PART)

    def _add_synonyms(self, table: CatalogTable, column: CatalogColumn) -> None:
        for synonym in column.synonyms:
            stems = tuple(word.stem for word in words(synonym))
            self._name(stems, table.name, column.name, BY_SYNONYM)
        for one in column.value_synonyms:
            stems = tuple(word.stem for word in words(one.words))[:LONGEST_PHRASE]
            self.values.setdefault(stems, {})[table.name, column.name, one.value] = BY_SYNONYM

    def _add_parts(
        self, table: CatalogTable, column: CatalogColumn, label: tuple[str, ...]
    ) -> None:
        """Lets parts of a name stand for it, its head better than the rest."""
        self._name(label[-1:], table.name, column.name, BY_HEAD)
        for at in range(len(label) - 1):
            self._name(label[at : at + 1], table.name, column.name, BY_PART)
            self._name(label[at:], table.name, column.name, BY_HEAD + 0.1)
            self._name(label[: at + 1], table.name, column.name, BY_PART)

    def _add_values(self, table: str, column: str, known: Sequence[Value]) -> None:
        parts: dict[str, set[Value]] = {}
        for value in known:
            text = _NUMBERED.sub("", str(value))
            stems = tuple(word.stem for word in words(text))
            if not stems or len(stems) > MAX_VALUE_WORDS:
                continue
            told = self.values.setdefault(stems[:LONGEST_PHRASE], {})
            told[table, column, value] = WHOLE
            if stems[0] in _DENYING and 1 < len(stems) <= LONGEST_PHRASE:
                self.denials.setdefault(stems[1:], {})[table, column, value] = BY_DENIAL
            for one in set(stems):
                parts.setdefault(one, set()).add(value)
        self._add_aliases(table, column, known)
        for one, held in parts.items():
            is_word = len(one) >= SHORTEST_PART and not one.isdigit() and one not in LITTLE
            if is_word and len(held) <= MAX_VALUES_OF_PART:
                told = self.values.setdefault((one,), {})
                for value in held:
                    told.setdefault((table, column, value), BY_VALUE_PART)

    def _add_aliases(self, table: str, column: str, known: Sequence[Value]) -> None:
        """Has words stand for the value that a column holds in their place: `women` for F."""
        if len(known) > MOST_KINDS:
            return
        written = {str(value).strip().lower(): value for value in known}
        held = [(group, text) for group in lexicon().aliases for text in written if text in group]
        for group, text in held:
            if len(held) > 1 or len(text) > 1:
                for word in group - {text}:
                    told = self.values.setdefault((stem(word),), {})
                    told.setdefault((table, column, written[text]), BY_SYNONYM)

    def names_of(self, stems: Stems, written: str = "") -> list[NameHit]:
        """Returns what a phrase names, the best first; as `written` it may be run together."""
        told = self.names.get(stems, {})
        if not told and written:
            told = self.squeezed.get(squeezed(written), {})
            told = told or (self.deeds.get(deed(written), {}) if is_deed(written) else {})
        found = [
            NameHit(table, column, quality)
            for (table, column), quality in told.items()
            if not (column and is_doer(written) and _is_done(column))
        ]
        return sorted(found, key=lambda one: -one.quality)

    def cut_short(self, run: Sequence[str]) -> list[NameHit]:
        """Returns the columns whose name is these words cut short; none where it is of several."""
        if len(run) > MOST_CUT_WORDS:
            return []
        wanted = [squeezed(one) for one in run]
        if not all(wanted) or self._has_name_within(run):
            return []
        found = [
            NameHit(table, column, BY_CUT)
            for name, places in self.squeezed.items()
            for table, column in places
            if wanted[0] in {name, name[1:]} or name[:1] == wanted[0][:1]
            if column and cuts_short(column, wanted)
        ]
        return found if len({one.column for one in found}) == 1 else []

    def _has_name_within(self, run: Sequence[str]) -> bool:
        """Whether a single one of several words is a name by itself: `price` of price excluding."""
        alone = (self.names_of((stem(one),)) for one in run if len(run) > 1)
        return any(hit.quality >= BY_SYNONYM for hits in alone for hit in hits)

    def values_of(self, stems: Stems, said: Sequence[Word] = ()) -> list[ValueHit]:
        """Returns the values that a phrase may be, the best first.

        Where some kinds are written as it is `said`, kinds of but its stems are left out.
        """
        told = self.values.get(stems, {})
        found = [ValueHit(*place, quality) for place, quality in told.items()]
        kinds = [one for one in found if (one.table, one.column) in self.kinds]
        written = [one for one in kinds if is_written_as(said, str(one.value))]
        if written:
            found = [one for one in found if one in written or one not in kinds]
        return sorted(found, key=lambda one: -one.quality)

    def denied_at(self, said: Sequence[Word], at: int) -> tuple[list[ValueHit], int]:
        """Returns the values that words from here deny the rest of, and how many words these are.

        None where what is denied is also the name of a column, which may say no itself.
        """
        begun = self._denies_until(said, at)
        if begun == at:
            return [], 0
        while begun < len(said) and said[begun].text in _ARTICLES:
            begun += 1
        for size in range(min(LONGEST_PHRASE, len(said) - begun), 0, -1):
            stems = tuple(word.stem for word in said[begun : begun + size])
            if any(one.column and one.quality == WHOLE for one in self.names_of(stems)):
                return [], 0
            if told := self.denials.get(stems):
                hits = [ValueHit(*place, quality) for place, quality in told.items()]
                return hits, begun + size - at
        return [], 0

    def _denies_until(self, said: Sequence[Word], at: int) -> int:
        """Returns where the words end that deny what follows; `at` where none do."""
        told = [word.text for word in said[at : at + LONGEST_DENIAL]]
        for size in range(len(told), 0, -1):
            if self.denials and " ".join(told[:size]) in cue_words("denies_having"):
                return at + size
        return at

    def by_concept(self, stems: Stems) -> Iterator[NameHit]:
        """Yields columns that speak of the same thing as a phrase: `cost` and `price`."""
        concepts = concepts_at(stems, lexicon().of_words)
        wanted = {one for told, _ in concepts for one in told}
        if not wanted:
            return
        for table in self.catalog.tables:
            for column in table.columns:
                if column.role is Role.ID:
                    continue
                label = [stem(part) for part in spelled_out(column.name)]
                held = {one for told, _ in concepts_at(label, lexicon().of_names) for one in told}
                if wanted & held:
                    yield NameHit(table.name, column.name, BY_CONCEPT)


def _telling(column: CatalogColumn, label: Stems) -> Stems:
    """Leaves out the last word of a label that only says how a thing is told: a unit, an id."""
    written = spelled_out(column.name)[-1]
    is_unit = bool(column.unit) and len(written) <= LONGEST_UNIT and column.role is Role.MEASURE
    is_name = label[-1] in _NAMING and column.role is Role.DIMENSION
    is_key = label[-1] in _KEYS and column.role in {Role.DIMENSION, Role.ID}
    return label[:-1] if is_unit or is_name or is_key else ()


def _is_done(name: str) -> bool:
    return any(part.endswith(("ed", "ing")) for part in spelled_out(name))


def cuts_short(column: str, said: Sequence[str]) -> bool:
    """Returns whether a column's name is words cut short, or a code of a single one of them.

    Args:
        column: The name as it is written.
        said: Letters and digits of each word.

    Returns:
        Whether it is: `horTh` of hormone and therapy, `veh` of vehicle, `trk` of truck.
    """
    is_one = len(said) == 1 and said[0][:1] == column[:1].casefold()
    return is_cut_of(squeezed(column), said) or (is_one and is_code_of(column, said[0]))


def is_code_of(column: str, word: str) -> bool:
    """Returns whether the one word of a name, its unit left out, is a code of a word.

    Args:
        column: The name as it is written.
        word: A word of a question.

    Returns:
        Whether it is: `occ_pct` of occupancy, `rte` of route; no name that is a word itself.
    """
    code = _code(column)
    said = singular(word) or word
    if not code or len(said) <= len(code) or said.endswith(_NO_NOUNS):
        return False
    bones = said[0] + "".join(one for one in said[1:] if one not in _VOWELS)
    if len(said) < len(code) + LONGEST_PIECE - 1:
        return bones == code
    ends_alike = code[:2] == bones[:2] and code[-1] == said[-1]
    is_begun = said.startswith(code) or bones.startswith(code)
    return is_begun or (ends_alike and _goes_through(said, code))


@lru_cache(maxsize=4096)
def _code(column: str) -> str:
    """Returns the short word that a name has beside its unit, where it is none of any language."""
    parts = [one.casefold() for one in spelled_out(column)]
    telling = [one for one in parts if not measures(one)] if len(parts) > 1 else parts
    code = telling[0] if len(telling) == 1 else ""
    is_code = len(code) in CODE_LETTERS and code.isalpha() and code not in listed()
    return code if is_code else ""


def _goes_through(word: str, code: str) -> bool:
    """Whether the letters of a code stand in a word in their order."""
    letters = iter(word)
    return all(one in letters for one in code)


def is_cut_of(name: str, said: Sequence[str]) -> bool:
    """Returns whether a name is words cut short, each from its beginning, none left out.

    Args:
        name: Letters and digits of a name alone.
        said: The same of each word.

    Returns:
        Whether it is: `horth` of hormone and therapy, `pnodes` of nodes, `prefer` of preferred.
    """
    if len(name) < SHORTEST_CUT_NAME or not name.isalpha():
        return False
    if len(said) == 1:
        (word,) = said
        ends = len(word) >= SHORTEST_PART and name[1:] == word
        is_cut = word.startswith(name) and len(word) >= len(name) + LONGEST_PIECE
        return ends or (is_cut and not word.endswith(SUPERLATIVE))
    return _pieces(name, said, 0)


def _pieces(name: str, said: Sequence[str], longest: int) -> bool:
    if not said:
        return not name and longest >= LONGEST_PIECE
    word, *rest = said
    most = next((at for at, (a, b) in enumerate(zip(name, word, strict=False)) if a != b), None)
    most = min(len(name), len(word)) if most is None else most
    return any(_pieces(name[size:], rest, max(longest, size)) for size in range(most, 0, -1))
