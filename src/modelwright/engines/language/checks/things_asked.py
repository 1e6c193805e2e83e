"""Whether what is shown is the thing that was asked for, and not something beside it.

`Which pest` is told by no pest pressure, `who owns the plots` by no plot, `how long` by no dose and
`what was in the parcels` by nothing that the rows of parcels hold.
"""

from collections.abc import Iterator
from itertools import pairwise

from sqlglot import exp

from modelwright.engines.language.catalog.meaning import Role
from modelwright.engines.language.checks.durations import LASTS
from modelwright.engines.language.checks.findings import Code, Finding, doubt, fault
from modelwright.engines.language.checks.statement import SHOWS_ALL, Place, Statement
from modelwright.engines.language.checks.unexplained import is_named, is_told, names_column
from modelwright.engines.language.checks.words import QuestionWords, facts_of
from modelwright.engines.language.readers import NameLink
from modelwright.engines.language.row_nouns import is_row_word, singular
from modelwright.engines.language.rules.columns.value_shapes import yes_no
from modelwright.engines.language.rules.mentions.rows import names_doers, names_people
from modelwright.engines.language.rules.mentions.units import is_physical, measures
from modelwright.engines.language.rules.text.lexicon import concepts_of_name, spelled_out
from modelwright.engines.language.rules.text.roots import root
from modelwright.engines.language.rules.text.words import Word, stem
from modelwright.engines.language.vocabulary import alternatives, any_case, word_set

_THING = any_case(
    r"\b(?:which|(?:in|on|at|from|for|by|to)\s+what)\s+(?:of\s+the\s+)?(?:\w+\s+){0,2}?"
    r"(?P<noun>(?!is\b|are\b|was\b|were\b|do\b|does\b|did\b|has\b|have\b|had\b|of\b)\w+)\s+"
    r"(?=(?:is|are|was|were|do|does|did|has|have|had|of|in|gets?)\b)"
)
"""What is asked for by `which`, up to its verb."""
_NO_THINGS = word_set(
    "names.kinds_of_things", "checks.units_of_time", "checks.no_things", "checks.key_names"
)
_WHO_DID_ROWS = any_case(
    r"^\W*who(?:m)?\s+(?!is\b|are\b|was\b|were\b|else\b)\w+\s+(?:us\s+)?(?:the|these|our|all)\s+"
    r"(?:\w+\s+){0,2}?(?P<rows>\w+)"
)
"""Who does something to the rows is none of them."""
_WHO_DID = any_case(
    r"^\W*who\s+(?P<deed>(?!is\b|are\b|was\b|were\b|has\b|have\b|had\b)\w+)\s+"
    r"(?=(?:the|these|our|all|an?)\b)"
)
_HOW_LONG = any_case(r"^\W*(?:for\s+)?how\s+long\s+(?:has|have|had|do|does|did|will|until|till)\b")
_CONTENTS = any_case(
    r"^\W*what\s+(?:is|are|was|were|'s)\s+(?:in|inside|within)\s+(?:the|these|those|our)\s+"
    r"(?P<whole>\w+(?:\s+\w+)?)\b"
)
_NUMBER_OF = any_case(
    r"\b(?:average|mean|total|median|typical|highest|lowest|maximum|minimum)\s+number\s+of\s+"
    r"(?:\w+\s+)?(?P<noun>\w+s)\b"
)
_FIRST = any_case(rf"\b(?P<when>{alternatives('checks.of_first_figures')})\s+$")
"""Words right before a figure that say which of several in time it is."""
_TYING = word_set("checks.behind_name_heads")
_LEVELS = word_set("checks.levels")
_NAME_ENDS = word_set("checks.name_ends")
_OF_COUNTS = word_set("names.counts", "names.of_counted_deeds")
_PLACES = word_set("checks.concepts_of_places")
_SHORTEST_VERB = 3
"""Letters in which a verb and who does it begin alike."""


