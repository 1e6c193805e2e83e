"""Turns of a conversation that are said of the earlier question as a whole: `how many are there?`.

Each takes the earlier question and what was said, and gives the whole question, or None where it
is not such a turn. What they cannot place is never guessed: the next way is tried, the last of
which is to refuse.
"""

import re
from dataclasses import dataclass
from datetime import date, timedelta
from itertools import pairwise

from modelwright.engines.language.catalog.meaning import Catalog
from modelwright.engines.language.conversation.words import COUNTED, END, GROUPED, NUMBER, TOP
from modelwright.engines.language.linking.linking import Linker
from modelwright.engines.language.readers import Links
from modelwright.engines.language.rules.mentions.units import measures, unit_at
from modelwright.engines.language.rules.text.words import words
from modelwright.engines.language.vocabulary import (
    aggregate_pattern,
    aggregates,
    any_case,
    find_cues,
)

_THEM = r"(?:of )?(?:them|those|these|that)"
_LEAD = any_case(
    r"^(?:please )?(?:show|list|give me|find|name|which|what are"
    r"|display)\b\s*(?:me )?(?:all )?(?:the )?"
)
_COUNTING = any_case(
    rf"^how many(?: {_THEM})?(?: (?:are|were|is) (?:there|they|these|those|that|it))?$"
    rf"|^how many (?:are|were) {_THEM}$"
)
_OF_FIGURES = any_case(
    r"\b(?:average|mean|median|total|sum|share|percentage|per)\b"
    rf"|\bby\b(?!\s+(?:(?:more|less|fewer|at|over|under|only|exactly)\b|(?:{NUMBER})\b))"
)
"""Words of figures and groups; `written by more than one author` groups nothing."""
_COUNTING_SOME = any_case(rf"^how many {_THEM} (?P<rest>\S.*)$")
_PICKING = any_case(rf"^which (?:ones? )?{_THEM} (?P<rest>\S.*)$")
_LISTING = any_case(
    r"^(?:list|show|name|display)(?: me)? (?:them|those|these)(?: all)?$"
    r"|^(?:who|which|what) (?:are|were) (?:they|those|these)$|^which ones$"
)
_HAVING = any_case(r"^\w+(?: \w+)? (?:have|has|had|do|does|did)\b")
_SIZE = any_case(rf"^(?:make (?:it|that)|only|just|show(?: me)?)?\s*(?:the )?(?P<n>{NUMBER})$")
_LARGEST = any_case(
    rf"^(?:only |just |show )?(?:the )?(?:(?P<a>{NUMBER}) (?P<high>largest|biggest|highest"
    rf"|most \w+|best)"
    rf"|(?P<b>{NUMBER}) (?P<low>smallest|lowest|fewest|worst|least \w+))$"
)
_SHIFT = any_case(
    r"^(?:in |for |during )?(?:the )?(?:(?P<unit>year|month|quarter) (?P<way>before|after)"
    r"(?: (?:that|it))?"
    r"|(?P<way2>previous|prior|preceding|next|following) (?P<unit2>year|month|quarter))$"
)
_SAME_A_YEAR_AGO = any_case(
    r"^(?:(?:in|for|during|at|over) )?(?:the )?(?:same )?"
    r"(?:period|time(?: span)?|days?|weeks?|months?|quarter|half(?: year)?|season)"
    r"(?: (?:of|in|from))? (?:(?:the )?(?:last|previous|prior|preceding) year"
    r"|(?:a|one|the) year (?:before|earlier|ago|prior))$"
)
_PERCENT = any_case(
    r"^(?:in|as|by)?\s*(?:an? )?(?:per cent|percent|percentages?|%"
    r"|shares?)(?: of (?:the )?(?:total|all(?: \w+)?))?"
    r"(?: instead)?$"
)
_TOTAL = any_case(r"^(?:what (?:is|are) (?:the )?)?(?:the )?(?:total|sum of)\s+")
_WITHOUT = any_case(
    r"^(?:and )?(?:those |the ones |ones )?(?P<word>without|with)(?: (?:it|one|any|them))?$"
)
_DROPPING = any_case(
    r"^(?:(?:drop|remove|forget|ignore|clear|lose|without|skip|take away)\b.*\b(?:filter"
    r"|condition|restriction)s?"
    r"|(?:(?P<all>(?:for|in|of|across|over) (?:all|every|any)\b.*)|everywhere|overall"
    r"|for everyone|unfiltered|all of them|in total|altogether))$"
)
_ALL = any_case(r"^(?:all(?: the)?|any|every) \w+(?: \w+){0,2}$")
_ALL_TIMES = any_case(r"\b(?:all|every|any)(?: the)? (?:year|quarter|month|week|day|time)s?$")
_IN_TOTAL = any_case(r"^(?:in total|altogether)$")
_SUMS = frozenset(word for one in aggregates() if "total" in one.words for word in one.words)
_AVERAGE = any_case(r"\b(?:on )?(?:average|mean|avg)\b")
_OVERALL = any_case(r"^(?:the )?(?:overall|grand) (?P<figure>\w+)$")
_ITS = any_case(r"^(?:what (?:is|are|was|were) )?(?:its|their|his|her) (?P<what>\w[\w ]*)$")
_THOSE_LAST = any_case(
    r"^(?P<what>\S.*?) (?P<led>of|by|in|for|from|on|at|among) (?:them|those|these)$"
)
_ACTS = any_case(r"\b(?:did|do|does|has|have|had)\b")
OF_OURS = any_case(
    r"\s+(?:did|do|have|had) (?:we|you|they|i) (?:get|got|have|had|see|seen|receive|received)\b"
)
"""`Bookings did we get in May` are the bookings in May: who had them leaves no row out."""
_ARE = any_case(r"\s+(?:are|were|is|was)(?: there)?\b")
_WHO = any_case(r"^(?:who|where|when|which|what)\b")
_WHICH_DID = any_case(r"^(?:which|what) \w+ (?:are|were|is|was|have|has|had|do|did|does)\b")
"""What tells of its rows by a verb, behind which another is tied by `and`."""
_HAS = any_case(r"^(?:which|what) (?P<rows>\w+) (?:has|have|had)\b")
_NEGATED = any_case(
    r"^(?:how many )?(?:(?P<one>did|do|does|are|were|is|was|have|has|had) not"
    r"|(?P<other>did|do|does|are|were|is|was|have|has|had)n't)$"
)
_DOUBLED = re.compile(r"([bdgmnprt])\1ed$")
_COUNTING_GROUPS = any_case(
    rf"^(?:how many|(?:the )?(?:count|number))(?: {_THEM})?(?: (?:are|were|is) (?:there|they))?"
    r" (?P<groups>(?:by|per|for each|for every|in each) \S.*)$"
)
_COUNTED_INSTEAD = any_case(
    r"^(?:how many|(?:the )?(?:count|number)(?: of (?:them|rows))?) instead$"
)
_COUNTED_BESIDE = any_case(
    r"^how many(?: (?P<rows>\w+))?? (?:is|are|was|were) (?:that|those|these|they|it|there)$"
    r"|^how many of (?:them|those|these)$"
)
_UNIT_OF_TIME = any_case(r"(?:day|week|month|quarter|year|hour|decade)\b")
_AND = any_case(r"\s*(?:,|and|,\s*and)?\s*(?:the\s+)?")
_BEFORE_FILTER = any_case(r"\s*\b(?:in|for|of|from|with|among|on|at|only)?\s*(?:the\s+)?$")
_OF_HOW_MANY = frozenset({"most", "least", "fewest"})
_LEAP_DAY = (2, 29)
_MONTHS_OF = {"month": 1, "quarter": 3, "year": 12}
_SHORT_WORDS = 3
"""What is longer is a question of its own, not a value put in another's place."""
ASKED_OTHERWISE = any_case(
    r"\b(?:by|per|each|top|sort\w*|order(?:ed)? by|average|mean|median|total|sum)\b"
)
"""Words that ask for another group, order or figure, not for other rows."""


