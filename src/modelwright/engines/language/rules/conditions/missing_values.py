"""What rows lack or have: without a bonus, no discount, who left, not yet shipped."""

import re

from modelwright.engines.facts import Value
from modelwright.engines.language.rules.columns.index import Column, ref
from modelwright.engines.language.rules.columns.linking import Term
from modelwright.engines.language.rules.columns.name_matches import meant
from modelwright.engines.language.rules.columns.value_shapes import none_kind
from modelwright.engines.language.rules.mentions.draft import Draft, add_test, names_other_better
from modelwright.engines.language.rules.mentions.mention import NAMED, NEARLY_NAMED, Mention
from modelwright.engines.language.rules.mentions.negation import negated
from modelwright.engines.language.rules.plans.plan import Condition, Op
from modelwright.engines.language.rules.text.lexicon import lexicon
from modelwright.engines.language.rules.text.patterns import pattern
from modelwright.engines.language.rules.text.roots import undone_word
from modelwright.engines.language.rules.text.words import stem
from modelwright.engines.language.vocabulary import word_set

_PENDING = pattern("lacking pending")
_ENDED = pattern("lacking ended")
_WITHOUT = pattern("filters without")
_DONE = re.compile(r"left|gone|\w+ed|paid|sent|sold")
_NOT_YET = re.compile(r"\b(?:not|never|\w+n['\N{RIGHT SINGLE QUOTATION MARK}]t)\b")
_MOST = frozenset({"most", "least"})
_WERE = word_set("verbs.of_being_done")
_WITH = re.compile(
    r"\b(?:with|have|has|having|had|got|gets?|received?|includ(?:es?|ed|ing))"
    r"(?: (?:any|some|an?|at least one))? (?=\w)"
)
_ONE = re.compile(r"\ban? $")
_AFTER = word_set("small_words.behind_lacking")
_OFTEN = 0.1
"""Such a share of the rows lacks what is often lacking."""
_MOST_KINDS = 30
"""A column of more values tells no kinds."""
_MOST_COUNTED = 15
"""A number of more values counts no things that a row may have."""


def read_without(draft: Draft) -> None:
    """`Employees without a bonus`: the column holds nothing."""
    for match in _WITHOUT.finditer(draft.lower):
        at, end = draft.at(match.start()), draft.at(match.end())
        named = draft.pick(end, end + 1, _lacked, NAMED)
        if named is not None:
            draft.claim(at, named.end, "condition")
            where, nothing = ref(named.column), _nothing(named.column)
            missing = named.column.facts.missing and not nothing
            test = Condition(where, "missing") if missing else Condition(where, "=", nothing or 0)
            add_test(draft, named.column, test, at, named.end)


def read_with(draft: Draft) -> None:
    """`Bookings with children`: the column counts at least one, of few, and often none."""
    for match in _WITH.finditer(draft.lower) if not draft.several else ():
        at, end = draft.at(match.start()), draft.at(match.end())
        named = draft.pick(end, end + 1, _may_lack, NEARLY_NAMED)
        if named is None and not _read_flag(draft, at, end):
            _read_given(draft, at, end, is_one=bool(_ONE.search(match.group())))
        last = named is not None and _stops(draft, named.end)
        if named is not None and last and named.column not in draft.filtered:
            nothing = _nothing(named.column)
            test = Condition(ref(named.column), "!=" if nothing else ">", nothing or 0)
            draft.claim(at, end, "condition")
            add_test(draft, named.column, test, end, named.end)


def _read_flag(draft: Draft, at: int, end: int) -> bool:
    """`Sightings with young`: a flag Young Present says so, by the first word of its name."""
    named = draft.pick(end, end + 1, lambda c: c.yes is not None, NAMED)
    if named is None or not _stops(draft, named.end) or named.column in draft.filtered:
        return False
    if draft.question.terms[end].stem != named.column.name.terms[0].stem:
        return False
    draft.claim(at, end, "condition")
    test = Condition(ref(named.column), "=", named.column.yes)
    add_test(draft, named.column, test, end, named.end)
    return True


def _read_given(draft: Draft, at: int, end: int, *, is_one: bool) -> None:
    """`Reviews that got a reply`, `orders with complaints`: what many rows lack is given."""
    named = draft.pick(end, end + 1, _often_missing, NAMED)
    if named is not None and not (is_one or _is_several(draft, end, named.column)):
        return
    if named is not None and _stops(draft, named.end) and named.column not in draft.filtered:
        draft.claim(at, end, "condition")
        add_test(draft, named.column, Condition(ref(named.column), "present"), end, named.end)


def _is_several(draft: Draft, at: int, column: Column) -> bool:
    """Whether a word is the plural of a column's name: `complaints` of Complaint."""
    said, name = draft.text(at, at + 1), column.name.terms[-1].text
    return said != name and said.removesuffix("s") == name


def _often_missing(column: Column) -> bool:
    given = column.date or column.facts.type == "string"
    return given and column.yes is None and column.facts.missing >= _OFTEN * column.facts.rows


def _may_lack(column: Column) -> bool:
    return _counts(column) or (column.yes is None and _nothing(column) is not None)


