"""The words that a statement accounts for by its columns, its tables and its values."""

from collections.abc import Collection

from sqlglot import exp

from modelwright.engines.language.catalog.meaning import Catalog, Role
from modelwright.engines.language.checks.statement import Statement
from modelwright.engines.language.linking.phrases import BY_CUT, WHOLE
from modelwright.engines.language.readers import NameLink, ReadRequest
from modelwright.engines.language.row_nouns import is_row_word
from modelwright.engines.language.rules.mentions.places import other_names
from modelwright.engines.language.rules.text.lexicon import concepts_of_name, spelled_out
from modelwright.engines.language.rules.text.roots import deed, undone_word
from modelwright.engines.language.rules.text.words import Word, squeezed, stem, words
from modelwright.engines.language.vocabulary import cue_words, word_set

SAYS_WHICH = cue_words("judgements")
"""Words that tell one value from another: no column is meant by them, which may tell either."""
SHORTEST_PART = 4
"""A value may be written shorter than it stands, down to so many letters."""
SHORTEST_PREFIX = 3
"""A name may begin a word, and be so short: `dem` of democratic, `cens` of censored."""
SHORTEST_BEGUN = 5
"""A word may begin a name that is run together, and be so short: `garage` of garagepl."""
SHORTEST_SLIP = 5
"""Letters of words that may be misspelt by one letter."""
LONG_ENOUGH = 8
"""Letters of words that may be misspelt by two."""
_OF_MONEY = word_set("checks.concepts_of_money")


class UsedWords:
    """The words that a statement's tables, columns and values account for."""

    def __init__(
        self, request: ReadRequest, sql: Statement, columns: Collection[tuple[str, str]] = ()
    ) -> None:
        """Tells them of a statement, or only of some of its `columns`."""
        catalog, is_whole = request.catalog, not columns
        columns = columns or sql.columns
        self.stems: set[str] = set()
        self.concepts: set[str] = set()
        self.parts: set[str] = set()
        self.deeds: set[str] = set()
        self.values: list[str] = []
        self.held: set[str] = set()
        self.written = {one.name for one in sql.find_all(exp.Literal)}
        for table, column in columns:
            self._add_column(catalog, table, column)
        if is_whole and sql.tables:
            for name in set(sql.tables):
                self._add_table(catalog, name)
            self._add_looked_up(catalog, sql)
            self._add_values(sql)
        self.spans = [
            one.span
            for one in request.links.names
            if one.column and (one.table, one.column) in columns and one.quality >= BY_CUT
        ]
        self.others = [one.span for one in request.links.names if _names_another(one, sql)]
        self.deeds |= {deed(part) for part in self.parts}
        self.is_single = len(set(sql.tables)) == 1

    def _add_values(self, sql: Statement) -> None:
        for one in sql.find_all(exp.Literal):
            self.values.append(squeezed(one.name))
            self.held.add(one.name.casefold())
            self.stems |= {word.stem for word in words(one.name)}
            self.deeds |= {deed(word.text) for word in words(one.name)}

    def _add_looked_up(self, catalog: Catalog, sql: Statement) -> None:
        """Adds what rows of other tables are of: `booked a class`, every booking is of one."""
        looked_up = {
            each.name for one in sql.tree.find_all(exp.Exists, exp.In)
            for each in one.find_all(exp.Table)
        }  # fmt: skip
        for key in catalog.relationships:
            if key.table in looked_up:
                self._add_table(catalog, key.to_table)

    def _add_column(self, catalog: Catalog, table: str, name: str) -> None:
        column = catalog.column(table, name)
        if column is None:
            return
        told = " ".join([name, column.label, column.alias.replace("_", " "), *column.synonyms])
        parts = [*spelled_out(name), *(word.text for word in words(told))]
        self.stems |= {stem(part) for part in parts}
        self.parts |= {part.casefold() for part in spelled_out(name)}
        is_figure = column.role is Role.MEASURE  # `cost` is of no category of sales
        self.concepts |= concepts_of_name(name) - (frozenset() if is_figure else _OF_MONEY)
        if column.role is Role.FLAG or column.unit:
            self.stems.add(stem(column.unit.lower()))
        for one in column.value_synonyms:
            if str(one.value) in self.written:
                self.stems |= {word.stem for word in words(one.words)}

    def _add_table(self, catalog: Catalog, name: str) -> None:
        table = catalog.table(name)
        parts = [*spelled_out(name), *(table.row_nouns if table else ())]
        self.stems |= {stem(part) for one in parts for part in one.split()}

    def accounts_for(self, word: Word, concepts: frozenset[str]) -> bool:
        """Returns whether a word of the question is used, also as a word for the only rows."""
        is_other = any(start <= word.start < end for start, end in self.others)
        calls_rows = self.is_single and is_row_word(word) and not is_other
        return calls_rows or self.names(word, concepts)

    def nearly(self, word: Word) -> str:
        """Returns the part of a name, or the value, that a word is but for a slip of the pen."""
        known = sorted(self.parts) + sorted(self.written)
        return next((one for one in known if is_slip(word.text, one.casefold())), "")

    def names(self, word: Word, concepts: frozenset[str]) -> bool:
        """Returns whether a word that speaks of some concepts is of a used name or value."""
        is_linked = any(start <= word.start < end for start, end in self.spans)
        return (
            is_linked
            or self._has_its_root(word)
            or self._means_the_same(word, concepts)
            or self._is_cut_from_it(word)
        )

    def _has_its_root(self, word: Word) -> bool:
        """Whether a name or a value has a word's stem, that of what it undoes, or its verb."""
        bare = undone_word(word.text)
        if word.stem in self.stems or (bare and stem(bare) in self.stems):
            return True
        return deed(word.text) in self.deeds and len(word.text) >= SHORTEST_PREFIX

    def _means_the_same(self, word: Word, concepts: frozenset[str]) -> bool:
        """Whether a column speaks of what a word does, or a value is called so: `women`."""
        if not self.held.isdisjoint(other_names(word.text)):
            return True
        is_vague = word.text in SAYS_WHICH or word.text in cue_words("money_of_its_own")
        return not is_vague and not concepts.isdisjoint(self.concepts)

    def _is_cut_from_it(self, word: Word) -> bool:
        """Whether a word begins with a part of a name, or a name or a value with a word."""
        text = squeezed(word.text)
        begun = any(text.startswith(one) for one in self.parts if len(one) >= SHORTEST_PREFIX)
        begins = len(text) >= SHORTEST_BEGUN and any(one.startswith(text) for one in self.parts)
        return begun or begins or any(_is_value_part(text, value) for value in self.values)