@dataclass(frozen=True, slots=True)
class Turn:
    """The earlier question and what was said after it, without what leads to it."""

    earlier: str
    said: str
    linker: Linker
    today: date
    sql: str = ""
    """What answered the earlier question, where it was and that is known."""

    def links(self, text: str) -> Links:
        """Links a text to the tables."""
        return self.linker.link(text, self.today)


def of_the_whole(turn: Turn) -> str | None:
    """Makes the whole question of a turn that is said of the earlier one as a whole."""
    return next((whole for one in _TURNS if (whole := one(turn))), None)


def has_no_place(turn: Turn) -> bool:
    """Returns whether a turn is of the whole, and the earlier question gives it nothing to change.

    Such a turn is refused: its words would be put somewhere else.
    """
    shapes = (
        _COUNTING, _COUNTING_SOME, _COUNTED_INSTEAD, _COUNTED_BESIDE, _PICKING, _LISTING, _PERCENT,
        _ITS, _NEGATED, _OVERALL,
    )  # fmt: skip
    return _is_dropping(turn) or any(one.match(turn.said) for one in shapes)


def _bare(earlier: str) -> str:
    return _LEAD.sub("", earlier).strip()


def _is_list(earlier: str) -> bool:
    """Returns whether the earlier question asks for rows, not for numbers of them."""
    counted = COUNTED.match(earlier) or find_cues("count", earlier)
    return not counted and not _OF_FIGURES.search(earlier)


