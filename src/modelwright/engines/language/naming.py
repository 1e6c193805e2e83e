"""Which words of a question name a table: its whole name, a telling part, a shared concept."""

from collections.abc import Sequence

from modelwright.engines.language.index import Index
from modelwright.engines.language.linking import Name, Term
from modelwright.engines.language.words import stem

_PLAIN = frozenset({"data", "list", "tabl", "ref", "info"})


def named_tables(terms: Sequence[Term], index: Index) -> dict[str, list[int]]:
    """The words that name a table: its whole name first, else a telling part of it."""
    named = {name.written: own_parts(name) for name in index.table_names}
    whole: dict[str, list[int]] = {}
    for table, parts in sorted(named.items(), key=lambda pair: -len(pair[1])):
        taken = {at for places in whole.values() for at in places}
        places = [at for at in _together(terms, parts) if len(parts) > 1 or at not in taken]
        if places:
            whole[table] = places
    taken = {at for places in whole.values() for at in places}
    for table, parts in named.items():
        left = [
            at
            for at, term in enumerate(terms)
            if term.weight == 1 and term.stem in parts and at not in taken
        ]
        if left and table not in whole:
            whole[table] = left
    return {name: whole[name] for name in named if name in whole} or _by_concept(terms, index)


def own_parts(name: Name) -> frozenset[str]:
    """The stems of a table's name that tell it from others."""
    parts = frozenset(stem(part.text) for part in name.terms)
    return parts - _PLAIN or parts


def _together(terms: Sequence[Term], parts: frozenset[str]) -> list[int]:
    """Where all the parts of a name stand side by side, at most a small word between."""
    found: list[int] = []
    run: list[int] = []
    for at, term in enumerate(terms):
        if term.stem in parts and term.weight == 1:
            run = [*run, at][-len(parts) :]
        elif term.weight == 1:
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
