"""Shows what a result is of: things by key and name together, and the figure they are ranked by.

Rows often tell of things that have no table of their own: a customer by `Customer ID` and
`Customer Name`. Where each key has one name, groups by the key are told with the name beside it, so
that two customers called alike are two, and no question is left which column was meant.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from sqlglot import exp

from modelwright.engines.facts import ColumnFacts
from modelwright.engines.language.arbiter.results import Result
from modelwright.engines.language.arbiter.statements import parsed
from modelwright.engines.language.catalog.meaning import CatalogColumn, CatalogTable, Role
from modelwright.engines.language.checks.findings import Code, Finding
from modelwright.engines.language.readers import Candidate, ReadRequest
from modelwright.engines.language.rules.text.lexicon import spelled_out
from modelwright.engines.language.rules.text.words import stem, words
from modelwright.engines.language.vocabulary import any_case, word_set
from modelwright.engines.quoting import quoted

WHOLE = 1.0
"""How surely words name a column that is called so."""
MOST_NAMESAKES = 2
"""So many keys a name at most, of a key that is not called as the things are: `MRN` of patients."""
MOST_RENAMED = 0.05
"""Such a share of the keys may have several names."""
LONGEST_CODE = 4
"""Letters of the longest name that abbreviates what a key is: `MRN`, `VIN`."""
_OF_NOUNS = frozenset({
    Code.WORD_LEFT_OUT, Code.THING_LEFT_OUT, Code.OTHER_ROWS, Code.OTHER_KIND,
})  # fmt: skip
"""What may be found of a noun that no column of a statement is called after."""
_ASKED_THINGS = any_case(
    r"^\W*(?:(?:which|what|list|show|find|get|display|name|give me|tell me)\s+)?"
    r"(?:(?:me|us|the|all|our|any|of|different|distinct|unique)\s+)*(?P<noun>[a-z]+s)\b"
)
_KEY_ENDS = word_set("checks.key_names") | {"no", "nr", "num"}
_PARTS_OF_NAMES = word_set("names.parts_of_names")


@dataclass(frozen=True, slots=True)
class Thing:
    """What rows tell of by a key and the names that it has."""

    table: str
    key: str
    names: tuple[str, ...]
    is_loose: bool = False
    """Whether few keys have several names, written differently: one of them is shown."""

    @property
    def columns(self) -> tuple[str, ...]:
        """The key, and the names behind it."""
        return (self.key, *self.names)


class Showing:
    """What a question's tables tell of, looked up once where a statement shows it."""

    def __init__(self, request: ReadRequest, run: Callable[[str], Result]) -> None:
        self._request = request
        self._run = run
        self._facts = {(t.name, c.name): c for t in request.tables for c in t.columns}
        self._told: dict[str, dict[Thing, Thing | None]] = {}
        self._asked = {
            (one.table, one.column)
            for one in request.links.names
            if one.column and one.quality == WHOLE and len(spelled_out(one.text)) > 1
        }

    def whole(self, candidate: Candidate) -> Candidate:
        """Writes a candidate so that it tells things by their key and all of their names.

        Args:
            candidate: What a reader read.

        Returns:
            The candidate, its groups the same but for namesakes.
        """
        tree = parsed(candidate.sql)
        if not isinstance(tree, exp.Select):
            return candidate
        told, is_changed = candidate.interpretation, False
        for thing in self._things_in(tree):
            if self._is_row(thing):
                is_shown = not self._is_called(thing) and _list_wholly(tree, thing)
            else:
                is_shown = _show_wholly(tree, thing)
            if is_shown:
                is_changed = True
                told = _told_wholly(told, thing)
        if once := self._list_each_once(tree):
            is_changed = True
            first, _, rest = told.partition(" of ")
            told = f"The different {once} of {rest}" if first else ""
        if not is_changed:
            return candidate
        return replace(candidate, sql=str(tree.sql(dialect="duckdb")), interpretation=told)

    def settled(self, sql: str, findings: Sequence[Finding]) -> list[Finding]:
        """Leaves out doubts whether a key or the names of the same things are meant.

        Args:
            sql: What is in doubt.
            findings: What the checks found of it.

        Returns:
            The others; a noun is no rows of the table where a key tells what it calls.
        """
        told = [one for each in self._told.values() for one in each.values() if one is not None]
        used = [one for one in told if quoted(one.key) in sql]
        open_still = (
            one
            for one in findings
            if not _is_called_by_key(one, used) and not self._is_counted_by_key(one, used)
        )
        return [kept for one in open_still if (kept := _without_own_names(one, told)) is not None]

    def _is_counted_by_key(self, finding: Finding, used: Sequence[Thing]) -> bool:
        """Whether keys are counted as different ones, of things that the question speaks of."""
        said = {word.stem for word in words(self._request.question)}
        return finding.code is Code.DISTINCT_ADDED and any(
            f"“{thing.key}”" in finding.message and _owner(thing) in said for thing in used
        )

    def _list_each_once(self, tree: exp.Select) -> str:
        """Lists the things that were asked for, each once, in the place of rows that tell of them.

        `Drivers with cancelled rentals` are drivers. Returns the columns that are shown then; an
        empty text where the statement stays as it is.
        """
        asked = _ASKED_THINGS.match(self._request.question)
        table = self._only_table(tree)
        if asked is None or table is None or not _lists_some(tree):
            return ""
        noun = stem(asked["noun"].casefold())
        shown = [one.name for one in tree.selects if isinstance(one, exp.Column)]
        thing = self._thing_called(noun, table) or self._kind_shown(noun, table, shown)
        if thing is None:
            return ""
        kept: list[exp.Expression] = []
        if not _shows_star(tree):
            if shown[:1] != [thing.key]:
                return ""
            kept = self._named_beside(tree, thing)
        columns = [exp.column(one, quoted=True) for one in thing.columns]
        is_narrowed = tree.args.get("where") is not None
        if not is_narrowed and not self._has_one_each(thing, tree.selects):
            return ""
        tree.set("expressions", [*columns, *kept])
        tree.set("distinct", exp.Distinct())
        return ", ".join([*thing.columns, *(one.name for one in kept)]).replace("_", " ")

    def _has_one_each(self, thing: Thing, shown: Sequence[exp.Expression]) -> bool:
        """Whether all rows of a thing show the same of it: a hall has one address, many days."""
        if not all(isinstance(one, exp.Column) for one in shown):
            return False
        told = ", ".join(quoted(one.name) for one in shown)
        counted = f"SELECT count(*) FROM (SELECT DISTINCT {told} FROM {quoted(thing.table)})"  # noqa: S608
        rows = self._run(counted).rows
        facts = self._facts[thing.table, thing.key]
        return bool(rows) and rows[0][0] == facts.distinct + bool(facts.missing)

    def _thing_called(self, noun: str, table: CatalogTable) -> Thing | None:
        """Returns the things that a noun calls, of which a table tells several times."""
        things = [one for one in self._told.get(table.name, {}).values() if one is not None]
        return next((one for one in things if _owner(one) == noun and not self._is_row(one)), None)

    def _kind_shown(self, noun: str, table: CatalogTable, shown: Sequence[str]) -> Thing | None:
        """Returns the things that the first column shown tells, if it is called by the noun."""
        kind = table.column(shown[0]) if shown else None
        if kind is None or not self._is_kind(table, kind, noun):
            return None
        return Thing(table.name, kind.name, ())

    def _named_beside(self, tree: exp.Select, thing: Thing) -> list[exp.Expression]:
        """Returns what else is shown and was asked for by its whole name."""
        links = self._request.links.names
        named = {one.column for one in links if one.quality == WHOLE and one.column}
        return [one for one in tree.selects if one.name in named and one.name not in thing.columns]

    def _is_kind(self, table: CatalogTable, column: CatalogColumn, noun: str) -> bool:
        """Whether a column is called as what was asked for, and its values have many rows each."""
        facts = self._facts[table.name, column.name]
        is_called = [stem(part) for part in spelled_out(column.name)] == [noun]
        return is_called and 2 * facts.distinct <= facts.rows - facts.missing

    def _only_table(self, tree: exp.Select) -> CatalogTable | None:
        """Returns the one table that a statement reads."""
        tables = {one.name.casefold() for one in tree.find_all(exp.Table)}
        known = [t for t in self._request.catalog.tables if t.name.casefold() in tables]
        return known[0] if len(known) == len(tables) == 1 else None

    def _things_in(self, tree: exp.Select) -> Iterator[Thing]:
        """Yields the things of the only table of a statement that it reads."""
        table = self._only_table(tree)
        if table is None:
            return
        read = {one.name.casefold() for one in tree.find_all(exp.Column)}
        is_star = _shows_star(tree)
        self._told.setdefault(table.name, {})
        for one in _candidates(table, self._facts):
            is_read = is_star or any(name.casefold() in read for name in one.columns)
            is_asked = any((table.name, name) in self._asked for name in one.columns)
            if is_read and not is_asked and (thing := self._found(one)):
                yield thing

    def _found(self, thing: Thing) -> Thing | None:
        """Returns the things if their keys have one name each, or few have more; looked up once."""
        known = self._told[thing.table]
        if thing not in known:
            key, table = quoted(thing.key), quoted(thing.table)
            listed = ", ".join(map(quoted, thing.columns))
            found = self._run(
                f"SELECT count(*), count_if(n > 1) FROM (SELECT {key}, count(*) AS n FROM"  # noqa: S608 - quoted names
                f" (SELECT DISTINCT {listed} FROM {table} WHERE {key} IS NOT NULL) GROUP BY {key})"
            )
            keys, renamed = found.rows[0] if found.ran and found.rows else (0, 1)
            is_told = renamed <= MOST_RENAMED * keys
            known[thing] = replace(thing, is_loose=renamed > 0) if is_told else None
        return known[thing]

    def _is_row(self, thing: Thing) -> bool:
        """Whether every row is another thing."""
        facts = self._facts[thing.table, thing.key]
        return facts.distinct == facts.rows

    def _is_called(self, thing: Thing) -> bool:
        """Whether the first of its names tells each row from all others."""
        facts = self._facts[thing.table, thing.names[0]]
        return facts.distinct == facts.rows


