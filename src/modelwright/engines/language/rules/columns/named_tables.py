"""Which words of a question name a table: its whole name, a telling part, a shared concept.

Most words that name a table also name columns or values, and a table that is wrongly taken for
named pulls in joins that repeat rows. So the ways in which a table may be named are tried from the
surest on, each with what rules it out.
"""

import re
from collections.abc import Collection, Mapping, Sequence

from modelwright.engines.language.rules.columns.index import Index
from modelwright.engines.language.rules.columns.linking import Name, Term
from modelwright.engines.language.rules.text.words import name_parts, squeezed, stem
from modelwright.engines.language.vocabulary import word_set

_PLAIN = word_set("names.plain_table_stems")
_OF_ANY = word_set("names.of_any_table")
_KEY = re.compile(r"(?P<rows>[A-Za-z]{3,}?)(?:_id|_no|_number|I[Dd]|No)")
_SHORTEST_ROOT = 6
"""In letters: a shorter stem begins too many names."""
_PLACED = frozenset({"at", "in", "on"})
_JOINING = frozenset({"of", "the"})
_DONE = re.compile(r"(?:ed|ing)$")
_DOER = re.compile(r"(?:[eo]r|ee|ant|ist)s?$")
_WHO = word_set("small_words.doers")
_BEFORE_NOUN = word_set("small_words.before_noun")
Places = dict[str, list[int]]
"""By the name of a table the places of the words that name it."""


def named_tables(terms: Sequence[Term], index: Index) -> Places:
    """The words that name a table: its whole name first, else a telling part of it."""
    parts = {name.written: own_parts(name) for name in index.table_names}
    others = [_others(term, index.table_names) for term in terms]
    found = _by_whole_name(terms, parts, others)
    found = _by_telling_part(terms, parts, others, _taken(found)) | found
    found = _by_what_is_done(terms, parts, others) | found
    found = _by_concept(terms, index, _taken(found)) | found
    found = _by_key(terms, index) | found
    return _heads(terms, {table: found[table] for table in parts if table in found})


def _taken(found: Places) -> set[int]:
    return {at for places in found.values() for at in places}


def _by_whole_name(
    terms: Sequence[Term], parts: Mapping[str, frozenset[str]], others: Sequence[frozenset[str]]
) -> Places:
    """All parts of a name side by side; of names that share a word the longest."""
    found: Places = {}
    for table, own in sorted(parts.items(), key=lambda pair: -len(pair[1])):
        taken = _taken(found) | {at for at, of in enumerate(others) if table in of}
        places = [at for at in _together(terms, own) if len(own) > 1 or at not in taken]
        if places:
            found[table] = places
    return found


def _by_telling_part(
    terms: Sequence[Term],
    parts: Mapping[str, frozenset[str]],
    others: Sequence[frozenset[str]],
    taken: Collection[int],
) -> Places:
    """A part of a name that rows of other tables do not have."""
    found = {
        table: [
            at
            for at, term in enumerate(terms)
            if term.weight == 1 and term.stem in own - _OF_ANY
            if at not in taken and table not in others[at]
        ]
        for table, own in parts.items()
    }
    return {table: places for table, places in found.items() if places}


def _by_what_is_done(
    terms: Sequence[Term], parts: Mapping[str, frozenset[str]], others: Sequence[frozenset[str]]
) -> Places:
    """`Exhibited` is what is done in a table of exhibitions."""
    found = {
        table: [
            at
            for at, (term, of) in enumerate(zip(terms, others, strict=True))
            if table not in of and _does(term, own, least=_SHORTEST_ROOT - bool(of))
        ]
        for table, own in parts.items()
    }
    return {table: places for table, places in found.items() if places}


def _by_key(terms: Sequence[Term], index: Index) -> Places:
    """`Readings` of a table daily_output, which its key calls so: reading_id."""
    found: Places = {}
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
    """Whether what is done has the root of a name."""
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
    return before == "never" or (
        (plural or before in _BEFORE_NOUN) and terms[at].stem not in written
    )


def _heads(terms: Sequence[Term], found: Places) -> Places:
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


def _by_concept(terms: Sequence[Term], index: Index, taken: Collection[int]) -> Places:
    """Nations for a table called country; beside other tables' names only where they are apart."""
    found: Places = {}
    for name in index.table_names if len(index.tables) > 1 else ():
        about = frozenset().union(*(part.concepts for part in name.terms))
        places = [
            at
            for at, term in enumerate(terms)
            if term.weight == 1 and term.concepts & about
            if not taken or _apart(terms, at, index)
        ]
        if set(places) - set(taken):
            found[name.written] = places
    return found


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
