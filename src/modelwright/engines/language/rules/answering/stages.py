"""The order in which a question is read, as data: what each stage needs, and what it settles.

A word is explained by the first stage that claims it, so the order decides between readings. It
stands here as a table, each stage with what has to be settled before it, so that a new one is put
where it must be and not where it happens to work.
"""

from collections.abc import Callable
from dataclasses import dataclass

from modelwright.engines.language.rules.answering.charts import pair_wanted, read_chart
from modelwright.engines.language.rules.answering.completion import complete, read_spread
from modelwright.engines.language.rules.answering.shown_numbers import doubt_unread, read_measures
from modelwright.engines.language.rules.conditions.filters import read_filters
from modelwright.engines.language.rules.conditions.set_differences import read_set_differences
from modelwright.engines.language.rules.conditions.signs import read_signs
from modelwright.engines.language.rules.groups.frequencies import read_frequency
from modelwright.engines.language.rules.groups.group_differences import read_compared
from modelwright.engines.language.rules.groups.grouping import read_groups
from modelwright.engines.language.rules.groups.reasons import read_reasons
from modelwright.engines.language.rules.measures.changes import read_change
from modelwright.engines.language.rules.measures.first_of_each import set_aside
from modelwright.engines.language.rules.measures.products import unprice
from modelwright.engines.language.rules.measures.quantiles import read_quantile
from modelwright.engines.language.rules.measures.shares import settle_rates
from modelwright.engines.language.rules.measures.two_amounts import read_two_amounts
from modelwright.engines.language.rules.mentions.averaged import settle_averaged
from modelwright.engines.language.rules.mentions.draft import Draft
from modelwright.engines.language.rules.mentions.names import read_names
from modelwright.engines.language.rules.mentions.rows import add_up, in_asked_unit
from modelwright.engines.language.rules.ranks.places import read_nth
from modelwright.engines.language.rules.ranks.sort_orders import (
    claim_firsts,
    order_groups,
    read_order,
)
from modelwright.engines.language.rules.ranks.superlatives import read_limits, read_superlatives
from modelwright.engines.language.rules.ranks.top_lists import read_groups_by
from modelwright.engines.language.rules.several.relations import read_lacks, read_never
from modelwright.engines.language.rules.several.several import read_several
from modelwright.engines.language.rules.times.ages_and_tenures import read_age_or_tenure
from modelwright.engines.language.rules.times.durations import read_duration
from modelwright.engines.language.rules.times.joined_and_left import read_joining


@dataclass(frozen=True, slots=True)
class Stage:
    """One stage: it reads the words that no stage before it has claimed."""

    read: Callable[[Draft], object]
    finds: str
    """What it finds, in a few words."""
    requires: frozenset[str] = frozenset()
    """The parts of a draft that must be settled before it."""
    assigns: frozenset[str] = frozenset()
    """The parts that it may change, beside the words it claims."""
    runs: Callable[[Draft], bool] = lambda _: True
    """Whether it has anything to do with this question."""


def _parts(names: str) -> frozenset[str]:
    return frozenset(names.split())


def _is_plain(draft: Draft) -> bool:
    return not pair_wanted(draft)


def _is_aside(draft: Draft) -> bool:
    return draft.aside


def _compare(draft: Draft) -> None:
    draft.compared = read_compared(draft)


def _is_no_comparison(draft: Draft) -> bool:
    return not draft.compared