def _is_called_by_key(finding: Finding, used: Sequence[Thing]) -> bool:
    """Whether a noun that is in doubt is what a key that is used tells apart."""
    called = {_owner(one) for one in used} - {""}
    nouns = {stem(word.casefold()) for word in finding.words}
    return finding.code in _OF_NOUNS and bool(nouns) and nouns <= called


def _without_own_names(finding: Finding, told: Sequence[Thing]) -> Finding | None:
    """Returns a doubt which column is meant without the names of a key; None if none is left."""
    of_key = [thing for thing in told if finding.words[:1] == (thing.key,)]
    names = {name for thing in of_key for name in thing.names}
    if finding.code is not Code.AMBIGUOUS_NAME or names.isdisjoint(finding.words[1:]):
        return finding
    others = [name for name in finding.words[1:] if name not in names]
    return replace(finding, words=(finding.words[0], *others)) if others else None


def _candidates(table: CatalogTable, facts: dict[tuple[str, str], ColumnFacts]) -> Iterator[Thing]:
    """Yields the keys of a table with the names that go by the same noun."""
    texts = [one.name for one in table.columns if facts[table.name, one.name].type == "string"]
    names = _names_by_noun(texts)
    for noun, key in _keys_by_noun(table).items():
        called_so = [name for name in texts if _parts(name) == _parts(key)[:-1]]
        if noun and (of_key := names.pop(noun, []) or called_so):
            yield Thing(table.name, key, tuple(of_key))
    for noun, without_key in names.items():
        key_of = _coded(table, facts, without_key) if noun else table.key
        if key_of:
            yield Thing(table.name, key_of, tuple(without_key))


