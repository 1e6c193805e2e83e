"""Which possible conditions on several tables can't be meant, and which follow from another.

Over several tables nearly any word or number is held somewhere: 3 is an id, a month and a count.
These rules take out what nobody means before the likeliest conditions are chosen, as no weight
could make up for so many rivals.
"""

from collections.abc import Sequence

from modelwright.engines.language.rules.columns.index import Column
from modelwright.engines.language.rules.conditions.partial_values import is_counted_kind
from modelwright.engines.language.rules.lookups.clues import Wanted
from modelwright.engines.language.rules.mentions.draft import Draft
from modelwright.engines.language.rules.mentions.mention import EXACTLY_NAMED, PARTLY_NAMED
from modelwright.engines.language.rules.text.patterns import pattern
from modelwright.engines.language.vocabulary import word_set

_DATED = pattern("filters dated")
AGAINST = frozenset({"vs", "vs.", "versus"})
_ANYBODY = word_set("values.of_anybody")
_PLACED = frozenset({"in", "from", "of", "at", "by", "for", "is", "are", "="})
_RARE = 20
"""A value of so many times fewer rows than another is a rarity."""
_MOST_RIVALS = 10
"""More columns that hold a value are not told apart by their rows."""


def is_unlikely(draft: Draft, one: Wanted, possible: Sequence[Wanted]) -> bool:
    """A number for an identifier nobody names, no year where one is meant, a common noun."""
    if "number" in one.features:
        return _is_odd_number(draft, one, possible)
    return any(_nearer(draft, other, one) for other in possible) or _is_common_noun(draft, one)


def _is_odd_number(draft: Draft, one: Wanted, possible: Sequence[Wanted]) -> bool:
    unnamed_key = "named" not in one.features and one.column.identifier
    if one.op != "=" and (unnamed_key or _is_key(draft, one.column)):
        return True
    if _is_of_unnamed_table(draft, one, possible):
        return True
    dated = _DATED.search(draft.lower[: draft.question.words[one.end - 1].end])
    years = dated and any(_tells_year(o) and o.start == one.start for o in possible)
    beside = one.features.get("adjacent") or one.features.get("linked")
    return bool(years) and not beside and not _tells_year(one)


def _is_common_noun(draft: Draft, one: Wanted) -> bool:
    """Whether a proper name is written as a common noun, and that is the name of something."""
    small = not draft.question.words[one.start].raw[:1].isupper()
    proper = str(one.value)[:1].isupper() and not one.features.get("quoted")
    return (
        proper
        and small
        and any(
            m.end >= one.end
            and (m.explained > EXACTLY_NAMED or m.end - m.start > one.end - one.start)
            for m in draft.question.mentions.over(one.start)
        )
    )


def without_counted(draft: Draft, possible: Sequence[Wanted]) -> list[Wanted]:
    """`How many regions does Indonesia have`: it is no region itself where it may be a country."""
    many = (at for at, word in enumerate(draft.question.words) if word.text == "many")
    kinds = {
        mention.column
        for at in many
        for mention in draft.question.mentions.starting(at + 1, at + 2)
        if mention.named > EXACTLY_NAMED and is_counted_kind(draft, mention)
    }
    others = {(one.start, one.end) for one in possible if one.column not in kinds}
    return [
        one for one in possible if one.column not in kinds or (one.start, one.end) not in others
    ]


def without_anybody(draft: Draft, possible: list[Wanted]) -> list[Wanted]:
    """`How many people left` are all who left, and not those of the department People."""
    said = enumerate(draft.question.words)
    whoever = {at for at, word in said if word.text in _ANYBODY and word.raw == word.text}
    if not whoever:
        return possible
    return [one for one in possible if one.start not in whoever or _is_of_a_kind(draft, one)]


def _is_of_a_kind(draft: Draft, one: Wanted) -> bool:
    """Whether a word for people is told as a value: `in people`, `the people team`."""
    beside = one.features.get("adjacent") or one.features.get("linked")
    placed = draft.text(one.start - 1, one.start) in _PLACED
    return one.end - one.start > 1 or placed or bool(beside)


def without_rarities(possible: Sequence[Wanted]) -> list[Wanted]:
    """Leaves out rarities: where hundreds of rows are of an industry, no source of six is meant."""
    places: dict[tuple[int, int], list[Wanted]] = {}
    for one in possible:
        if "text" in one.features and "unnamed" in one.features and not one.column.listed:
            places.setdefault((one.start, one.end), []).append(one)
    rare = []
    for told in places.values():
        if 1 < len(told) <= _MOST_RIVALS:
            rows = [one.column.times(one.value) for one in told]
            most = max(rows)
            rare += [one for one, here in zip(told, rows, strict=True) if _RARE * here < most]
    return [one for one in possible if one not in rare] if rare else list(possible)


def compared_sides(draft: Draft, possible: Sequence[Wanted]) -> list[Wanted]:
    """Of `red vs green` both values are of one column, that of the most rows."""
    sides = {at for at, word in enumerate(draft.question.words) if word.text in AGAINST}
    told = [one for one in possible if "text" in one.features]
    pairs = [
        (one, other)
        for one in told
        if one.end in sides
        for other in told
        if one.column is other.column and other.start == one.end + 1
    ]
    if not pairs:
        return []
    return list(max(pairs, key=lambda pair: sum(each.column.times(each.value) for each in pair)))


def _is_key(draft: Draft, column: Column) -> bool:
    at = column.table, column.facts.name
    return any((key.table, key.column) == at for key in draft.index.keys)


def _nearer(draft: Draft, one: Wanted, other: Wanted) -> bool:
    """`Houses in Faro` are in Faro, not their owners, who are spoken of before."""
    if (one.start, one.end) != (other.start, other.end) or one.column.table == other.column.table:
        return False
    return _last_said(draft, one) > max(_last_said(draft, other), 0)


def _last_said(draft: Draft, one: Wanted) -> int:
    """The last word before a value that speaks of its table, by name or by a value it alone has."""
    table, found = one.column.table, [-1]
    found += [at for at in draft.question.tables.get(table, ()) if at < one.start]
    for link in draft.question.values:
        if link.end <= one.start and {held.column.table for held in link.held} == {table}:
            found.append(link.start)
    return max(found)


def _is_of_unnamed_table(draft: Draft, one: Wanted, possible: Sequence[Wanted]) -> bool:
    """`Pets whose age` is of no other table that has an age too."""
    named = draft.question.tables
    return one.column.table not in named and any(
        other.start == one.start
        and other.column.table in named
        and other.features.get("named", 0.0) > PARTLY_NAMED
        for other in possible
    )


def _tells_year(one: Wanted) -> bool:
    named = any(term.text == "year" for term in one.column.name.terms)
    return "number" in one.features and (named or bool(one.features.get("year")))


def further_tests(
    draft: Draft, chosen: Sequence[Wanted], possible: Sequence[Wanted]
) -> list[Wanted]:
    """`No less than 3000 and no more than 4000` tests one column twice."""
    found = []
    for one in possible:
        free = all(one.end <= other.start or other.end <= one.start for other in chosen)
        before = [o for o in chosen if o.end <= one.start and "number" in o.features]
        if not free or not before or "number" not in one.features or one.op == "=":
            continue
        last = max(before, key=lambda other: other.end)
        joined = set(draft.text(last.end, one.start).split()) <= {"and", "but", "or"}
        if last.column is one.column and last.op != one.op and joined:
            found.append(one)
    return found