def _names_another(link: NameLink, sql: Statement) -> bool:
    """Whether words are all that a column of kinds is called which is not read: no row is meant."""
    place = (link.table, link.column or "")
    is_kind = sql.role(place) is Role.DIMENSION and link.quality >= WHOLE
    return is_kind and place not in sql.columns and link.table in sql.tables


def is_slip(said: str, meant: str) -> bool:
    """Returns whether words differ by a letter, long ones by two, and begin alike."""
    most = 2 if len(said) >= LONG_ENOUGH else 1
    if said[:1] != meant[:1] or min(len(said), len(meant)) < SHORTEST_SLIP:
        return False
    from rapidfuzz.distance import OSA  # noqa: PLC0415 - heavy, kept out of start-up

    return bool(OSA.distance(said, meant, score_cutoff=most) <= most)


def _is_value_part(text: str, value: str) -> bool:
    """Whether a word is a value cut short, or made longer: `sunny` days are those of `sun`."""
    shorter, longer = sorted((text, value), key=len)
    least = SHORTEST_PREFIX if shorter == value else SHORTEST_PART
    return len(shorter) >= least and longer.startswith(shorter)


def is_in_names(sql: Statement, told: str) -> bool:
    """Whether words are a part of the name of a column or table that is read."""
    names = [*sql.tables, *(name for _, name in sql.columns)]
    return any(stem(told.casefold()) in map(stem, spelled_out(name)) for name in names)


def calls_rows(sql: Statement, word: Word) -> bool:
    """Whether a word calls the rows of a table that is read, or of any."""
    return word.stem in sql.row_stems or is_row_word(word)