def _count(turn: Turn) -> str | None:
    some = _COUNTING_SOME.match(turn.said)
    if not _is_list(turn.earlier):
        rows = _rows_before(turn) if some else None
        return f"how many {rows} {some['rest']}" if some and rows else None
    if _COUNTING.match(turn.said):
        return f"how many {_bare(turn.earlier)}"
    tie = "and " if _WHICH_DID.match(turn.earlier) else ""
    return f"how many {_bare(turn.earlier)} {tie}{some['rest']}" if some else None


def _count_in_groups(turn: Turn) -> str | None:
    """`How many per region`: the rows that were listed, counted in each group."""
    some = _COUNTING_GROUPS.match(turn.said)
    if some is None or not _is_list(turn.earlier) or TOP.search(turn.earlier):
        return None
    if ends_of(turn.earlier) or _WHO.match(turn.earlier):
        return None
    return f"number of {_bare(turn.earlier)} {some['groups']}"


def _count_instead(turn: Turn) -> str | None:
    """`How many instead`, `how many is that`: the rows in the place of a figure of a measure."""
    beside = None if GROUPED.search(turn.earlier) else _COUNTED_BESIDE.match(turn.said)
    is_asked = beside or _COUNTED_INSTEAD.match(turn.said)
    found = aggregate_pattern().search(turn.earlier) if is_asked else None
    if found is None:
        return None
    links = turn.links(turn.earlier)
    behind = [one.span[1] for one in links.names if one.column and one.span[0] > found.start()]
    if not behind:
        return None
    rest = turn.earlier[min(behind) :].strip()
    rows = rows_of(links, turn.linker.catalog)
    if beside and beside["rows"] and beside["rows"].lower() != rows.lower():
        return None
    of_rows = re.match(
        rf"of (?:the )?(?P<rows>(?:[\w-]+ ){{0,3}}?{re.escape(rows)})\b", rest, re.IGNORECASE
    )
    counted, rest = (of_rows["rows"], rest[of_rows.end() :]) if of_rows else (rows, rest)
    return f"{turn.earlier[: found.start()]}number of {counted} {rest.strip()}".strip()


def rows_of(links: Links, catalog: Catalog) -> str:
    """Returns the word for the rows of a question: its own, or that of the table it reads."""
    named = [one.text for one in links.names if one.column is None]
    if named:
        return named[0]
    tables = {one.table for one in links.of_tables}
    known = next((one for one in catalog.tables if one.name in tables), catalog.tables[0])
    return known.row_nouns[0] if known.row_nouns else "rows"


def _rows_before(turn: Turn) -> str | None:
    """Returns what the earlier question says of its rows: `breaches in California`."""
    if _is_list(turn.earlier):
        is_one = ends_of(turn.earlier) or TOP.search(turn.earlier)
        return None if is_one or _WHO.match(turn.earlier) else _bare(turn.earlier)
    if not COUNTED.match(turn.earlier) or GROUPED.search(turn.earlier):
        return None
    told = OF_OURS.sub(" ", COUNTED.sub("", turn.earlier))
    if _ACTS.search(told):
        return None
    return " ".join(_ARE.sub("", told, count=1).split())


