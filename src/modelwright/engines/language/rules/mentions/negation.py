"""Whether a word of negation stands before what is named: not, without, never, other than.

A `not` that is missed turns an answer round, and one that is tied to the wrong word as well. All
rules that test values ask here, as denials hide in names, `no show`, and in values, `No phone
service`, too.
"""

import re
from collections.abc import Mapping

from modelwright.engines.facts import Value
from modelwright.engines.language.rules.columns.index import Column, ref
from modelwright.engines.language.rules.mentions.draft import Draft, add_test
from modelwright.engines.language.rules.mentions.mention import MAY_NAME, WHOLLY_NAMED, Mention
from modelwright.engines.language.rules.plans.plan import Condition, Op, Plan
from modelwright.engines.language.rules.text.patterns import pattern
from modelwright.engines.language.rules.text.words import name_parts
from modelwright.engines.language.vocabulary import SWITCHED_OFF, word_set

_NOT = word_set("negation.words")
_UNLIKE = word_set("negation.unlike_stems")
_OTHER_THAN = pattern("filters other than")
_NOT_LIVING = pattern("filters not far")
_JOINED = re.compile(r",|\b(?:and|or|nor)\b")
_DENIAL = re.compile(r"(?i)(?:do[ _-])?(?:no|not|non)[ _-]")
_DENIED = re.compile(
    r"\bnot\b(?! (?:only|just|including)\b)|\b(?!don)\w+n['\N{RIGHT SINGLE QUOTATION MARK}]t\b"
)
_IDLE = frozenset({"", "everything"})
AFFIRMED: Mapping[Op, Op] = {"!=": "=", "not in": "in", "outside": "between", "missing": "present"}
"""What each test is that denies, turned back."""
DENYING = frozenset(AFFIRMED)
_REACH = 3
"""So many words before what they deny words of negation stand."""
_FAR_REACH = 7
"""So many words before it those stand that go on: `not living in`."""
_OTHER_THAN_REACH = 18
"""So many letters before it `other than` begins."""


def negated(draft: Draft, start: int) -> bool:
    """Whether a word of negation stands just before."""
    before = [at for at in range(max(0, start - _REACH), start) if not _in_name(draft, at)]
    before = [at for at in before if draft.claimed[at] != "condition"]
    near = [
        at
        for at in before
        if draft.text(at, at + 1) in _NOT and not _denies_other(draft, at, start)
    ]
    if near:
        draft.claim(near[0], start, "negation")
        return True
    far = _NOT_LIVING.search(draft.text(start - _FAR_REACH, start))
    if far:
        at = start - len(far.group().split())
        if not _denies_other(draft, at, start):
            draft.claim(at, start, "negation")
            return True
    place = draft.question.words[start].start if start < len(draft.question.words) else 0
    found = _OTHER_THAN.search(draft.lower, max(0, place - _OTHER_THAN_REACH), place)
    if found:
        draft.claim_text(found, "negation")
    return found is not None


def add_value(draft: Draft, column: Column, value: Value, start: int, end: int) -> None:
    """Tests a column for a value that words say, or against it where they are denied."""
    op: Op = "!=" if negated(draft, start) else "="
    add_test(draft, column, Condition(ref(column), op, value), start, end)


def switched_off(draft: Draft, end: int) -> bool:
    """Whether what stands right behind a flag's name says no: `auto renewal turned off`."""
    place = draft.question.words[end - 1].end
    found = SWITCHED_OFF.match(draft.lower, place)
    if found:
        draft.claim(end, draft.at(found.end()), "negation")
    return found is not None


def denial_of(column: Column) -> bool:
    """Whether a column's own name is a denial: a `no show` did not show up, `do not call`."""
    return _DENIAL.match(column.facts.name) is not None


def is_opposite(draft: Draft, mention: Mention) -> bool:
    """Whether the words are the other way of a name: `died` of Survived, `failed QC` of Passed QC.

    Words that both have tell no way.
    """
    said = {draft.question.terms[at].stem for at in range(mention.start, mention.end)}
    own = {term.stem for term in mention.column.name.terms}
    only_said, only_own = said - own, own - said
    turned = bool(only_said & _UNLIKE) != bool(only_own & _UNLIKE)
    return turned and bool(only_said) and bool(only_own)


def is_denial(text: str) -> bool:
    """Whether a value says by itself that something is not there: `No phone service`."""
    return text.lower().partition(" ")[0].partition("-")[0] in _NOT


def unread_denials(draft: Draft, plan: Plan) -> list[str]:
    """A denial that tests nothing: `not taken to a hospital`."""
    tests = [one for options in plan.where for one in options]
    if any(one.op in DENYING or one.value == 0 for one in tests if not one.plan):
        return []
    single = not draft.several
    found = ((match.group(), draft.at(match.start())) for match in _DENIED.finditer(draft.lower))
    return [
        said
        for said, at in found
        if draft.claimed[at] in _IDLE
        and not any(
            m.quality >= MAY_NAME and (single or _part_of(draft, m.column, at))
            for m in draft.question.mentions.over(at)
        )
    ]


def _in_name(draft: Draft, at: int) -> bool:
    """Whether a word is a part of a column's whole name or of a value: `no` of `tie no`."""
    return any(
        m.end > m.start + 1
        and m.named > WHOLLY_NAMED
        and (m.column.yes is not None or (at > m.start and _part_of(draft, m.column, at)))
        for m in draft.question.mentions.over(at)
    ) or any(link.exact and link.start < at < link.end for link in draft.question.values)


def _part_of(draft: Draft, column: Column, at: int) -> bool:
    return draft.question.words[at].text in name_parts(column.facts.name)


def _denies_other(draft: Draft, at: int, start: int) -> bool:
    """Whether a negation belongs to what stands between: `without a partner churned`."""
    question = draft.question
    told = [link.end for link in question.values if link.exact and at <= link.start]
    told += [
        m.end
        for m in question.mentions
        if m.start > at and m.named > WHOLLY_NAMED and m.column.yes is not None
    ]
    ends = [end for end in told if at < end <= start]
    if not ends or start >= len(question.words):
        return False
    after = question.words[max(ends) - 1].end
    return not _JOINED.search(draft.lower[after : question.words[start].start])
