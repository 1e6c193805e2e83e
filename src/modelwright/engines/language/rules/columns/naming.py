"""Which words of a question name a table: its whole name, a telling part, a shared concept."""

import re
from collections.abc import Collection, Sequence

from modelwright.engines.language.rules.columns.index import Index
from modelwright.engines.language.rules.columns.linking import Name, Term
from modelwright.engines.language.rules.text.words import name_parts, squeezed, stem

_PLAIN = frozenset({"data", "list", "tabl", "ref", "info"})
_PARTS = frozenset({"name", "id", "code", "date", "time", "type", "numb", "titl"})
"""What a word names in rows of any table, so that alone it names none."""
_KEY = re.compile(r"(?P<rows>[A-Za-z]{3,}?)(?:_id|_no|_number|I[Dd]|No)")
_ROOT = 6
_PLACED = frozenset({"at", "in", "on"})
_JOINING = frozenset({"of", "the"})
_DONE = re.compile(r"(?:ed|ing)$")
_DOER = re.compile(r"(?:[eo]r|ee|ant|ist)s?$")
_WHO = frozenset({"who", "that", "which", "he", "she", "it"})
_ONE = frozenset(
    ["a", "an", "the", "each", "every", "one", "which", "what", "any", "no", "per", "never", "been"]
)


def named_tables(terms: Sequence[Term], index: Index) -> dict[str, list[int]]:
    """The words that name a table: its whole name first, else a telling part of it."""
    named = {name.written: own_parts(name) for name in index.table_names}
    others = {at: _others(term, index.table_names) for at, term in enumerate(terms)}
    whole: dict[str, list[int]] = {}
    for table, parts in sorted(named.items(), key=lambda pair: -len(pair[1])):
        taken = {at for places in whole.values() for at in places}
        taken |= {at for at in others if table in others[at]}
        places = [at for at in _together(terms, parts) if len(parts) > 1 or at not in taken]
        if places:
            whole[table] = places
    taken = {at for places in whole.values() for at in places}
    for table, parts in named.items():
        left = [
            at
            for at, term in enumerate(terms)
            if term.weight == 1 and term.stem in parts - _PARTS and at not in taken
            if table not in others[at]
        ]
        if left and table not in whole:
            whole[table] = left
    for table, parts in named.items():
        rooted = [
            at
            for at, term in enumerate(terms)
            if table not in others[at] and _does(term, parts, least=_ROOT - bool(others[at]))
        ]
        if rooted and table not in whole:
            whole[table] = rooted
    taken = {at for places in whole.values() for at in places}
    for table, places in _by_concept(terms, index).items():
        left = [at for at in places if not taken or _apart(terms, at, index)]
        if set(left) - taken and table not in whole:
            whole[table] = left
    whole = _by_key(terms, index) | whole
    return _heads(terms, {name: whole[name] for name in named if name in whole})


def _by_key(terms: Sequence[Term], index: Index) -> dict[str, list[int]]:
    """`Readings` of a table daily_output, which its key calls so: reading_id."""
    found: dict[str, list[int]] = {}
    parts = frozenset().union(*(own_parts(name) for name in index.table_names))
    pointing = {(key.table, key.column) for key in index.keys}
    for table in index.tables if len(index.tables) > 1 else ():
        key = index.key(table.name)
        called = _KEY.fullmatch(key.facts.name) if key else None
        if key is None or called is None or (table.name, key.facts.name) in pointing:
            continue
        rows = f"{called['rows'].lower()}s"
        places = [
            at for at, term in enumerate(terms) if term.text == rows and term.stem not in parts
        ]
        if places:
            found[table.name] = places
    return found


def _does(term: Term, parts: Collection[str], *, least: int) -> bool:
    """`Exhibited` is what is done in a table of exhibitions."""
    if not term.text.endswith("ed") or len(term.stem) < least:
        return False
    root = term.stem[: max(least, len(term.stem) - 1)]
    return any(part.startswith(root) for part in parts)


def _others(term: Term, names: Sequence[Name]) -> frozenset[str]:
    """Tables named like a word that means another: `observations` of observers, who observe.

    A verb means what is done, not those who do it.
    """
    done = term.text.endswith("ed")
    alike = {
        name.written: name
        for name in names
        if any(p == term.stem or (done and p.startswith(term.stem)) for p in own_parts(name))
    }
    own = {written for written, name in alike.items() if _written(term, name)}
    if not own and done:
        own = {written for written in alike if not _DOER.search(name_parts(written)[-1])}
    return frozenset(alike) - own if own and term.weight == 1 else frozenset()


def _written(term: Term, name: Name) -> bool:
    """Whether a part of a name is a word as it is written, in the singular or the plural."""
    return any(term.text.removesuffix("s") == part.text.removesuffix("s") for part in name.terms)


def _apart(terms: Sequence[Term], at: int, index: Index) -> bool:
    """Whether a word is used as a noun or denied, and no column's name has it."""
    before = terms[at - 1].text if at else ""
    plural = terms[at].text.endswith("s") and before not in _WHO
    called = (index.columns[column] for column, _ in index.by_stem.get(terms[at].stem, ()))
    written = {stem(part) for column in called for part in name_parts(column.facts.name)}
    return before == "never" or ((plural or before in _ONE) and terms[at].stem not in written)


def _heads(terms: Sequence[Term], found: dict[str, list[int]]) -> dict[str, list[int]]:
    """Leaves out what only tells which rows of another are meant: `car` of `car models`."""
    all_places = {at: table for table, places in found.items() for at in places}
    told = {
        at
        for at, table in all_places.items()
        if all_places.get(at + 1, table) != table
        and not (terms[at].text.endswith(("s", "ed")) or _DONE.search(terms[at + 1].text))
    }
    kept = {table: [at for at in places if at not in told] for table, places in found.items()}
    return {table: places for table, places in kept.items() if places}


def own_parts(name: Name) -> frozenset[str]:
    """The stems of a table's name that tell it from others."""
    parts = frozenset(stem(part.text) for part in name.terms)
    return parts - _PLAIN or parts


def _together(terms: Sequence[Term], parts: frozenset[str]) -> list[int]:
    """Where all the parts of a name stand side by side, at most `of` or `the` between."""
    found: list[int] = []
    run: list[int] = []
    for at, term in enumerate(terms):
        if term.stem in parts and term.weight == 1:
            run = [*run, at][-len(parts) :]
        elif term.text not in _JOINING:
            run = []
        if run and run[-1] == at and {terms[one].stem for one in run} == parts:
            found += run
            run = []
    return found


def _by_concept(terms: Sequence[Term], index: Index) -> dict[str, list[int]]:
    """Nations for a table called country."""
    found: dict[str, list[int]] = {}
    for name in index.table_names:
        about = frozenset().union(*(part.concepts for part in name.terms))
        for at, term in enumerate(terms):
            if term.weight == 1 and term.concepts & about:
                found.setdefault(name.written, []).append(at)
    return found if len(index.tables) > 1 else {}


def written_as(run: Sequence[Term], index: Index) -> Sequence[int]:
    """The columns whose name is the words without the spaces: `kids at home` of Kidhome too."""
    joined = "".join(squeezed(term.text) for term in run)
    found = index.by_squeezed.get(joined, ()) if joined else ()
    if found or len(run) == 1 or min(run[0].weight, run[-1].weight) < 1:
        return found
    if any(term.weight < 1 and term.text not in _PLACED for term in run):
        return ()
    telling = (squeezed(term.text).removesuffix("s") for term in run if term.weight == 1)
    return index.by_squeezed.get("".join(telling), ())