def _counts(column: Column) -> bool:
    """Whether few whole numbers from 0 on count what many rows have none of."""
    facts = column.facts
    none = sum(times for value, times in facts.top if value == 0)
    few = facts.type == "integer" and 2 < facts.distinct <= _MOST_COUNTED  # noqa: PLR2004 - two are yes and no
    return few and facts.minimum == 0 and none >= _OFTEN * facts.rows


def _stops(draft: Draft, at: int) -> bool:
    """Whether nothing more is said of it: no number, no comparison."""
    return at >= len(draft.claimed) or draft.text(at, at + 1) in _AFTER


def read_pending(draft: Draft) -> None:
    """`Still open`: the date of its end is missing; `unpaid`: the date or the yes is."""
    for at in draft.open_words():
        _read_undone(draft, at)
    if draft.several:
        return
    dates = [column for column in draft.index.columns if column.date and column.facts.missing]
    ended = [column for column in dates if _ENDED.search(column.plain_name)]
    match = _PENDING.search(draft.lower)
    if match and ended and not draft.claimed[draft.at(match.end()) - 1]:
        column = ended[0]
        start, end = draft.at(match.start()), draft.at(match.end())
        named = [m for m in draft.question.mentions.starting(start, end) if not m.column.date]
        if column not in draft.filtered and not any(m.quality > NAMED for m in named):
            draft.claim(start, end, "condition")
            add_test(draft, column, Condition(ref(column), "missing"), start, end)


def read_undone_kinds(draft: Draft) -> None:
    """`Unreviewed`, `inactive`: what follows the prefix is a kind that these rows are not."""
    for at in draft.open_words():
        word = draft.question.words[at].text
        bare = undone_word(word)
        held = [
            one
            for one in draft.index.values.get(stem(bare), {}).get((stem(bare),), ())
            if not one.column.number and one.column.facts.distinct <= _MOST_KINDS
        ]
        if bare and len(held) == 1 and word not in lexicon().stop:
            column = held[0].column
            op: Op = "=" if negated(draft, at) else "!="
            add_test(draft, column, Condition(ref(column), op, held[0].value), at, at + 1)


def _read_undone(draft: Draft, at: int) -> None:
    """`Unpaid`, `non-returned`: what follows the prefix is a column that says it is done."""
    bare = undone_word(draft.question.words[at].text)
    said = Term(bare, stem(bare), frozenset(), 1.0)
    for number, _ in meant(draft.index, said) if bare else ():
        column = draft.index.columns[number]
        if column in draft.filtered or not (column.no is not None or column.date):
            continue
        test = Condition(ref(column), "missing")
        if column.no is not None:
            test = Condition(ref(column), "=", column.no)
        add_test(draft, column, test, at, at + 1)
        return


def _lacked(column: Column) -> bool:
    """Whether a row can be without it: nothing is held, or the number is nought."""
    nought = column.number and column.facts.minimum == 0
    lacked = bool(column.facts.missing) or nought or _nothing(column) is not None
    return column.yes is None and lacked


def _nothing(column: Column) -> Value | None:
    return none_kind(column.facts) if column.yes is None else None


def read_done(draft: Draft) -> None:
    """`Who left`, `not yet shipped`: a date that many rows lack says whether it happened."""
    for mention in draft.question.mentions:
        column, start, end = mention.column, mention.start, mention.end
        if not column.date or not _says_done(draft, mention) or names_other_better(draft, mention):
            continue
        least = 1 if _NOT_YET.search(draft.text(start - 3, end + 1)) else _OFTEN * column.facts.rows
        lacked = column.facts.missing >= least
        if lacked and draft.free(mention) and column not in draft.filtered:
            denied = negated(draft, start)
            op: Op = "missing" if denied else "present"
            test = _kind_at(draft, start, denied=denied) or Condition(ref(column), op)
            draft.claim(start, end, "condition")
            add_test(draft, draft.index.column(test.ref), test, start, end)
        elif not column.facts.missing and _all_were(draft, mention):
            draft.claim(start, end, "rows")


def _says_done(draft: Draft, mention: Mention) -> bool:
    """Whether one word says that something was done, and doesn't ask for the most of it."""
    most = draft.text(mention.start - 1, mention.start) in _MOST
    word = draft.question.words[mention.start].text
    return mention.end == mention.start + 1 and bool(_DONE.fullmatch(word)) and not most


def _all_were(draft: Draft, mention: Mention) -> bool:
    """`How many were admitted` where every row was: it leaves none out."""
    said = mention.explained == 1 and draft.text(mention.start - 1, mention.start) in _WERE
    return said and draft.free(mention) and not negated(draft, mention.start)


def _kind_at(draft: Draft, at: int, *, denied: bool) -> Condition | None:
    """The test of a word that is itself a kind: `issued` of a status beside a date of issue."""
    held = draft.question.values_of(at, at + 1)
    kind = next((one for one in held if one.column.facts.distinct <= _MOST_KINDS), None)
    return Condition(ref(kind.column), "!=" if denied else "=", kind.value) if kind else None