def check_things(said: QuestionWords, sql: Statement) -> Iterator[Finding]:
    """Finds `which region of Ethiopia` that is told by a number of lots, or by whole rows."""
    asked = _THING.search(said.request.question)
    if asked is None or not isinstance(sql.tree, exp.Select):
        return
    noun = next(word for word in said.all if word.start == asked.start("noun"))
    if not _is_thing(said, sql, noun):
        return
    if sql.tree.meta.get(SHOWS_ALL):
        if any(names_column(said, sql, place, noun.raw) for place in sql.columns):
            yield fault(Code.OTHER_KIND, f"Whole rows tell no “{noun.raw}”.", noun.raw)
        return
    shown = _told(sql)
    called = [place for place in shown if names_column(said, sql, place, noun.raw)]
    if shown and not called and not any(is_named(said, sql, place) for place in shown):
        names = ", ".join(sorted(place[1] for place in shown))
        yield fault(Code.OTHER_KIND, f"{names} tells no “{noun.raw}”.", noun.raw)
    elif called and not any(_may_be_country(place, said, noun) for place in called):
        message = f"{called[0][1]} may tell no “{noun.raw}”."
        yield doubt(Code.OTHER_KIND, message, noun.raw)
    elif called and all(_only_speaks_of(said, place, noun) for place in called):
        names = ", ".join(place[1] for place in called)
        yield fault(Code.OTHER_KIND, f"{names} tells no “{noun.raw}”.", noun.raw)


def check_values_for_things(said: QuestionWords, sql: Statement) -> Iterator[Finding]:
    """Finds `which vaccine did they get` that lists the rows of the value `vaccination`."""
    asked = _THING.search(said.request.question)
    noun = asked["noun"].casefold() if asked else ""
    tested = {one.name.casefold() for test in sql.tests for one in test.literals}
    for link in said.request.links.values:
        start, end = link.span
        value = str(link.value).casefold()
        is_asked = asked is not None and start <= asked.start("noun") < end and value in tested
        if is_asked and singular(noun) not in map(singular, spelled_out(value)):
            yield fault(Code.OTHER_KIND, f"“{value}” tells no “{noun}”.", noun)


def _is_thing(said: QuestionWords, sql: Statement, noun: Word) -> bool:
    """Whether a word is of something that a column would tell, and calls no rows and no value."""
    links = said.request.links
    spans = [one.span for one in links.values]
    spans += [one.span for one in links.names if one.column is None and one.table in sql.tables]
    told = said.concepts_of(noun)
    calls_rows = noun.stem in _row_stems(sql) or bool(told & _row_concepts(sql))
    return (
        noun in said.content
        and not any(start <= noun.start < end for start, end in spans)
        and not calls_rows
        and noun.text.removesuffix("s") not in _NO_THINGS
        and (not is_row_word(noun) or bool(told & _PLACES))
    )


def _row_names(sql: Statement) -> list[str]:
    """Returns what the rows of all tables read are called, and their keys."""
    return [
        name
        for table in sql.read_tables
        for name in (table.name, *table.row_nouns, table.key or "")
        if name
    ]


def _row_stems(sql: Statement) -> set[str]:
    return {stem(part) for name in _row_names(sql) for part in spelled_out(name)}


def _row_concepts(sql: Statement) -> set[str]:
    return {one for table in sql.read_tables for one in concepts_of_name(table.name)}


def _told(sql: Statement) -> set[Place]:
    """Returns the columns that are shown as they are."""
    selects = sql.tree.selects if isinstance(sql.tree, exp.Select) else []
    plain = [one for one in selects if one.find(exp.AggFunc, exp.Anonymous) is None]
    return {place for one in plain for place in sql.places(one)}


def _may_be_country(place: Place, said: QuestionWords, noun: Word) -> bool:
    """Whether a column is of countries by its name, where a word is: a location may be a town."""
    told = said.concepts_of(noun) & {"nation"}
    is_called_so = noun.stem in {stem(part) for part in spelled_out(place[1])}
    return is_called_so or told <= concepts_of_name(place[1])


