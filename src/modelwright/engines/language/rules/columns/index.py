"""The words of a session's schema and values, looked up once and asked many times."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from modelwright.engines.facts import Value
from modelwright.engines.language.rules.columns.column import LIST, Column, read_column, ref
from modelwright.engines.language.rules.columns.linking import Name, names, table_names
from modelwright.engines.language.rules.columns.schema import (
    FAMILY_NAMES,
    GIVEN_NAMES,
    Key,
    TableFacts,
    find_keys,
)
from modelwright.engines.language.rules.plans.plan import Ref
from modelwright.engines.language.rules.text.lexicon import shortened, spelled_out
from modelwright.engines.language.rules.text.roots import deed, is_deed, root
from modelwright.engines.language.rules.text.words import name_parts, squeezed, stem, words

__all__ = ["Column", "Held", "Index", "ref"]

_FUZZY_FROM = 4
"""In letters: shorter values are too much alike to be taken for slips."""
_MOST_KINDS = 50
"""A text of more values names things, no kinds."""
_LEAST_ALIKE = 86
"""Of 100: how alike a misspelt value must be."""
SHORTEST_DONE = 4
"""In letters: shorter words are those of deeds by chance."""
_MOST_WORDS = 4
"""Values of more words are only meant in their order."""
_LITTLE = frozenset({"the", "of", "a", "and", "or", "in", "to", "/", "no", "not"})
_NAMES = frozenset(map(stem, ("name", "title")))
_VOWELS = frozenset("aeiouy")
_WHEN = frozenset({"on", "at"})
Stems = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Held:
    """A value as it stands in a column."""

    column: Column
    value: Value


@dataclass(slots=True)
class Index:
    """Everything of a session that words can mean."""

    tables: tuple[TableFacts, ...]
    columns: list[Column]
    table_names: list[Name]
    keys: list[Key]
    by_stem: dict[str, list[tuple[int, int]]] = field(default_factory=dict)
    by_text: dict[tuple[str, str], list[tuple[int, int]]] = field(default_factory=dict)
    by_concept: dict[str, list[tuple[int, int]]] = field(default_factory=dict)
    short: list[tuple[str, tuple[int, int]]] = field(default_factory=list)
    """The words of names that are written without their vowels: dmg, plt."""
    by_squeezed: dict[str, list[int]] = field(default_factory=dict)
    values: dict[str, dict[Stems, list[Held]]] = field(default_factory=dict)
    squeezed_values: dict[str, list[Held]] = field(default_factory=dict)
    """The values by their letters and digits alone."""
    by_words: dict[Stems, list[Held]] = field(default_factory=dict)
    """The values of two to four words by those words in any order."""
    kinds: dict[str, list[Held]] = field(default_factory=dict)
    """The values of one word in columns of few, by their roots."""
    by_deed: dict[str, list[tuple[int, int]]] = field(default_factory=dict)
    """The words of names that say what was done, by their deeds."""
    flags_done: dict[str, list[Held]] = field(default_factory=dict)
    """The yes of each flag, by the roots and the deeds of its name."""
    kinds_done: dict[str, list[Held]] = field(default_factory=dict)
    """The values of columns of few, by the roots and the deeds of their words."""
    told: dict[str, list[tuple[Column, list[Value]]]] = field(default_factory=dict)
    """The values in columns of few that have a word, by its stem."""
    spellings: dict[str, list[Held]] = field(default_factory=dict)
    """The values of one word by their spelling."""
    row_words: set[str] = field(default_factory=set)
    """What the rows are called by columns that number them, tell them apart or their type."""
    large: bool = False
    """Whether a table is more than a list to look things up in."""

    @classmethod
    def build(
        cls,
        tables: Sequence[TableFacts],
        values: Mapping[tuple[str, str], Sequence[Value]] | None = None,
        units: Collection[tuple[str, str]] = (),
        keys: Sequence[Key] | None = None,
    ) -> "Index":
        """Reads names and values; `values` adds those of columns too wide for their facts.

        Columns of `units` are numbers with a unit. `keys` join the tables where they are known.
        """
        columns: list[Column] = []
        for table in tables:
            for facts, name in zip(
                table.columns,
                names([c.name for c in table.columns], table.name if len(tables) > 1 else ""),
                strict=True,
            ):
                more = (values or {}).get((table.name, facts.name), ())
                unit = (table.name, facts.name) in units
                columns.append(read_column(len(columns), table.name, facts, name, more, unit))
        called = table_names([(one.name, [c.name for c in one.columns]) for one in tables])
        if keys is None:
            keys = find_keys(tables) if len(tables) > 1 else []
        large = any(column.facts.rows >= LIST for column in columns)
        index = cls(tuple(tables), columns, called, list(keys), large=large)
        for column in columns:
            index._name(column)
            more = (values or {}).get((column.table, column.facts.name), ())
            index._hold(
                column, [*(value for value, _ in column.facts.top), *more, *sorted(column.parts)]
            )
        return index

    def _name(self, column: Column) -> None:
        self.row_words |= column.calls | {word[:-1] for word in column.calls}
        if column.identifier:
            self.row_words.add(f"{column.name.terms[0].text}s")
        self.by_squeezed.setdefault(squeezed(column.facts.name), []).append(column.at)
        for short, places in shortened(column.facts.name):
            self.by_stem.setdefault(stem(short), []).extend((column.at, at) for at in places)
        for at, term in enumerate(column.name.terms):
            if is_deed(term.text):
                self.by_deed.setdefault(deed(term.text), []).append((column.at, at))
            if column.yes is not None:
                _add_done(self.flags_done, term.text, Held(column, column.yes))
            self.by_stem.setdefault(term.stem, []).append((column.at, at))
            self.by_text.setdefault((term.text, term.stem), []).append((column.at, at))
            if not set(term.text[1:-1]) & _VOWELS and term.text.isalpha():
                self.short.append((term.text, (column.at, at)))
            for concept in term.concepts:
                self.by_concept.setdefault(concept, []).append((column.at, at))

        last = len(column.name.terms) - 1
        if column.date and last and column.name.terms[last].text in _WHEN:
            self.by_stem.setdefault("date", []).append((column.at, last))

    def _hold(self, column: Column, known: Sequence[Value]) -> None:
        if column.number or column.date or column.facts.type == "boolean":
            return
        if column.facts.distinct <= _MOST_KINDS:
            self._hold_kinds(column)
        for value in known:
            stems, plain = _read(str(value))
            if stems:
                held = self.values.setdefault(stems[0], {}).setdefault(stems, [])
                alike = (one for one in held if one.column.at == column.at)
                if all(_read(str(one.value))[1] != plain for one in alike):
                    held.append(Held(column, value))
                self.squeezed_values.setdefault(plain, []).append(Held(column, value))
                telling = tuple(sorted(set(stems) - _LITTLE))
                if 1 < len(telling) <= _MOST_WORDS:
                    self.by_words.setdefault(telling, []).append(Held(column, value))
                if len(stems) == 1 and len(str(value)) >= _FUZZY_FROM:
                    self.spellings.setdefault(str(value).lower(), held)

    def _hold_kinds(self, column: Column) -> None:
        for value, _ in column.facts.top:
            if (said := str(value).lower()).isalpha():
                self.kinds.setdefault(root(said), []).append(Held(column, value))
            if column.yes is None and said.isalpha():
                _add_done(self.kinds_done, said, Held(column, value))
            for one in {word.stem for word in words(str(value))}:
                told = self.told.setdefault(one, [])
                if not told or told[-1][0] is not column:
                    told.append((column, []))
                told[-1][1].append(value)

    def table(self, name: str) -> TableFacts:
        """The table of that name."""
        return next(table for table in self.tables if table.name == name)

    def in_table(self, name: str) -> list[Column]:
        """The columns of that table, in order."""
        return [column for column in self.columns if column.table == name]

    def column(self, one: Ref) -> Column:
        """The column that a plan names."""
        return next(c for c in self.in_table(one.table) if c.facts.name == one.column)

    def naming(self, table: str) -> Column:
        """The column that tells people which row is meant: a name, a title, else the first text."""
        own = {stem(part) for part in spelled_out(table)}

        def rank(column: Column) -> tuple[bool, bool, bool, int]:
            parts = {term.stem for term in column.name.terms}
            return (
                not parts & _NAMES or bool(parts & {"last", "song"}),
                not parts & own,
                column.number,
                column.at,
            )

        return min(self.in_table(table), key=rank)

    def named(self, table: str) -> bool:
        """Whether a column names the table's rows by more than standing first."""
        column = self.naming(table)
        told = {term.stem for term in column.name.terms} & _NAMES
        is_unique = column.facts.distinct == column.facts.rows
        return (bool(told) and not column.repeated) or is_unique or self._is_whole(column)

    def _is_whole(self, column: Column) -> bool:
        """Whether given names stand beside family names, and both name the rows."""
        parts = [frozenset(name_parts(one.facts.name)) for one in self.in_table(column.table)]
        given = frozenset(name_parts(column.facts.name))
        return given in GIVEN_NAMES and not FAMILY_NAMES.isdisjoint(parts)

    def key(self, table: str) -> Column | None:
        """The column whose values name the table's rows, by its own name."""
        columns = self.in_table(table)
        named = [c for c in columns if c.identifier]
        unique = [c for c in columns if c.facts.distinct == c.facts.rows]
        short = [c for c in unique if c.facts.name.lower().endswith("id")]
        return next(iter([*named, *short]), None)

    def nearly(self, text: str) -> list[Held]:
        """The values spelled almost like a word."""
        from rapidfuzz import fuzz, process  # noqa: PLC0415 - heavy, kept out of start-up

        near = process.extractOne(
            text, self.spellings.keys(), scorer=fuzz.ratio, score_cutoff=_LEAST_ALIKE
        )
        return self.spellings[near[0]] if near else []


@lru_cache(maxsize=65536)
def _read(value: str) -> tuple[tuple[str, ...], str]:
    """Returns a value's stems, and its letters and digits; tables are indexed more than once."""
    sign = value[-1:] if value[-1:] in {"+", "-"} else ""  # `O-` is no `O+`
    return tuple(word.stem for word in words(value)), squeezed(value) + sign


def _add_done(done: dict[str, list[Held]], word: str, held: Held) -> None:
    for one in {root(word), deed(word)} if len(word) >= SHORTEST_DONE else ():
        done.setdefault(one, []).append(held)