def _keys_by_noun(table: CatalogTable) -> dict[tuple[str, ...], str]:
    """Returns the first key of each noun, by its stems: Driver ID by `driv`."""
    keys: dict[tuple[str, ...], str] = {}
    for column in table.columns:
        *noun, end = _parts(column.name)
        if end in _KEY_ENDS and column.role in {Role.ID, Role.DIMENSION}:
            keys.setdefault(tuple(map(stem, noun)), column.name)
    return keys


def _names_by_noun(texts: Sequence[str]) -> dict[tuple[str, ...], list[str]]:
    """Returns the names of each noun, by its stems; a Name alone is of no noun."""
    names: dict[tuple[str, ...], list[str]] = {}
    for text in texts:
        parts = _parts(text)
        if parts[-1] == "name":
            noun = tuple(stem(part) for part in parts if part not in _PARTS_OF_NAMES)
            names.setdefault(noun, []).append(text)
    return names


def _parts(name: str) -> list[str]:
    return [part.casefold() for part in spelled_out(name)]


def _coded(
    table: CatalogTable, facts: dict[tuple[str, str], ColumnFacts], names: Sequence[str]
) -> str | None:
    """Finds the one key that an abbreviation calls, of about as many things as have names."""
    named = max(facts[table.name, name].distinct for name in names)
    found = [
        one.name
        for one in table.columns
        if one.name.isupper() and one.name.isalpha() and len(one.name) <= LONGEST_CODE
        if one.name != table.key and facts[table.name, one.name].type == "string"
        if named <= facts[table.name, one.name].distinct <= MOST_NAMESAKES * named
    ]
    return found[0] if len(found) == 1 else None