def _only_speaks_of(said: QuestionWords, place: Place, noun: Word) -> bool:
    """Whether a column says yes and no, how much or how bad it is, of what a word names."""
    facts = facts_of(said.request, *place)
    if facts is None:
        return False
    if yes_no(facts) != (None, None):
        return True
    parts, head = spelled_out(place[1]), [stem(part) for part in _head(place[1])]
    is_figure = facts.type in {"integer", "float"} and parts[-1].casefold() not in _NAME_ENDS
    if noun.stem == head[-1]:
        return is_figure and not _TYING.isdisjoint(parts)
    are_levels = len(_LEVELS & {str(value).casefold() for value, _ in facts.top}) > 1
    return (are_levels or is_figure) and noun.stem in head and head[-1] not in said.stems


def _before_ties(name: str) -> list[str]:
    """Returns the words of a name before what ties others to it: `price` of `price_per_night`."""
    parts = [part.casefold() for part in spelled_out(name)]
    tied = next((at for at, part in enumerate(parts) if at and part in _TYING), len(parts))
    return parts[:tied]


def _head(name: str) -> list[str]:
    """Returns the words of a name before what ties others to it, and before its unit."""
    parts = _before_ties(name)
    while len(parts) > 1 and measures(parts[-1]):
        parts.pop()
    return parts


def check_doers_of_rows(said: QuestionWords, sql: Statement) -> Iterator[Finding]:
    """Finds `who owns the plots` that lists plots."""
    shown = _told(sql)
    if not shown or not isinstance(sql.tree, exp.Select) or sql.tree.meta.get(SHOWS_ALL):
        return
    asked = _WHO_DID_ROWS.match(said.request.question)
    if asked is None or any(names_people(place[1]) for place in shown):
        return
    rows = stem(asked["rows"].casefold())
    are_called_so = all(rows == stem(place[1].casefold()) for place in shown)
    are_rows = rows in _row_stems(sql) and all(_tells_rows(sql, place) for place in shown)
    if are_called_so or are_rows:
        yield fault(Code.OTHER_ROWS, f"“{asked['rows']}” are nobody who does it.")


def _tells_rows(sql: Statement, place: Place) -> bool:
    """Whether a column is the key of its table, or is called as its rows are: the `vine`."""
    table = sql.catalog.table(place[0])
    nouns = {stem(noun) for noun in table.row_nouns} if table else set()
    is_key = table is not None and table.key == place[1]
    return is_key or stem(place[1].casefold()) in nouns


def check_other_doers(said: QuestionWords, sql: Statement) -> Iterator[Finding]:
    """Finds `who sent the heaviest parcel` told by who carried it."""
    done = _WHO_DID.match(said.request.question)
    if done is None or sql.group_keys:
        return
    verb = next(word for word in said.all if word.start == done.start("deed"))
    doers = sorted(place for place in _told(sql) if _tells_doers(said, place))
    if doers and not is_told(said, sql, verb) and not any(_does(one, verb) for one in doers):
        message = f"“{verb.raw}” says nothing of {doers[0][1]}."
        yield doubt(Code.AMBIGUOUS_NAME, message, verb.raw)


def _tells_doers(said: QuestionWords, place: Place) -> bool:
    """Whether a column tells who does something by its name alone: a carrier, a driver."""
    facts = facts_of(said.request, *place)
    return facts is not None and names_doers(facts) and not names_people(place[1])


def _does(place: Place, verb: Word) -> bool:
    """Whether a column is of who does what a verb says: the driver, who drove."""
    return root(spelled_out(place[1])[-1].casefold()).startswith(root(verb.text)[:_SHORTEST_VERB])


def check_lasting(said: QuestionWords, sql: Statement) -> Iterator[Finding]:
    """Finds `how long had they been in pain` told by figures that last no time."""
    asked = _HOW_LONG.match(said.request.question)
    if asked is None or sql.find(exp.DateDiff) is not None:
        return
    facts = {place: facts_of(said.request, *place) for place in sql.shown_columns}
    shown = {at for at, one in facts.items() if one and one.type in {"integer", "float"}}
    if shown and not any(_lasts(sql, place) for place in shown):
        told = ", ".join(sorted(place[1] for place in shown))
        yield fault(Code.OTHER_KIND, f"{told} tells not how long.", "how long")