def _of_those(turn: Turn) -> str | None:
    """`What is the average fee of those`, `their average fee`: a figure of rows told before."""
    some, rows = _THOSE_LAST.match(turn.said), _rows_before(turn)
    their = _ITS.match(turn.said)
    if rows is None or not turn.links(turn.said).names:
        return None
    if some and _asks(some["what"]):
        return f"{some['what']} {some['led']} {rows}"
    if their and aggregate_pattern().search(their["what"]):
        return f"{their['what']} of {rows}"
    return None


def _asks(text: str) -> bool:
    return bool(aggregate_pattern().search(text) or COUNTED.match(text))


def _of_it(turn: Turn) -> str | None:
    """`What was its fare`: a column of the row that was asked for."""
    some = _ITS.match(turn.said)
    if not some or not _is_list(turn.earlier) or not ends_of(turn.earlier):
        return None
    if not turn.links(some["what"]).names:
        return None
    row = _HAS.sub(lambda has: f"{has['rows']} with", turn.earlier)
    return None if _WHO.match(row) else f"{some['what']} of {_bare(row)}"


def _negate(turn: Turn) -> str | None:
    """`And how many did not?`: the same of the other rows."""
    some = _NEGATED.match(turn.said)
    if not some:
        return None
    verb = (some["one"] or some["other"]).lower()
    old = list(re.finditer(rf"\b{verb}\b", turn.earlier, re.IGNORECASE))
    if len(old) == 1:
        return f"{turn.earlier[: old[0].end()]} not{turn.earlier[old[0].end() :]}"
    past = list(re.finditer(r"\b\w+ed\b", turn.earlier))
    if old or verb != "did" or len(past) != 1:
        return None
    (one,) = past
    return (
        f"{turn.earlier[: one.start()]}did not {_present(one.group())}{turn.earlier[one.end() :]}"
    )


def _present(past: str) -> str:
    """Takes the ending of a regular past away: `stopped`, `ordered`."""
    if past.endswith("ied"):
        return f"{past[:-3]}y"
    return past[:-3] if _DOUBLED.search(past) else past[:-2]


def _pick(turn: Turn) -> str | None:
    some = _PICKING.match(turn.said)
    return f"{turn.earlier} which {some['rest']}" if some and _is_list(turn.earlier) else None


def _list(turn: Turn) -> str | None:
    if not _LISTING.match(turn.said) or not COUNTED.match(turn.earlier):
        return None
    told = COUNTED.sub("", turn.earlier)
    if _HAVING.match(told):
        return f"which {told}"
    return "list " + re.sub(r"\b(?:are|were|is|was) (?:there )?", "", told, count=1).strip()


def _resize(turn: Turn) -> str | None:
    size, old = _SIZE.match(turn.said), TOP.search(turn.earlier)
    if not size or not old:
        return None
    return turn.earlier[: old.start("n")] + size["n"] + turn.earlier[old.end("n") :]


def _largest(turn: Turn) -> str | None:
    some = _LARGEST.match(turn.said)
    if not some:
        return None
    wanted = f"top {some['a']}" if some["a"] else f"bottom {some['b']}"
    old = TOP.search(turn.earlier)
    if old:
        return turn.earlier[: old.start()] + wanted + turn.earlier[old.end() :]
    return f"{turn.earlier}, {wanted}"


def _shift(turn: Turn) -> str | None:
    """`The year before`, `the same quarter last year`: moves the period of the earlier question."""
    moved = moved_period(turn, turn.said)
    if moved is None:
        return None
    (old,) = turn.links(turn.earlier).periods
    start, end = old.span
    lead = re.match(r"(?:in|during|of|for)\s+", turn.earlier[start:end], re.IGNORECASE)
    led = lead.group() if lead and not moved.startswith("between") else ""
    return turn.earlier[:start] + led + moved + turn.earlier[end:]


def moved_period(turn: Turn, said: str) -> str | None:
    """Returns the period before or after the one that the earlier question tells, in words."""
    some, old = _SHIFT.match(said), turn.links(turn.earlier).periods
    a_year_ago = _SAME_A_YEAR_AGO.match(said)
    if len(old) != 1 or old[0].part or not old[0].start or not old[0].end:
        return None
    if a_year_ago:
        first, end = (_in_year(one, one.year - 1) for one in (old[0].start, old[0].end))
        return _written_period(first, end) if first and end else None
    if not some:
        return None
    months = _MONTHS_OF[(some["unit"] or some["unit2"]).lower()]
    way = (some["way"] or some["way2"]).lower()
    step = -months if way in {"before", "previous", "prior", "preceding"} else months
    if not _is_whole(old[0].start, old[0].end, months):
        return None
    return _written_period(_months_after(old[0].start, step), _months_after(old[0].end, step))