def _owner(thing: Thing) -> str:
    """Returns the one word that things go by, as a stem: `driv` of Driver ID."""
    told = spelled_out(thing.names[0] if thing.names else thing.key)
    own = [one for part in told if (one := part.casefold()) not in _PARTS_OF_NAMES | _KEY_ENDS]
    return stem(own[0]) if len(own) == 1 else ""


def _shows_star(tree: exp.Select) -> bool:
    return any(isinstance(one, exp.Star) for one in tree.selects)


def _lists_some(tree: exp.Select) -> bool:
    """Whether single rows are listed, in no order."""
    made = ("group", "distinct", "order", "limit", "joins", "qualify")
    is_plain = not any(tree.args.get(one) for one in made)
    return is_plain and not any(one.find(exp.AggFunc) for one in tree.selects)


def _list_wholly(tree: exp.Select, thing: Thing) -> bool:
    """Shows the key and the names in a list that shows one of them."""
    is_made = any(tree.args.get(one) is not None for one in ("group", "distinct"))
    is_list = not is_made and not _computes(tree)
    before = tree.selects
    if is_list and any(_is_of(one, thing) for one in before):
        tree.set("expressions", _put_wholly(before, thing))
    return len(tree.selects) > len(before)


def _computes(tree: exp.Select) -> bool:
    return any(one.find(exp.AggFunc, exp.Star) for one in tree.selects)


def _show_wholly(tree: exp.Select, thing: Thing) -> bool:
    """Shows the key and the names where one of them is shown, grouped by or counted."""
    before = tree.sql()
    group = tree.args.get("group")
    shows = any(_is_of(one, thing) for one in tree.selects)
    if group is not None and any(_is_of(one, thing) for one in group.expressions):
        grouped = replace(thing, names=()) if thing.is_loose else thing
        group.set("expressions", _put_wholly(group.expressions, grouped))
        _break_ties_by_key(tree, thing)
        if shows:
            tree.set("expressions", _put_wholly(tree.selects, thing, is_grouped=thing.is_loose))
    elif shows and group is None and not _computes(tree):
        tree.set("expressions", _put_wholly(tree.selects, thing))
    _count_by_key(tree, thing)
    return bool(tree.sql() != before)


def _count_by_key(tree: exp.Select, thing: Thing) -> None:
    """Counts different keys in the place of different names."""
    for one in tree.find_all(exp.Count):
        counted = one.this.expressions[0] if isinstance(one.this, exp.Distinct) else None
        if counted is not None and _is_of(counted, thing):
            label = one.parent
            if isinstance(label, exp.Alias) and label.alias == f"distinct_{counted.name}":
                label.set("alias", exp.to_identifier(f"distinct_{thing.key}", quoted=True))
            counted.set("this", exp.to_identifier(thing.key, quoted=True))


def _put_wholly(
    told: Sequence[exp.Expression], thing: Thing, *, is_grouped: bool = False
) -> list[exp.Expression]:
    """Puts key and names where one of them stands; of several names in a group any one."""
    made: list[exp.Expression] = []
    is_put = False
    for one in told:
        if not (_is_of(one, thing) or (is_put and _is_called_of(one, thing))):
            made.append(one)
        elif not is_put:
            is_put = True
            for name in thing.columns:
                more = one.copy()
                more.set("this", exp.to_identifier(name, quoted=True))
                is_any = is_grouped and name != thing.key
                any_of = exp.AnyValue(this=more)
                made.append(exp.alias_(any_of, name, quoted=True) if is_any else more)
    return made