def _lasts(sql: Statement, place: Place) -> bool:
    """Whether a figure is of a time, or of a length: no number a week is."""
    column = sql.catalog.column(*place)
    parts = _before_ties(place[1])
    if column and len(parts) == len(spelled_out(place[1])):
        parts.append(column.unit.casefold())
    return any(map(is_physical, parts)) or LASTS.search(" ".join(parts)) is not None


def check_contents(said: QuestionWords, sql: Statement) -> Iterator[Finding]:
    """Finds `what was in the parcels` that lists the parcels, or their weight."""
    asked = _CONTENTS.match(said.request.question)
    if asked is None:
        return
    whole = {stem(word) for word in asked["whole"].casefold().split()}
    shown = sql.shown_columns
    figures = {stem(part) for one in shown if _is_figure(sql, one) for part in spelled_out(one[1])}
    nouns = {stem(noun) for table in sql.read_tables for noun in table.row_nouns}
    tells_rows = len(sql.read_tables) == 1 and sql.tree.meta.get(SHOWS_ALL)
    if whole & (nouns | figures) and (tells_rows or all(_is_figure(sql, one) for one in shown)):
        message = f"Nothing tells what is in the “{asked['whole']}”."
        yield fault(Code.OTHER_KIND, message, asked["whole"])


def _is_figure(sql: Statement, place: Place) -> bool:
    """Whether a column is of how much or of when, or numbers the rows."""
    return _tells_rows(sql, place) or sql.role(place) in {Role.MEASURE, Role.FLAG, Role.DATE}


def check_numbers_of(said: QuestionWords, sql: Statement) -> Iterator[Finding]:
    """Finds `average number of blades` told by the pitch of the blades."""
    asked = _NUMBER_OF.search(said.request.question)
    if asked is None:
        return
    noun = stem(asked["noun"].casefold())
    for one in sql.find_all(exp.Avg, exp.Sum, exp.Max, exp.Min) if not measures(noun) else ():
        for place in sql.places(one):
            head = [stem(part) for part in _head(place[1])]
            facts = facts_of(said.request, *place)
            counts = facts is None or facts.type != "float" or head[-1] in _OF_COUNTS
            if not counts and noun in head[:-1] and head[-1] not in said.stems:
                message = f"{place[1]} is no number of “{asked['noun']}”."
                yield fault(Code.OTHER_KIND, message, asked["noun"])


def check_first_figures(said: QuestionWords, sql: Statement) -> Iterator[Finding]:
    """Finds `starting salary` that is the salary: which of several it is, no column says."""
    question = said.request.question
    if sql.is_ordered:
        return
    for link in _figures(said, sql):
        told = _FIRST.search(question[: link.span[0]])
        place = (link.table, str(link.column))
        if told and place in sql.columns and not names_column(said, sql, place, told["when"]):
            message = f"“{told['when']}” says which {link.text} is meant."
            yield fault(Code.WORD_LEFT_OUT, message, told["when"])


def check_figures_of_deeds(said: QuestionWords, sql: Statement) -> Iterator[Finding]:
    """Finds `the joining fee` told by another fee beside the day of joining."""
    links = [one for one in said.request.links.names if one.column]
    for first, second in pairwise(sorted(links, key=lambda one: one.span)):
        between = said.request.question[first.span[1] : second.span[0]]
        places = [(one.table, str(one.column)) for one in (first, second)]
        roles = [sql.role(place) for place in places]
        are_shown = sql.shown_columns.issuperset(places) and not sql.aggregates
        if not between.strip() and roles == [Role.DATE, Role.MEASURE] and are_shown:
            told = f"{first.text} {second.text}"
            message = f"{places[1][1]} is not called “{told}”."
            yield fault(Code.OTHER_KIND, message, told)


def _figures(said: QuestionWords, sql: Statement) -> list[NameLink]:
    links = [one for one in said.request.links.names if one.column]
    return [one for one in links if sql.role((one.table, str(one.column))) is Role.MEASURE]


CHECKS = (
    check_things,
    check_values_for_things,
    check_doers_of_rows,
    check_other_doers,
    check_lasting,
    check_contents,
    check_numbers_of,
    check_first_figures,
    check_figures_of_deeds,
)
"""Checks of a candidate's SQL against the question: each finds one kind of fault."""