FIRST = (
    Stage(unprice, "prices that are no amounts"),
    Stage(settle_averaged, "what an average is of"),
    Stage(read_joining, "rows that joined and left", assigns=_parts("where group select")),
    Stage(read_chart, "a chart that is wished for", assigns=_parts("chart charted")),
    Stage(read_limits, "how many rows are shown", assigns=_parts("limit numbers_taken")),
    Stage(read_nth, "a place in the order", assigns=_parts("nth")),
    Stage(read_signs, "profits and losses", assigns=_parts("where having tested")),
    Stage(read_quantile, "medians, quartiles, percentiles", assigns=_parts("select")),
    Stage(read_reasons, "why rows are as they are", assigns=_parts("group select")),
    Stage(
        read_frequency,
        "how often something happens",
        _parts("where"),
        _parts("select group order where"),
    ),
    Stage(
        read_age_or_tenure,
        "ages and tenures until today",
        assigns=_parts("select order limit"),
    ),
    Stage(
        read_duration,
        "times from one date to another",
        _parts("select"),
        _parts("select where order limit group having"),
    ),
)
"""What comes first with any number of tables."""
_DOUBTS = Stage(doubt_unread, "doubts about words that were left over", _parts("select where"))
ONE_TABLE = (
    Stage(read_change, "what changed from one time to another", assigns=_parts("of_two")),
    Stage(read_two_amounts, "two amounts told as one number", assigns=_parts("of_two")),
    Stage(
        read_groups_by,
        "groups, by a figure that ranks them",
        assigns=_parts("group select order where"),
        runs=_is_plain,
    ),
    Stage(
        read_groups,
        "groups, and those in which something is ranked",
        _parts("chart select"),
        _parts("group within order limit usual"),
        _is_plain,
    ),
    Stage(read_lacks, "the word by which rows have none of something", assigns=_parts("lacking")),
    Stage(
        read_filters,
        "conditions: periods, values, numbers, tests of groups",
        _parts("numbers_taken group"),
        _parts("where having tested select group order limit usual"),
    ),
    Stage(settle_rates, "what a rate is of", _parts("where select"), _parts("select where")),
    Stage(read_never, "what never happened", _parts("lacking"), _parts("where")),
    Stage(
        read_set_differences,
        "what was so at one time and not at another",
        _parts("group where"),
        _parts("where"),
    ),
    Stage(read_names, "names that no column was found for", _parts("where"), _parts("where")),
    Stage(read_spread, "distributions", _parts("group chart"), _parts("group select chart")),
    Stage(claim_firsts, "words that say what comes first", _parts("group")),
    Stage(
        set_aside,
        "leaves out groups in which something is ranked apart",
        _parts("group within"),
        _parts("group order"),
        _is_aside,
    ),
    Stage(
        _compare,
        "groups that are compared",
        _parts("group where"),
        _parts("compared select group order limit where"),
    ),
    Stage(
        read_superlatives,
        "the first, the most, the top so many",
        _parts("limit nth where group"),
        _parts("order limit select group only_group everything ranked where having"),
        _is_no_comparison,
    ),
    Stage(
        read_order,
        "what rows are sorted by",
        _parts("order group"),
        _parts("order select"),
        _is_no_comparison,
    ),
    Stage(
        read_measures,
        "what is counted, added up, shown",
        _parts("order group where"),
        _parts("select group distinct everything where order limit"),
        _is_no_comparison,
    ),
    Stage(
        add_up,
        "amounts that are added up unsaid",
        _parts("select group"),
        _parts("select added"),
        _is_no_comparison,
    ),
    Stage(
        in_asked_unit,
        "the unit that a figure is told in",
        _parts("select"),
        _parts("select"),
        _is_no_comparison,
    ),
    Stage(
        complete,
        "what the words leave out",
        _parts("select group having"),
        _parts("select group order groups_counted only_group everything where"),
    ),
    Stage(order_groups, "an order of groups", _parts("group select"), _parts("order limit select")),
    _DOUBTS,
)
"""What follows with one table."""
SEVERAL_TABLES = (
    Stage(
        read_several,
        "all of it, each column with its table",
        _parts("limit numbers_taken nth"),
        _parts(
            "home owners lacking where having tested counted each group within order limit sorted"
            " ranked select distinct everything only_group groups_counted usual"
        ),
    ),
    _DOUBTS,
)
"""What follows with several tables."""


def stages_of(draft: Draft) -> tuple[Stage, ...]:
    """Returns the stages that come after the first ones."""
    several = draft.several and not draft.charted
    return SEVERAL_TABLES if several else ONE_TABLE


def read_all(draft: Draft) -> Draft:
    """Reads a question stage by stage, each taking the words it explains."""
    for stage in FIRST:
        stage.read(draft)
    for stage in stages_of(draft):
        if stage.runs(draft):
            stage.read(draft)
    return draft


def table_of_stages() -> str:
    """Prints the stages as a table of Markdown, for the documentation."""
    lines = ["| tables | stage | finds | after | settles |", "|---|---|---|---|---|"]
    for told, stages in (("any", FIRST), ("one", ONE_TABLE), ("several", SEVERAL_TABLES)):
        for stage in stages:
            name = stage.read.__name__.lstrip("_")
            needs, settles = (", ".join(sorted(one)) for one in (stage.requires, stage.assigns))
            lines.append(f"| {told} | `{name}` | {stage.finds} | {needs} | {settles} |")
    return "\n".join(lines)
