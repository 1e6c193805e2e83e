"""Makes one whole question of an earlier one and what is said after it: `and only in 2023?`.

What the follow-up names takes the place of what the earlier question said of the same kind: a
period of a period, a value of a value of the same column, a group of a group, a measure of a
measure. What has no place there is added at the end. The whole question is then read as any other.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from itertools import pairwise

from modelwright.engines.language.conversation.conditions import (
    compared,
    is_set_beside,
    left_out,
    narrowed,
    set_beside,
    turned_round,
)
from modelwright.engines.language.conversation.ends import at_an_end, is_of_an_end
from modelwright.engines.language.conversation.groups import is_of_groups, of_groups
from modelwright.engines.language.conversation.turns import (
    Turn,
    end_of_group,
    has_no_place,
    of_the_whole,
    replaced,
)
from modelwright.engines.language.conversation.units import in_unit, is_of_a_unit
from modelwright.engines.language.conversation.words import (
    END,
    GROUPED,
    LED,
    NEGATING,
    POLITE,
    TOP,
)
from modelwright.engines.language.linking.linking import Linker
from modelwright.engines.language.readers import Links, NameLink, Period, ValueLink
from modelwright.engines.language.rules.text.lexicon import lexicon
from modelwright.engines.language.rules.text.words import words
from modelwright.engines.language.temporal.points import MONTHS
from modelwright.engines.language.vocabulary import (
    BEHIND_GROUPED,
    aggregate_pattern,
    aggregates,
    any_case,
    cue_words,
    find_cues,
)

_OPENING = any_case(
    r"^(?:\s*(?:and|but|ok(?:ay)?|now|then|so|please|also|what about|how about|what if|only|just"
    r"|show me|show|give me|make it|make that|do|the same|same|instead|let's see|i meant?"
    r"|no|sorry|actually|rather|oops|again"
    r"|but only|now only|can you|could you|what's|what is|what are|what was|what were"
    r"|how does it look|it|that|this"
    r"|those|them|these|filter(?: it| that)?(?: to| by)?|limit(?: it| that)?(?: to)?|restrict(?: it"
    r"| that)?(?: to)?|restricted to|break(?: it| that)? down|split(?: it| that)?|group(?: it| that"
    r")?|grouped|for|with|of|,|:)\b[\s,]*)+"
)
_WHOLE = any_case(
    r"^\s*(?:how many|how much|which|who|where|when|what (?:is|are|was|were) the|list|show (?:me )?"
    r"(?:all|the)|find|count|number of|give me (?:the|all))\b"
)
_ROWS = any_case(r"\b(?:rows|records|entries|lines)\b")
_POINTING = any_case(
    r"\b(?:that|those|them|it|they|same|instead|previous|again|these|result|one|ones)\b"
)
_POINTING_BACK = any_case(
    r"\b(?:these|those|them)\b(?!\s+(?:days|who|whom|whose|that|which|with|without|where|when|from"
    r"|in|on|at|by|under|over|above|below|between|before|after|since|not|\w+ing)\b)"
    r"(?=\W*$|\s+(?:are|were|is|was|have|has|had|did|do|does|can|there|instead|again)\b)"
)
"""Words for rows that were told before, where nothing behind them says which are meant."""
_ADDED = any_case(r"\b(?:also|as well|too|additionally|and by|in addition)\b")
_NOT = any_case(r"\bnot\s+(?P<old>[^,]+?)\s*(?:,|but|-|;)\s*(?:but\s+)?(?P<new>.+)$")
_IN_PLACE_OF = any_case(r"(?<=\w)\s+(?:instead of|rather than|in place of)\s+(?P<old>.*)$")
_BETWEEN = any_case(r"\s*(?:,\s*(?:and|or)?|and|or|&|/)\s*(?:the\s+)?")
"""What stands between values that are told in a row: `Oslo, Rome and Milan`."""
_SORTED = any_case(
    r"\b(?:sort(?:ed)?|order(?:ed)?|rank(?:ed)?|arrange(?:d)?)\b.*"
    r"|\b(?:in )?(?:ascending|descending|reverse|alphabetical)\b.*"
    r"|\b(?:\w+est|(?:most|least) \w+) first\b.*"
)
_FIRST = any_case(r"(?:the )?(?P<end>\w+est|(?:most|least) \w+) first\b")
_OF_TIME = any_case(r"newest|oldest|latest|earliest|youngest|recent")
_CHART = any_case(
    r"\b(?:as |in |with )?(?:an? )?(?:(?:bar|line|pie|scatter|column)\s*(?:chart|plot|graph)?"
    r"|histogram|chart|plot|graph)\b"
)
_PREPOSITION = any_case(r"(?:in|for|of|from|with|among|on|at|to|by)\s+(?:the\s+)?$")
_BARE_TIME = any_case(rf"\d{{4}}|{'|'.join(MONTHS)}|q[1-4]\b|h[12]\b")
_DENIAL = any_case(rf"{NEGATING.pattern}|\b(?:no longer|never)\b|n't\b")
_SUGGESTED = any_case(r"^(?:(?:and|but|so|then)\s+)*(?:why not|maybe|perhaps|hm+)\b[\s,]*(?=\S)")
"""How a change is proposed: `why not without the cancelled ones`."""
_LONE_MONTH = any_case(rf"(?:{'|'.join(MONTHS)})(?: \d{{4}})?")
_LONE_DAY = any_case(rf"(?<!on )(?<!the )\b(?P<day>(?:{'|'.join(MONTHS)}) [0-3]?\d)\b(?!,? \d)")
"""A day of a month, which is told from a number behind a month by `on`."""
_NARROWING = any_case(r"^\s*(?:(?:and|but|now)\s+)*(?:only|just|for|with|where|those|exclud\w+)\b")
_TAIL = any_case(r"\s+(?:per|by|of|in|for)$")
MIN_WHOLE_WORDS = 4
"""A question of its own that goes on from another has at least so many words."""
MIN_ALONE_WORDS = 3
"""The same of one after a question that was not answered."""


@dataclass(slots=True)
class _Draft:
    """The earlier question while it is changed."""

    text: str
    linker: Linker
    today: date
    displaced: str = ""
    """What the follow-up says that something stands in the place of."""

    @property
    def links(self) -> Links:
        return self.linker.link(self.text, self.today)

    def replace(self, span: tuple[int, int], text: str) -> None:
        self.text = f"{self.text[: span[0]]}{text}{self.text[span[1] :]}"

    def add(self, text: str) -> None:
        self.text = f"{END.sub('', self.text)} {text.strip()}"


def compile_follow_up(
    earlier: str,
    said: str,
    linker: Linker,
    today: date,
    *,
    is_answered: bool = True,
    sql: str = "",
) -> str | None:
    """Makes one whole question.

    Args:
        earlier: The earlier question, whole.
        said: What was said after it.
        linker: Links the words of both to the tables.
        today: The day on which it is said; `last year` before it is moved by it.
        is_answered: Whether the earlier question was; of one that was not, nothing need be kept.
        sql: What answered it, if it is known.

    Returns:
        The whole question, or None where it is not clear what changes.
    """
    whole = _compiled(earlier, said, linker, today, sql)
    return whole or (None if is_answered else _standing_alone(said, linker, today))


def _standing_alone(said: str, linker: Linker, today: date) -> str | None:
    """Returns what asks for a figure of what it names, without what leads to it: a new question."""
    text = LED.sub("", END.sub("", said.strip()))
    if _POINTING.search(text) or len(words(text)) < MIN_ALONE_WORDS:
        return None
    figure = aggregate_pattern().match(text) or find_cues("count", text)
    return text if figure and linker.link(text, today).names else None


def _bare_change(said: str) -> tuple[str, str]:
    """Returns what a turn asks to change, and what it says to take the place of."""
    text = _SUGGESTED.sub("", POLITE.sub("", END.sub("", said.strip())))
    corrected = _NOT.search(text)
    text = corrected["new"] if corrected else text
    displaced = _IN_PLACE_OF.search(text)
    return _IN_PLACE_OF.sub("", text), displaced["old"] if displaced else ""


def _compiled(earlier: str, said: str, linker: Linker, today: date, sql: str) -> str | None:
    text, displaced = _bare_change(said)
    rest = _OPENING.sub("", text) or text
    draft = _Draft(END.sub("", earlier), linker, today, displaced)
    turn = Turn(draft.text, rest, linker, today, sql)
    plain = replace(turn, said=LED.sub("", text))
    if is_of_an_end(plain) or is_of_groups(plain):
        return at_an_end(plain) or of_groups(plain)
    if _is_whole(text, linker, today):
        return said.strip()
    if is_of_a_unit(turn, text):
        return in_unit(turn, text, lambda beside: _compiled(earlier, beside, linker, today, sql))
    if is_set_beside(text):
        return set_beside(turn, text)
    whole = of_the_whole(turn) or of_the_whole(plain)
    if whole or has_no_place(turn) or has_no_place(plain):
        return whole
    positive = turned_round(turn, text)
    return _with_change(draft, turn, positive or rest, positive or text)


def _with_change(draft: _Draft, turn: Turn, rest: str, text: str) -> str | None:
    """Puts what a turn names in its place in the earlier question, in the first way that does."""
    whole = (
        compared(turn, text)
        or narrowed(turn, text, turn.linker.catalog)
        or _changed(draft, rest, text)
        or left_out(turn, text)
        or replaced(turn, text)
    )
    return whole if whole and whole != turn.earlier and _keeps_all(turn, text, whole) else None


def _changed(draft: _Draft, rest: str, text: str) -> str | None:
    """Makes all changes that are said; None where none is."""
    changed = [change(draft, rest, text) for change in _CHANGES]
    return draft.text if any(changed) else None


def points_back(question: str, linker: Linker, today: date) -> str:
    """Returns the word by which a question points at rows of an earlier one: `how many are these`.

    Args:
        question: A question that goes on from nothing.
        linker: Links its words to the tables.
        today: The day on which it is asked.

    Returns:
        The word, or nothing where the question itself says what is meant before it.
    """
    pointing = list(_POINTING_BACK.finditer(question))
    named = linker.link(question, today).of_tables if pointing else ()
    for one in pointing:
        is_said = any(link.span[0] < one.start() for link in named)
        if not is_said and not _says_what(question[: one.start()]):
            return one.group()
    return ""


def _says_what(before: str) -> bool:
    """Whether words say what is meant by one that points: `of all employees, how many of them`."""
    computed = {part for one in aggregates() for name in one.words for part in name.split()}
    idle = cue_words("idle") | cue_words("tying") | lexicon().stop | computed
    return any(
        word.text not in idle and word.stem not in lexicon().asking for word in words(before)
    )


def _keeps_all(turn: Turn, said: str, whole: str) -> bool:
    """Returns whether the whole question holds every word of a turn that tells something."""
    denials = len(_DENIAL.findall(said))
    if denials > 1 or (denials and not find_cues("negation", whole)):
        return False  # two of them would be one, which is the other way round
    known = {word.stem for word in words(whole)} | {word.text for word in words(whole)}
    idle = cue_words("idle") | cue_words("turning")
    links = turn.links(said)
    valued = {(one.table, one.column) for one in links.values}
    told = [
        one.span
        for one in links.names
        if (one.table, one.column) in valued or _is_rows_of_value(one, links, said)
    ]
    return all(
        word.text in known
        or word.stem in known
        or word.text in idle
        or any(start <= word.start < end for start, end in told)
        for word in words(_without_what_is_worded_anew(said))
    )


def _without_what_is_worded_anew(said: str) -> str:
    """Blanks out denials, and which come first; all else stays where it stands."""
    said = _FIRST.sub(lambda one: "first".ljust(len(one.group())), said)
    return NEGATING.sub(lambda one: " " * len(one.group()), said)


def _is_rows_of_value(name: NameLink, links: Links, said: str) -> bool:
    """Whether a word says whose value stands right before it: `cancelled orders`."""
    return name.column is None and any(
        one.table == name.table
        and one.span[1] <= name.span[0]
        and not said[one.span[1] : name.span[0]].strip()
        for one in links.values
    )


def _is_whole(text: str, linker: Linker, today: date) -> bool:
    """Returns whether something that was said stands for itself."""
    if _POINTING.search(text) or len(words(text)) < MIN_WHOLE_WORDS:
        return False
    counts = bool(find_cues("count", text) or find_cues("superlative_high", text))
    links = linker.link(text, today)
    rows = _ROWS.search(text) is not None
    if links.names and not rows and _says_only_groups(text, links):
        return False
    about = re.match(r"^\s*(?:what|how) about\b", text, re.IGNORECASE)
    asked = _WHOLE.match(text) is not None and about is None
    return asked and (len(links.names) > 1 or (counts and bool(links.names or rows)))


def _says_only_groups(text: str, links: Links) -> bool:
    """Whether all that is named are groups: `how many per region` counts what was told before."""
    cue = GROUPED.search(text)
    return cue is not None and all(one.span[0] >= cue.end() for one in links.names)


def _change_period(draft: _Draft, _: str, whole: str) -> bool:
    whole = _LONE_DAY.sub(r"on \g<day>", whole)
    if draft.links.periods and _LONE_MONTH.fullmatch(LED.sub("", whole)):
        whole = f"in {LED.sub('', whole)}"
    told = draft.linker.link(whole, draft.today).periods
    if not told:
        return False
    new = whole[told[0].span[0] : told[-1].span[1]].strip()
    new = f"in {new}" if _BARE_TIME.match(new) else new
    old = draft.links.periods
    if not old:
        draft.add(new)
        return True
    first = old[0]
    if _lacks_a_year(told[0], new) and first.start and _is_of_one_year(first):
        new = f"{new} {first.start.year}"
    draft.replace((first.span[0], old[-1].span[1]), new)
    return True


def _lacks_a_year(period: Period, text: str) -> bool:
    """Returns whether a month, a day of one or a quarter is told without its year: `Q2`."""
    of_a_year = _BARE_TIME.search(text) is not None and not re.search(r"\d{4}", text)
    return of_a_year and not period.relative


def _is_of_one_year(period: Period) -> bool:
    if period.part or period.start is None or period.end is None:
        return False
    return (period.end - timedelta(days=1)).year == period.start.year


def _change_value(draft: _Draft, rest: str, whole: str) -> bool:
    """`And France`: another value in the place of one of its column, or one more condition."""
    periods = draft.linker.link(rest, draft.today).periods
    taken = [*(one.span for one in periods), *(one.span() for one in TOP.finditer(rest))]
    links = [
        one
        for one in draft.linker.link(rest, draft.today).values
        if not any(start <= one.span[0] < end for start, end in taken)
        and not BEHIND_GROUPED.search(rest[: one.span[0]])
    ]
    for start, end, columns in _runs(rest, links):
        told = rest[start:end]
        old = [one for one in draft.links.values if (one.table, one.column) in columns]
        old = [one for one in old if _is_written(one)] or old
        if NEGATING.search(whole) and not _NOT.search(whole):
            if {one.text.casefold() for one in old} == {told.casefold()}:
                return False  # no row would be left
            draft.add(f"excluding {told}")
        elif old:
            _put_value(draft, told, sorted({one.span for one in old}), whole)
        else:
            draft.add(f"for {told}")
    return bool(links)


def _is_written(link: ValueLink) -> bool:
    """Whether a value is said as it is held: Remote is not, of `work remotely in Berlin`."""
    return link.text.casefold() == str(link.value).casefold()


def _runs(text: str, links: Sequence[ValueLink]) -> list[tuple[int, int, set[tuple[str, str]]]]:
    """Finds values of one column that are told in a row: where they stand, and their columns."""
    runs: list[tuple[int, int, set[tuple[str, str]]]] = []
    for start, end in sorted({one.span for one in links}):
        columns = {(one.table, one.column) for one in links if one.span == (start, end)}
        if runs and _BETWEEN.fullmatch(text[runs[-1][1] : start]) and runs[-1][2] & columns:
            first, _, before = runs.pop()
            runs.append((first, end, columns & before))
        else:
            runs.append((start, end, columns))
    return runs


def _put_value(draft: _Draft, new: str, spans: list[tuple[int, int]], whole: str) -> None:
    """Puts a value in the place of those before: of all, of the one that is named, or beside.

    `And Milan?` after `in Oslo and Rome` asks of Milan, `also Milan` of all three, and
    `Milan instead of Rome` leaves Oslo in its place.
    """
    displaced = draft.displaced.casefold()
    named = [one for one in spans if draft.text[slice(*one)].casefold() in displaced]
    if named:
        draft.replace(named[0], new)
    elif _ADDED.search(whole):
        draft.replace((spans[-1][1], spans[-1][1]), f" and {new}")
    elif all(_BETWEEN.fullmatch(draft.text[a[1] : b[0]]) for a, b in pairwise(spans)):
        draft.replace((spans[0][0], spans[-1][1]), new)


def _change_group(draft: _Draft, _: str, whole: str) -> bool:
    cues = _group_cues(draft, whole)
    if not cues or _SORTED.search(whole):
        return False
    match = cues[0]
    told = END.sub("", whole[match.start() :])
    told = re.sub(r"\b(?:instead|as well|too|also|please)\b", "", told).strip()
    named = draft.linker.link(told, draft.today).names
    units = re.search(r"\b(?:day|week|month|quarter|year|weekday|hour|decade)s?\b", told)
    if not named and not units:
        return False
    old = [one for one in _group_cues(draft, draft.text) if _names_group(draft, one)]
    if old and not _ADDED.search(whole):
        draft.replace((old[-1].start(), end_of_group(draft.links, draft.text, old[-1])), told)
    elif old:
        draft.add(f"and {GROUPED.sub('', told, count=1)}")
    else:
        draft.add(told)
    return True


def _group_cues(draft: _Draft, text: str) -> list[re.Match[str]]:
    """Finds `by` and `per` before what is grouped by, not the `per` of `hours per week`."""
    links = draft.linker.link(text, draft.today)
    taken = [one.span for one in links.of_tables]
    cues = GROUPED.finditer(text)
    return [one for one in cues if not any(low <= one.start() < high for low, high in taken)]


def _names_group(draft: _Draft, cue: re.Match[str]) -> bool:
    near = [one for one in draft.links.names if one.span[0] == cue.end()]
    return bool(near) or bool(
        re.match(r"(?:day|week|month|quarter|year|hour)", draft.text[cue.end() :])
    )


def _change_measure(draft: _Draft, rest: str, whole: str) -> bool:
    """`And the median?`, `what about profit?`: another aggregate, another measure."""
    if _group_cues(draft, whole) or _SORTED.search(whole) or TOP.search(whole):
        return False
    new, old = _aggregate(draft, rest), _aggregate(draft, draft.text)
    is_changed = False
    if new and old and new.group().lower() != old.group().lower():
        draft.replace(old.span(), new.group())
        is_changed = True
    name = next(iter(draft.linker.link(rest, draft.today).names), None)
    place = _place_of_measure(draft)
    counted = find_cues("count", rest)
    if counted and old and name and place and place[0] > old.start() and not is_changed:
        draft.replace((old.start(), place[1]), rest[counted[0].start : name.span[1]])
        return True
    if name is None or place is None or _narrows(rest, whole) or _within_values(draft, rest, name):
        return is_changed
    draft.replace(place, name.text if old or not new else f"{new.group()} {name.text}")
    return True


def _aggregate(draft: _Draft, text: str) -> re.Match[str] | None:
    """Finds the word for an aggregate; `first` of `the first half of 2025` is none."""
    links = draft.linker.link(text, draft.today)
    taken = [*(one.span for one in links.periods), *(one.span for one in links.values)]
    found = aggregate_pattern().finditer(text)
    return next(
        (one for one in found if not any(low <= one.start() < high for low, high in taken)), None
    )


def _place_of_measure(draft: _Draft) -> tuple[int, int] | None:
    """Finds the first name that is neither a group nor the column of a value."""
    groups = {end_of_group(draft.links, draft.text, one) for one in _group_cues(draft, draft.text)}
    values = {one.span for one in draft.links.values}
    spans = [one.span for one in draft.links.names]
    free = [one for one in spans if one[1] not in groups and one not in values]
    if not free:
        return None
    start, end = free[0]
    return start, start + len(_TAIL.sub("", draft.text[start:end]))


def _narrows(rest: str, whole: str) -> bool:
    """Whether what is said leaves rows out, and changes nothing of what is computed of them."""
    if NEGATING.search(whole) and not _NOT.search(whole):
        return True
    return bool(_NARROWING.match(whole) or find_cues("above", rest) or find_cues("below", rest))


def _within_values(draft: _Draft, rest: str, name: NameLink) -> bool:
    values: tuple[ValueLink, ...] = draft.linker.link(rest, draft.today).values
    return any(
        one.span[0] <= name.span[0] < one.span[1]
        or (one.table, one.column) == (name.table, name.column)
        for one in values
    )


def _change_comparison(draft: _Draft, _: str, whole: str) -> bool:
    """`Only those over 100`: a number that is compared is added with its words."""
    cues = find_cues("above", whole) + find_cues("below", whole)
    numbers = draft.linker.link(whole, draft.today).numbers
    if not cues or not numbers:
        return False
    start = min(one.start for one in cues)
    names = [one for one in draft.linker.link(whole, draft.today).names if one.span[1] <= start]
    start = names[-1].span[0] if names else start
    told = whole[start:].strip()
    draft.add(f"with {told}")
    return True


def _change_order(draft: _Draft, _: str, whole: str) -> bool:
    match = _SORTED.search(whole)
    if match is None:
        return False
    told = re.sub(r"\b(?:that|it|them|those|the result|the results|this)\b\s*", "", match.group())
    told = re.sub(r"^sort\b", "sorted", told.strip(), flags=re.IGNORECASE)
    told = re.sub(r"^order\b", "ordered", told, flags=re.IGNORECASE)
    if first := _FIRST.match(told):
        told = _first_of_figures(draft, first)
    old = _SORTED.search(draft.text)
    if old:
        draft.text = END.sub("", draft.text[: old.start()]).rstrip(",")
    draft.text = f"{END.sub('', draft.text)}, {' '.join(told.split())}"
    return True


def _first_of_figures(draft: _Draft, first: re.Match[str]) -> str:
    """Words which figures are told first: `cheapest first` of prices is the lowest first."""
    if not (_aggregate(draft, draft.text) or find_cues("count", draft.text)):
        return first.group()
    if find_cues("superlative_low", first["end"]) or first["end"].lower().startswith("least"):
        return "lowest first"
    is_high = find_cues("superlative_high", first["end"]) and not _OF_TIME.search(first["end"])
    return "highest first" if is_high else first.group()


def _change_top(draft: _Draft, _: str, whole: str) -> bool:
    match = TOP.search(whole)
    if match is None:
        return False
    old = TOP.search(draft.text)
    told = match.group().removeprefix("the ")
    if old:
        draft.replace(old.span(), told)
    else:
        draft.text = f"{END.sub('', draft.text)}, {told}"
    return True


def _change_chart(draft: _Draft, _: str, whole: str) -> bool:
    match = _CHART.search(whole)
    if match is None:
        return False
    old = _CHART.search(draft.text)
    kind = re.sub(r"^(?:as|in|with)\s+", "", match.group().strip(), flags=re.IGNORECASE)
    if old:
        draft.replace(old.span(), f" {kind}")
    else:
        draft.add(f"as {kind if kind.startswith(('a ', 'an ')) else f'a {kind}'}")
    return True


_CHANGES = (
    _change_period,
    _change_value,
    _change_group,
    _change_comparison,
    _change_measure,
    _change_order,
    _change_top,
    _change_chart,
)
