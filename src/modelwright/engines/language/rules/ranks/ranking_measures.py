"""What groups or rows are ranked by: the average fare, the number of trips, alcohol."""

import re

from modelwright.engines.language.rules.columns.index import Held, ref
from modelwright.engines.language.rules.measures.products import revenue_at
from modelwright.engines.language.rules.measures.quantiles import quantile_at
from modelwright.engines.language.rules.measures.ratios import margin_at, profit_at, ratio_at
from modelwright.engines.language.rules.measures.two_amounts import two_amounts_at
from modelwright.engines.language.rules.mentions.draft import Draft, add_test, entity
from modelwright.engines.language.rules.mentions.mention import Mention
from modelwright.engines.language.rules.mentions.rows import amount, amount_at, only_rows, sold_only
from modelwright.engines.language.rules.mentions.worth import worth_of
from modelwright.engines.language.rules.plans.plan import Condition, Measure
from modelwright.engines.language.rules.text.patterns import patterns
from modelwright.engines.language.vocabulary import word_set

_NUMBER_QUALITY = 0.45
"""How surely words must mean a number to be ranked by it, 0 to 1."""
_NAME_SAID = 0.93
"""How much of a name, or how surely, must be said to be all but whole, 0 to 1."""
_COUNT_QUALITY = 0.6
"""How surely words must mean a number to be no number of rows, 0 to 1."""
_COUNTED = re.compile(
    r"(?:the )?(?:total )?(?:number|count|amount|frequency|popularity|how many)\b"
)
_SHARES = word_set("names.shares")
_HOW_MANY = word_set("superlatives.of_how_many")
_DONE = re.compile(r"(?:ed|ade|uilt|old|orn|ught)$")
_MOST_DONE = re.compile(r"\b(?P<way>most|least) (?:often )?(?P<done>\w+ed)\b")
AGGREGATES = patterns("superlatives aggregates")


def measure_after(draft: Draft, start: int) -> Measure | None:
    """Reads `average fare`, `number of trips`, `alcohol` from a place on."""
    whole = two_amounts_at(draft, start) or margin_at(draft, start) or quantile_at(draft, start)
    whole = whole or revenue_at(draft, start, start + 3) or profit_at(draft, start, start + 3)
    whole = whole or ratio_at(draft, start)
    whole = whole or _rows_counted(draft, start) or _rate_after(draft, start)
    whole = whole or _worth_after(draft, start)
    if whole is not None:
        return whole
    named = _number_after(draft, start)
    if named is None:
        return _kind_counted(draft, start)
    text = draft.text(start, start + 5)
    said = ((kind, match.group()) for kind, cue in AGGREGATES if (match := cue.match(text)))
    kind, words = next(said, (None, ""))
    draft.claim(start, start + len(words.split()), "measure")
    draft.pass_over(start, named.start, "measure")
    draft.claim(named.start, named.end, "measure")
    if kind == "median" and "median" in named.column.facts.name.lower():
        kind = None
    return Measure(kind, ref(named.column))  # type: ignore[arg-type]


def _worth_after(draft: Draft, start: int) -> Measure | None:
    """`Total invoiced`, `average donation`: the amount that rows are called."""
    text = draft.text(start, start + 5)
    said = ((kind, match.group()) for kind, cue in AGGREGATES if (match := cue.match(text)))
    kind, words = next(said, (None, ""))
    at = start + len(words.split())
    column = worth_of(draft, at, summed=kind == "sum") if kind in {"avg", "sum"} else None
    if column is None:
        return None
    draft.claim(start, at + 1, "measure")
    return Measure(kind, ref(column))  # type: ignore[arg-type]


def _rows_counted(draft: Draft, start: int) -> Measure | None:
    """`The number of trips`, unless a number is called so: `amount paid`."""
    text = draft.text(start, start + 5)
    counted = _COUNTED.match(text)
    own = draft.pick(start, start + 3, amount, _COUNT_QUALITY)
    told = own and not only_rows(draft, own) and re.search(r"amount|number", text)
    if counted is None or told:
        return None
    rest = start + len(counted.group().split())
    draft.claim(start, rest, "measure")
    claim_entities(draft, rest, rest + 4)
    return Measure("count")


def _rate_after(draft: Draft, start: int) -> Measure | None:
    """`Churn rate` of a column of yes or no: the share of yes."""
    rated = draft.pick(start, start + 3, lambda c: c.yes is not None)
    if rated is None or draft.text(rated.end, rated.end + 1) not in _SHARES:
        return None
    draft.claim(rated.start, rated.end + 1, "measure")
    return Measure(share=((Condition(ref(rated.column), "=", rated.column.yes),),))


def _number_after(draft: Draft, start: int) -> Mention | None:
    """The number named next; `most houses sold` speaks of rows, not of the price they sold for."""
    named = amount_at(draft, start, start + 4)
    verb = named and named.start > start and done(draft, named.start)
    if named and verb and (sold_only(draft, named) or not _spelt(draft, named)):
        draft.claim(start, named.end, "rows")
        return None
    kind = named and named.named < _NAME_SAID and _kind_at(draft, named.start)
    return None if named is None or only_rows(draft, named) or kind else named


def _kind_at(draft: Draft, at: int) -> Held | None:
    """The only value that a plural is: `indictments` of Type, not of Indictment Days."""
    links = [one for one in draft.question.values if one.exact and one.start == at == one.end - 1]
    held = [each for one in links for each in one.held]
    return held[0] if len(held) == 1 and draft.text(at, at + 1).endswith("s") else None


def _kind_counted(draft: Draft, at: int) -> Measure | None:
    """`The most indictments` are the most rows of that kind."""
    alone = len(draft.index.tables) == 1 and draft.claimed[at : at + 1] == [""]
    kind = _kind_at(draft, at) if alone else None
    if kind is None:
        return None
    add_test(draft, kind.column, Condition(ref(kind.column), "=", kind.value), at, at + 1)
    return Measure("count")


def _spelt(draft: Draft, named: Mention) -> bool:
    """Whether a word is a part of the name itself."""
    return draft.text(named.start, named.start + 1) in {one.text for one in named.column.name.terms}


def claim_entities(draft: Draft, start: int, end: int) -> None:
    """Claims the words of a stretch that name the rows."""
    for at in range(start, min(end, len(draft.claimed))):
        if entity(draft, at) or draft.question.terms[at].weight < 1:
            draft.claim(at, at + 1, "rows")


def most_rows(draft: Draft, at: int) -> Measure | None:
    """`The most houses sold` are the most rows."""
    counts = draft.text(at, at + 1) in _HOW_MANY
    if not (counts and entity(draft, at + 1)) or draft.pick(
        at + 1, at + 2, amount, _NUMBER_QUALITY
    ):
        return None
    draft.claim(at + 1, at + 2, "rows")
    return Measure("count")


def most_done(draft: Draft) -> re.Match[str] | None:
    """`The most reviewed hotel` of a table of reviews is that of the most rows."""
    match = _MOST_DONE.search(draft.lower) if len(draft.index.tables) == 1 else None
    own = {term.stem for term in draft.index.table_names[0].terms}
    said = draft.question.terms[draft.at(match.start("done"))].stem if match else ""
    return match if said in own else None


def done(draft: Draft, at: int) -> bool:
    """Whether a word after the rows says what was done to them: `the most movies made`."""
    return entity(draft, at - 1) and bool(_DONE.search(draft.text(at, at + 1)))