def _is_called_of(one: exp.Expression, thing: Thing) -> bool:
    return isinstance(one, exp.Alias) and one.alias in thing.names


def _break_ties_by_key(tree: exp.Select, thing: Thing) -> None:
    """Orders groups of one figure by the key; by their names only what is sorted by them."""
    order = tree.args.get("order")
    first = 0 if thing.is_loose else 1
    for one in order.expressions[first:] if order is not None else ():
        if isinstance(one, exp.Ordered) and _is_of(one.this, thing):
            one.this.set("this", exp.to_identifier(thing.key, quoted=True))


def _is_of(one: exp.Expression, thing: Thing) -> bool:
    names = {name.casefold() for name in thing.columns}
    return isinstance(one, exp.Column) and one.name.casefold() in names


def _told_wholly(before: str, thing: Thing) -> str:
    """Says that things are told by key and name."""
    key, *names = (one.replace("_", " ") for one in thing.columns)
    all_of_it = f"{key} ({', '.join(names)})"
    if all(name in before for name in names) and key in before:
        return before
    first = key if key in before else next((one for one in names if one in before), "")
    return before.replace(first, all_of_it, 1) if first else before


def with_figure(candidate: Candidate) -> Candidate:
    """Writes a candidate so that it shows the figure that it ranks or tests groups by.

    Args:
        candidate: What was read and checked.

    Returns:
        The candidate, of the same rows, with one column more where a figure decides unseen.
    """
    tree = parsed(candidate.sql)
    if not isinstance(tree, exp.Select) or not _show_figure(tree):
        return candidate
    return replace(candidate, sql=str(tree.sql(dialect="duckdb")))


def _show_figure(tree: exp.Select) -> bool:
    """Shows the figure that groups or rows are ranked by, or that groups are tested by."""
    if any(one.find(exp.Star) and not one.find(exp.AggFunc) for one in tree.selects):
        return False
    figure = _ranked_by(tree) or _tested_by(tree)
    shown = {one.unalias().sql() for one in tree.selects}
    if figure is None or figure.sql() in shown or tree.args.get("distinct"):
        return False
    is_group = tree.args.get("group") is not None
    if is_group is not (figure.find(exp.AggFunc) is not None):
        return False
    if is_group and any(
        one.find(exp.AggFunc) for one in tree.selects if not one.find(exp.AnyValue)
    ):
        return False
    tree.select(_called(figure), copy=False)
    return True


def _ranked_by(tree: exp.Select) -> exp.Expression | None:
    order = tree.args.get("order")
    is_cut = tree.args.get("limit") is not None or tree.args.get("group") is not None
    if order is None or not is_cut:
        return None
    first = order.expressions[0]
    figure: exp.Expression = first.this if isinstance(first, exp.Ordered) else first
    if isinstance(figure, exp.Column):
        return figure
    is_figure = figure.find(exp.AggFunc) is not None and figure.find(exp.AnyValue) is None
    return figure if is_figure else None


def _tested_by(tree: exp.Select) -> exp.Expression | None:
    having = tree.args.get("having")
    test = having.this if having is not None else None
    is_one = isinstance(test, exp.GT | exp.GTE | exp.LT | exp.LTE | exp.EQ | exp.Between)
    figure: exp.Expression | None = test.this if test is not None and is_one else None
    return figure if figure is not None and figure.find(exp.AggFunc) is not None else None


def _called(figure: exp.Expression) -> exp.Expression:
    """Calls a figure as the readers call it: `count`, `sum_amount`."""
    if isinstance(figure, exp.Column):
        return figure.copy()
    inner = figure.this
    kinds = inner.expressions[0] if isinstance(inner, exp.Distinct) else None
    if isinstance(figure, exp.Count) and isinstance(inner, exp.Star):
        name = "count"
    elif isinstance(kinds, exp.Column):
        name = f"distinct_{kinds.name}"
    elif isinstance(figure, exp.AggFunc) and isinstance(inner, exp.Column):
        name = f"{figure.sql_name().lower()}_{inner.name}"
    else:
        name = "ratio" if isinstance(figure, exp.Div) else "figure"
    return exp.alias_(figure.copy(), name, quoted=True)
