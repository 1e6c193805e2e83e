"""What a question over several tables shows: columns, aggregates of them, counts of rows.

Over several tables the same name stands in many of them, and each column that is shown may bring in
a join. Items are read in the order of the words, and a word that is counted, tested or only leads
to another table shows nothing.
"""

import re
from collections.abc import Sequence
from typing import cast

from modelwright.engines.language.rules.columns.index import Column, ref
from modelwright.engines.language.rules.measures.extremes import timely
from modelwright.engines.language.rules.mentions.best_mentions import best_mentions
from modelwright.engines.language.rules.mentions.draft import Draft, columns_of, named_tables
from modelwright.engines.language.rules.mentions.mention import WHOLLY_NAMED, Mention
from modelwright.engines.language.rules.plans.plan import Aggregate, Measure
from modelwright.engines.language.rules.several.condition_clauses import after_tail, first_tail
from modelwright.engines.language.rules.several.counted_items import read_counts
from modelwright.engines.language.rules.text.patterns import pairs, pattern, patterns

_KINDS = patterns("measuring kinds")
_EVERYTHING = pattern("heads everything")
_DISTINCT = pattern("measuring distinct")
_COUNTED = frozenset({"superlative", "group test"})
_SECOND = pattern("heads second")
_OF_ROWS = pattern("heads of rows")
_ROLE_NAMES = {kind: fits for kind, _, fits in pairs("clues roles")}
_SUPER = pattern("superlatives super")
_LISTED = re.compile(
    r"(?:,|\band|\balong with|\bas well as|\btogether with|\bplus)"
    r"(?: (?:the|their|its|his|her))*\s*\Z"
)
_DONE = re.compile(r"(?:ed|wn|ught|old|aid|ade|ung)$")
_ALONG = re.compile(r"\b(?:along with|together with|as well as|and) (?:the|their|its|his|her)\b")
_FIRST = re.compile(
    r"(?:(?:list|show|find|give|return|display)(?: me)? )?(?:(?:all )?the |all )?(?:\w+ )?"
)
_PARTS = re.compile(r",|\band\b|\balong\b|\bwell\b|\bwith\b|\bfor\b|\bby\b")
_VERB = 2
"""The place of what `which doctors charge` says of them."""
_JOINED = re.compile(r"\W*(?:and|or|as well as)?(?: the| their| its)? *\Z")


def read_head(draft: Draft) -> None:
    """Adds what is shown, in the order of the words, and claims them."""
    if _EVERYTHING.search(draft.lower):
        draft.everything = True
        draft.claim(0, len(draft.claimed), "everything")
        return
    read_counts(draft)
    kinds = [
        (match.start(), match.end(), cast("Aggregate", kind))
        for kind, cue in _KINDS
        for match in cue.finditer(draft.lower)
        if not draft.claimed[draft.at(match.start())]
    ]
    _read_items(draft, sorted(kinds))
    _beside_items(draft)
    told = {one.ref for one in draft.select if one.aggregate}
    draft.select = [one for one in draft.select if one.aggregate or one.ref not in told]
    different = (one.start() for one in _DISTINCT.finditer(draft.lower))
    is_open = any(draft.claimed[draft.at(at)] not in _COUNTED for at in different)
    draft.distinct = is_open and not any(m.aggregate for m in draft.select)


def _read_items(draft: Draft, kinds: list[tuple[int, int, Aggregate]]) -> None:
    pending: list[Aggregate] = []
    second = _SECOND.match(draft.lower)
    begun = second.end() if second else 0
    used, last = False, None
    waiting = list(kinds)
    for mention in best_mentions(draft):
        place = draft.question.words[mention.start].start
        if place < begun or after_tail(draft, place) or _repeats(draft, mention, last):
            continue
        while waiting and waiting[0][0] <= place:
            start, _, kind = waiting.pop(0)
            if _in_name(draft, mention, start, kind):
                continue
            if used:
                pending, used = [], False
            draft.claim(draft.at(start), draft.at(start) + 1, "measure")
            pending.append(kind)
        if used and not (last is not None and _beside(draft, last, mention)):
            pending = []
        measures = _shown(mention, pending)
        used = used or (bool(pending) and measures[0].aggregate is not None)
        draft.claim(mention.start, mention.end, "select")
        draft.select += [one for one in measures if one not in draft.select]
        last = mention


def _beside_items(draft: Draft) -> None:
    """`The name and the department of the doctor` shows what names the department too."""
    tail, shown = first_tail(draft), [one.ref.table for one in draft.select if one.ref]
    if any(one.aggregate for one in draft.select):
        return
    _lead(draft, shown)
    for table, places in draft.question.tables.items():
        for at in places:
            word = draft.question.words[at]
            inside = tail is not None and tail[0] <= word.start < tail[1]
            joined = _LISTED.search(draft.lower[: word.start]) and not inside
            if not joined or table in shown or draft.claimed[at]:
                continue
            draft.claim(at, at + 1, "select")
            draft.select.append(Measure(None, ref(draft.index.naming(table))))
            break


def _lead(draft: Draft, shown: list[str]) -> None:
    """`Doctors along with the name of their department` shows the doctors first."""
    for table in named_tables(draft)[:1]:
        at = min(draft.question.tables[table])
        word = draft.question.words[at]
        led = _FIRST.fullmatch(draft.lower[: word.start]) and _ALONG.search(draft.lower, word.end)
        if led and table not in shown and not draft.claimed[at]:
            draft.claim(at, at + 1, "select")
            draft.select.insert(0, Measure(None, ref(draft.index.naming(table))))
            shown.append(table)