def _is_whole(first: date, end: date, months: int) -> bool:
    """Whether days are a whole month, quarter or year of the calendar."""
    is_first = first.day == 1 and (first.month - 1) % months == 0
    return is_first and end == _months_after(first, months)


def _months_after(first: date, months: int) -> date:
    count = 12 * first.year + first.month - 1 + months
    return date(count // 12, count % 12 + 1, first.day)


def _in_year(day: date, year: int) -> date | None:
    return None if (day.month, day.day) == _LEAP_DAY else date(year, day.month, day.day)


def _written_period(first: date, end: date) -> str:
    """Writes days so that they are read as the same again."""
    if _is_whole(first, end, _MONTHS_OF["year"]):
        return str(first.year)
    if _is_whole(first, end, _MONTHS_OF["quarter"]):
        return f"Q{first.month // 3 + 1} {first.year}"
    if _is_whole(first, end, _MONTHS_OF["month"]):
        return f"{first:%B} {first.year}"
    return f"between {first.isoformat()} and {(end - timedelta(days=1)).isoformat()}"


def _percent(turn: Turn) -> str | None:
    if not _PERCENT.match(turn.said):
        return None
    for pattern, wanted in ((COUNTED, "percentage of "), (_TOTAL, "share of total ")):
        if pattern.match(turn.earlier):
            return pattern.sub(wanted, turn.earlier, count=1)
    return _percent_of_groups(turn)


def _percent_of_groups(turn: Turn) -> str | None:
    """`Returns by reason, as a percentage`: what each group has of all rows, or of their amount."""
    told = _bare(turn.earlier)
    if not GROUPED.search(told) or TOP.search(told) or aggregate_pattern().search(told):
        return None
    first = min(turn.links(told).names, key=lambda one: one.span, default=None)
    if first is None or first.span[0] > 0:
        return None
    return f"share of total {told}" if first.column else f"percentage of {told}"


def _other_role(turn: Turn) -> str | None:
    """`Top 5 pick-up places, the same for drop-off`: the other one of two keys to a table."""
    new = _squeezed_role(_ANOTHER.sub("", turn.said))
    keys = [one for one in turn.linker.catalog.relationships if one.role]
    roles = {"".join(one.role.casefold().split()): one for one in keys}
    key = roles.get(new)
    for role, other in roles.items() if key else ():
        is_rival = key is not None and (other.table, other.to_table) == (key.table, key.to_table)
        spans = [span for span in _role_spans(turn.earlier, role) if other is not key]
        if is_rival and len(spans) == 1:
            ((start, end),) = spans
            return f"{turn.earlier[:start]}{new}{turn.earlier[end:]}"
    return None


def _squeezed_role(text: str) -> str:
    return "".join(word.text for word in words(text))


def _role_spans(text: str, role: str) -> list[tuple[int, int]]:
    """Finds where one or two words say what a key is for."""
    said = words(text)
    one = [(word.start, word.end) for word in said if word.text == role]
    two = [(a.start, b.end) for a, b in pairwise(said) if f"{a.text}{b.text}" == role]
    return [*one, *two]


def _other_end(turn: Turn) -> str | None:
    """`And the cheapest`: another superlative in the place of the one that was asked."""
    new, old = ends_of(turn.said), ends_of(turn.earlier)
    if len(new) != 1 or len(old) != 1 or TOP.search(turn.earlier) or TOP.search(turn.said):
        return None
    told = re.sub(r"^(?:the )?(?:\w+ )??(?=\S+$)", "", turn.said, count=1)
    if len(turn.said.split()) >= _SHORT_WORDS or told.lower() != new[0][0].lower():
        return None
    (was, start, end) = old[0]
    if told.lower() in _OF_HOW_MANY:  # `the most orders … and the fewest` are those of orders
        end = start + len(was.split()[0])
    return turn.earlier[:start] + told + turn.earlier[end:]


def ends_of(text: str) -> list[tuple[str, int, int]]:
    """Finds the words of a text that ask for an end: `cheapest`, `most visits`."""
    found = [
        (one.group(), *one.span())
        for one in re.finditer(r"\b(?:most|least) \w+|\b\w+est\b", text, re.IGNORECASE)
    ]
    known = [
        (one.text, one.start, one.end)
        for cue in ("superlative_high", "superlative_low")
        for one in find_cues(cue, text)
    ]
    return found or known


def _without(turn: Turn) -> str | None:
    some = _WITHOUT.match(turn.said)
    old = list(re.finditer(r"\b(?:with|without)\b", turn.earlier, re.IGNORECASE))
    if not some or len(old) != 1 or old[0].group().lower() == some["word"].lower():
        return None
    return turn.earlier[: old[0].start()] + some["word"].lower() + turn.earlier[old[0].end() :]


def _drop(turn: Turn) -> str | None:
    """`For all regions`: takes away the condition that is named, or the only one."""
    if _IN_TOTAL.match(turn.said):
        return _in_total(turn)
    if turn.said.lower() == "overall" and GROUPED.search(turn.earlier):
        whole = _ungrouped(turn)
        return _as_figure(turn, whole) if whole else None
    links, said = turn.links(turn.earlier), turn.links(turn.said)
    if not _is_dropping(turn) and (said.values or not _ALL.match(turn.said)):
        return None
    held = {one.span: (one.table, one.column) for one in links.values}
    times = [one.span for one in links.periods]
    columns = {(one.table, one.column) for one in said.names}
    columns |= {(one.table, one.column) for one in said.values}
    named = [one for one in held if held[one] in columns]
    if _ALL_TIMES.search(turn.said):
        meant = times
    else:
        is_bare = not columns and not _ALL.match(turn.said)
        meant = named or ([*held, *times] if is_bare else [])
    if len(meant) != 1:
        return None
    start, end = meant[0]
    return (_BEFORE_FILTER.sub("", turn.earlier[:start]) + turn.earlier[end:]).strip()


def _is_dropping(turn: Turn) -> bool:
    """Whether a condition is to be dropped: `for all cars` may put one in the place of another."""
    some = _DROPPING.match(turn.said)
    return some is not None and not (some["all"] and turn.links(turn.said).values)


def _overall(turn: Turn) -> str | None:
    """`The overall average`: the same figure of all groups together."""
    some, told = _OVERALL.match(turn.said), aggregate_pattern().search(turn.earlier)
    is_same = some and told and some["figure"].lower() in told.group().lower().split()
    return _ungrouped(turn) if is_same else None


def _in_total(turn: Turn) -> str | None:
    """`In total`: the figure of all groups together, or the sum in the place of an average.

    What rows are meant stays: `in total` says nothing of `all of them`.
    """
    whole = _ungrouped(turn)
    averages = list(_AVERAGE.finditer(turn.earlier))
    if not averages:
        figures = {one.group().lower() for one in aggregate_pattern().finditer(turn.earlier)}
        return _as_figure(turn, whole) if whole and figures <= _SUMS else None
    is_one = len(averages) == 1 and not averages[0].group().lower().startswith("on ")
    if not is_one or GROUPED.search(whole or turn.earlier) or TOP.search(turn.earlier):
        return None
    return _AVERAGE.sub("total", whole or turn.earlier)


def _as_figure(turn: Turn, whole: str) -> str | None:
    """Says of bare rows how many there are, of a bare amount its sum."""
    if _asks(whole) or find_cues("count", whole):
        return whole
    first = next((one for one in turn.links(whole).names if not one.span[0]), None)
    if first is None:
        return None
    return f"total {whole}" if first.column else f"number of {whole}"


def _ungrouped(turn: Turn) -> str | None:
    """The figure of all groups together, of the same rows."""
    cues = list(GROUPED.finditer(turn.earlier))
    if len(cues) != 1 or TOP.search(turn.earlier):
        return None
    (cue,) = cues
    end = end_of_group(turn.links(turn.earlier), turn.earlier, cue)
    rest = turn.earlier[end:].strip()
    if end == cue.end() or re.match(r"(?:,|and\b|or\b|excluding\b)", rest, re.IGNORECASE):
        return None
    return f"{turn.earlier[: cue.start()].strip()} {rest}".strip()


def end_of_group(links: Links, text: str, cue: re.Match[str]) -> int:
    """Finds where the names after `by` end, those that follow `and` included."""
    end = cue.end()
    unit = _UNIT_OF_TIME.match(text, end)
    end = unit.end() if unit else end
    for one in sorted(links.names, key=lambda link: link.span):
        between = text[end : one.span[0]]
        if one.span[0] >= end and _AND.fullmatch(between):
            end = one.span[1]
    return end


_TURNS = (
    _count, _count_in_groups, _count_instead, _pick, _list, _resize, _largest, _shift, _percent,
    _other_role,    _other_end, _of_it, _negate, _without, _drop, _overall, _of_those,
)  # fmt: skip

_SLOT = any_case(
    r"\b(?P<before>of|in|for|from|among|with|to|are|is|were"
    r"|was)\s+(?:the\s+)?(?P<what>[\w.&'/-]+(?: [\w.&'/-]+){0,2}?)"
    r"(?=$|[,?]|\s+(?:by|per|in|for|of|from|since|with|and|where|who|over|under|above|below)\b)"
)
_NEXT = re.compile(
    r"\s*(?:,(?:\s+(?:and|or)\b)?|&|\b(?:and|or)\b)\s+(?:the\s+)?"
    r"(?P<next>[A-Z][\w.'-]*(?:\s[A-Z][\w.'-]*)*|[\w.'-]+)"
)
"""What stands beside a name that is told in a row: ` and New Jersey` behind `Texas`."""
_COMPARING = any_case(r"^compare (?:the )?")
_ANOTHER = any_case(
    r"^(?:and|what about|how about|(?:the )?same(?: thing)?(?: for| in| with| of)?|now|then"
    r"|or|but|no|sorry|i meant?|in|for|from|of|the|,|\s)+\b"
)


def replaced(turn: Turn, whole: str) -> str | None:
    """`And herbivores?`: puts what is said in the place of what stands in the same relation."""
    said = END.sub("", _ANOTHER.sub("", whole)).strip()
    links = turn.links(said)
    if (
        not said
        or len(said.split()) > _SHORT_WORDS
        or links.periods
        or ASKED_OTHERWISE.search(said)
    ):
        return None
    slots = [one for one in _SLOT.finditer(turn.earlier) if _may_change(turn, one)]
    led = re.search(
        r"\b(?P<before>of|in|for|from|with)\s+(?:the\s+)?" + re.escape(said), whole, re.IGNORECASE
    )
    alike = [one for one in slots if led and one["before"].lower() == led["before"].lower()]
    slots = alike or slots
    if len(slots) != 1:
        return None
    old, new = slots[0]["what"].split(), said.split()
    start, end = slots[0].span("what")
    end_of_row = _end_of_row(turn, end)
    if end_of_row is None:
        return None
    if end_of_row > end:
        return _COMPARING.sub("", turn.earlier[:start]) + said + turn.earlier[end_of_row:]
    return turn.earlier[:start] + " ".join([*new, *old[len(new) :]]) + turn.earlier[end:]


def _end_of_row(turn: Turn, end: int) -> int | None:
    """Finds where what is told in a row ends: `Texas and Oklahoma` make place for one together.

    Args:
        turn: What is said.
        end: Where the first of the row ends in the earlier question.

    Returns:
        The end of the last; None where what is tied to it is asked for besides.
    """
    links = turn.links(turn.earlier)
    taken = [*(one.span for one in links.names), *(one.span for one in links.periods)]
    while some := _NEXT.match(turn.earlier, end):
        start, after = some.span("next")
        is_taken = any(low < after and start < high for low, high in taken)
        if is_taken or ASKED_OTHERWISE.match(some["next"]):
            return None
        end = after
    return end


def _may_change(turn: Turn, slot: re.Match[str]) -> bool:
    """Returns whether what stands there is neither a column nor a time."""
    links = turn.links(turn.earlier)
    start, end = slot.span("what")
    if slot["before"].lower() == "in" and measures(unit_at(slot["what"].lower().split(), 0)[0]):
        return False
    taken = [*(one.span for one in links.names if one.column), *(one.span for one in links.periods)]
    values = [one.span for one in links.values]
    if any(low < end and high > start for low, high in values):
        return True
    return not any(low <= start and high >= end for low, high in taken) and not re.search(
        r"\b(?:there|how|many|number)\b|\d", slot["what"], re.IGNORECASE
    )