def _repeats(draft: Draft, mention: Mention, last: Mention | None) -> bool:
    """`Largest` before a number, `name` after `government form`, and what follows a count."""
    if _names_rows(draft, mention) or (_is_fixed(draft, mention) and draft.select):
        return True
    if mention.end - mention.start == 1:
        word = draft.question.words[mention.start].text
        if _SUPER.fullmatch(word) or _says_done(draft, mention):
            return True
        if last is not None and last.end == mention.start and _is_next(draft, last, mention):
            return True
    return _follows_count(draft, mention)


def _follows_count(draft: Draft, mention: Mention) -> bool:
    """Whether rows or values are counted, and nothing parts a mention from what is said so."""
    counted = any(
        m.aggregate == "count_distinct" or (m.aggregate == "count" and m.ref is None)
        for m in draft.select
    )
    if not counted:
        return False
    words = draft.question.words
    said = [at for at in range(mention.start) if draft.claimed[at] in {"measure", "select", "rows"}]
    begun = words[said[-1]].end if said else 0
    between = draft.lower[begun : words[mention.start].start] if said else ","
    return not _PARTS.search(between)


def _says_done(draft: Draft, mention: Mention) -> bool:
    """`Tickets sold online` and `which doctors charge more` say what is done, no price or date."""
    before = draft.question.table_words
    said = draft.text(mention.start, mention.end)
    done = (
        mention.start - 1 in before and mention.quality < WHOLLY_NAMED and bool(_DONE.search(said))
    )
    compared = draft.claimed[mention.end : mention.end + 1] == ["condition"]
    return done or (mention.start == _VERB and compared and bool(_rows_asked_for(draft)))


def _is_fixed(draft: Draft, mention: Mention) -> bool:
    """Whether a column is known to hold one value, so that showing it tells nothing."""
    return any(
        len(options) == 1 and options[0].op == "=" and options[0].ref == ref(mention.column)
        for options in draft.where
    )


def _names_rows(draft: Draft, mention: Mention) -> bool:
    """`Of all companies` names the rows, though there is a column Company."""
    table = draft.rows_named(mention) or (_partly_named(draft, mention) if draft.select else None)
    if table is None:
        return False
    places, at = draft.question.tables[table], mention.start
    while at - 1 in places:
        at -= 1
    before = draft.lower[: draft.question.words[at].start]
    return table != mention.column.table or bool(_OF_ROWS.search(before))


def _partly_named(draft: Draft, mention: Mention) -> str | None:
    """The table of which words are a telling part: `of all makers` in a table of car makers."""
    said = set(range(mention.start, mention.end))
    return next((t for t, places in draft.question.tables.items() if said <= set(places)), None)


def _is_next(draft: Draft, one: Mention, other: Mention) -> bool:
    words = draft.question.words
    return draft.lower[words[one.end - 1].end : words[other.start].start].isspace()


def _in_name(draft: Draft, mention: Mention, start: int, kind: str) -> bool:
    """`Total credits` of a column called tot_cred is that column."""
    at = draft.at(start)
    stem = draft.question.terms[at].stem
    inside = mention.start <= at < mention.end
    return inside and kind != "avg" and any(stem == term.stem for term in mention.column.name.terms)


def _shown(mention: Mention, pending: list[Aggregate]) -> list[Measure]:
    column = mention.column
    fits = [
        kind
        for kind in pending
        if (column.number and not column.identifier) or (kind in {"max", "min"} and timely(column))
    ]
    return [Measure(kind, ref(column)) for kind in fits] or [Measure(None, ref(column))]


def _beside(draft: Draft, one: Mention, other: Mention) -> bool:
    words = draft.question.words
    between = draft.lower[words[one.end - 1].end : words[other.start].start]
    return bool(_JOINED.match(between))


def show_rows(draft: Draft) -> None:
    """Rows asked for without a column are shown by what names them, `where` by a place."""
    asked, tested = _rows_asked_for(draft), columns_of(draft.where)
    if asked and all(one.ref in tested and not one.aggregate for one in draft.select):
        draft.select = []
    tables = asked or named_tables(draft)
    if tables and not (draft.select or draft.group or draft.everything):
        draft.select += [Measure(None, ref(one)) for one in _naming(draft, tables[0])]


def _naming(draft: Draft, table: str) -> Sequence[Column]:
    """The columns that name the rows of a table: of the kind that is asked for, else all."""
    columns, fits = draft.index.in_table(table), _ROLE_NAMES.get(draft.text(0, 1))
    asked = [c for c in columns if fits and fits.search(c.facts.name.lower())]
    if asked:
        return asked[:1]
    return [draft.index.naming(table)] if draft.index.named(table) else columns


def _rows_asked_for(draft: Draft) -> list[str]:
    """`Which doctors charge more than …` asks for doctors, not for what they charge."""
    if draft.text(0, 1) not in {"which", "what", "who"}:
        return []
    rows = [table for table, places in draft.question.tables.items() if 1 in places]
    held = [link.held[0].column.table for link in draft.question.values if link.start == 1]
    return rows or held
