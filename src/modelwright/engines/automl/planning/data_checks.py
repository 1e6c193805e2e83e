"""Checks before fitting: how each column is read, and which are left out and why."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from modelwright.engines.automl.planning.duplicate_columns import DuplicateColumns
from modelwright.engines.automl.planning.exact_formulas import formulas
from modelwright.engines.automl.planning.group_leakage import ask_for_groups, subject_column
from modelwright.engines.automl.planning.label_normalisation import (
    MAX_NAMED_WORDS,
    left_alone,
    told,
)
from modelwright.engines.automl.planning.leakage import (
    FEW_VALUES,
    LEAKAGE_SHARE,
    known_after,
    neighbours_tell,
    order_tells,
    share_told,
    told_together,
)
from modelwright.engines.automl.planning.load_columns import (
    Kind,
    as_written,
    read_table,
    target_values,
    words_beside,
    written_kind,
)
from modelwright.engines.automl.planning.plan import ExcludedColumn
from modelwright.engines.automl.planning.row_copies import (
    MAX_CELLS_COMPARED,
    RowCopies,
    find_copies,
    first_of_each,
)
from modelwright.engines.automl.planning.sentinel_values import placeholders
from modelwright.engines.automl.planning.target_selection import TargetChoice, endless
from modelwright.engines.automl.planning.time_order import is_year, ordered_by
from modelwright.engines.automl.planning.units import several_units, written_in_one
from modelwright.engines.facts import KEYLIKE, ColumnFacts
from modelwright_runtime.date_parsing import Order
from modelwright_runtime.number_parsing import FORMS, Form
from modelwright_runtime.objective import Task

SAMPLE_ROWS = 20_000
"""Rows that are looked at of a table of few columns."""
MIN_SAMPLE_ROWS = 1000
"""Rows that are looked at of a wide table at least."""
MIN_ROWS_IDENTIFIER = 20
"""Below this many rows a unique column need not be an identifier."""
MIN_SPREAD_NUMBERS = 400
"""So many numbers at least do not all differ by chance in a narrow range."""
SPREAD_RANGE_FACTOR = 3
"""A range is narrow that holds at most so many times as many numbers."""
MIN_WORDS_OF_TEXT = 3.0
"""A string of so many words on average is a text."""
MIN_LIST_ITEMS = 2.0
"""Items on average from which a string is a list."""
MIN_ITEM_REPEATS = 2
"""Times that each item of such lists recurs on average."""
_LIST_SEPARATOR = re.compile(r"\s*[;|,]\s*")
"""What parts the items of a list."""
_WORD = re.compile(r"(?=\d*[^\W\d_])\w\w")
"""The beginning of a word in a text."""
MOSTLY_MISSING = 0.9
"""From this share of gaps on a column is warned of."""
REPEATED_SHARE = 0.01
"""Above this share of rows copies are told of."""
IDENTIFIER_REASON = "it identifies rows"
"""Why an identifier is left out."""


@dataclass(frozen=True, slots=True)
class ColumnChecks:
    """How the features are read (and a target of strings), what is left out, what to say."""

    kinds: dict[str, Kind]
    left_out: tuple[ExcludedColumn, ...]
    warnings: tuple[str, ...]
    ordered_by: tuple[str, ...]
    """The columns in whose order of time the rows are."""
    copies: RowCopies
    """The rows that are there more than once."""


def check_columns(
    tables: Sequence[Path], chosen: TargetChoice, offered: Sequence[ColumnFacts]
) -> ColumnChecks:
    """Looks at every offered column beside the target.

    Args:
        tables: Parquet files, one after the other.
        chosen: The target.
        offered: The columns that may be learnt from.

    Returns:
        How each is read, which are left out and why, and warnings.
    """
    target, task, form = chosen.facts, chosen.task, chosen.form
    kinds: dict[str, Kind] = {target.name: form} if form else {}
    whole = read_table(tables, [target.name, *(one.name for one in offered)])
    answers = target_values(whole[target.name], form, chosen.spellings)
    whole = whole.set_column(0, target.name, answers)
    sample = whole.take(_spread(whole.num_rows, len(offered)))
    texts = [one.name for one in offered if one.type == "string"]
    written = {name: kind for name in texts if (kind := written_kind(sample[name]))}
    said = [one for name in written if written[name] in FORMS for one in _words_in(name, sample)]
    sample = _rewritten(sample, written)
    subject = subject_column(target, task, offered, whole)
    sorted_columns = _SortedColumns(whole, sample, target.name, task, subject)
    sorted_columns.add_all(offered, written)
    copies = find_copies(target, sorted_columns.compared(offered), whole)
    if copies.again > REPEATED_SHARE * copies.looked:
        # A copy tells of the other what its columns do not: each row is looked at once.
        names = [target.name, *(one.name for one in sorted_columns.compared(offered))]
        once = sample.take(first_of_each(sample.select(names), copies.repetitions))
        sorted_columns = _SortedColumns(whole, once, target.name, task, subject)
        sorted_columns.add_all(offered, written)
        copies = find_copies(target, sorted_columns.compared(offered), whole)
    kinds |= sorted_columns.kinds
    said += sorted_columns.said
    warnings = _warnings(chosen, copies)
    units = [said for name in texts if name not in written for said in _units(name, sample)]
    same = [ask_for_groups(subject, target.name)] if subject else []
    numbers = dict.fromkeys([*[target.name] * (task == "regression"), *kinds])
    stood_in = placeholders(numbers, sample, target.name)
    said += _told_by_several([one for one in offered if one.name in kinds], sample, target, task)
    timed = ordered_by(kinds, whole, sample)
    told_of = (*warnings, *same, *units, *stood_in, *said)
    return ColumnChecks(kinds, tuple(sorted_columns.left_out), told_of, timed, copies)


class _SortedColumns:
    """Columns in two groups: those that are learnt from, and those that are left out and why."""

    def __init__(
        self, whole: pa.Table, sample: pa.Table, target: str, task: Task, subject: str | None
    ) -> None:
        self.kinds: dict[str, Kind] = {}
        self.left_out: list[ExcludedColumn] = []
        self.said: list[str] = []
        self._telling: set[str] = set()
        self._whole, self._sample = whole, sample
        self._target, self._task, self._subject = target, task, subject
        self._kept = DuplicateColumns(whole, sample)

    def add_all(self, offered: Sequence[ColumnFacts], written: Mapping[str, Order | Form]) -> None:
        """Sorts columns in their order."""
        for facts in offered:
            self.add(facts, written.get(facts.name))

    def compared(self, offered: Sequence[ColumnFacts]) -> list[ColumnFacts]:
        """Lists what copies of a row have alike: what says something of rows."""
        return [one for one in offered if one.name in self.kinds or one.name in self._telling]

    def add(self, facts: ColumnFacts, written: Order | Form | None) -> None:
        """Sorts a column; `written` tells how its strings write dates or numbers, if they do."""
        column, target = self._sample[facts.name], self._sample[self._target]
        kind = written or kind_of(facts, column)
        reason = None
        if not written or facts.distinct <= 1:
            reason = _useless(facts, self._whole, self._sample, self._target, self._task)
        reason = reason or self._kept.reason(facts, kind)
        share = 0.0 if reason else share_told(column, target, self._task)
        if share > LEAKAGE_SHARE:
            self._telling.add(facts.name)
            reason = f"it tells {self._target} almost exactly, as if it were written from it"
        if reason is None:
            self.said += known_after(
                facts.name,
                self._target,
                self._sample,
                self._task,
                share,
                is_subject=facts.name == self._subject,
            )
            self.kinds[facts.name] = kind
            self._kept.keep(facts, kind)
            return
        is_number = reason == IDENTIFIER_REASON and facts.type == "integer"
        if is_number and order_tells(column, target, self._task):
            self.said.append(_ordered(facts.name, self._target))
        self.left_out.append(ExcludedColumn(facts.name, reason))


def _told_by_several(
    read: Sequence[ColumnFacts], sample: pa.Table, target: ColumnFacts, task: Task
) -> list[str]:
    """Returns which columns give the target together."""
    if task == "regression":
        return formulas([one.name for one in read], sample, target.name)
    return told_together(
        [one.name for one in read if one.distinct <= FEW_VALUES], sample, target.name
    )


def _rewritten(table: pa.Table, kinds: Mapping[str, Order | Form]) -> pa.Table:
    """Puts the moments or numbers that strings write in their place."""
    for name, kind in kinds.items():
        place = table.schema.get_field_index(name)
        table = table.set_column(place, name, as_written(table[name], kind))
    return table


def _ordered(name: str, target: str) -> str:
    return (
        f"{name} identifies rows and is left out, yet rows next to each other in its order are"
        f" alike in {target}: it may have been given after the outcome, or stand for time, which a"
        " column of dates would tell."
    )


def _words_in(name: str, sample: pa.Table) -> list[str]:
    words = words_beside(sample[name])
    if not words:
        return []
    listed = ", ".join(map(repr, sorted(words, key=lambda word: -words[word])[:MAX_NAMED_WORDS]))
    more = ", …" if len(words) > MAX_NAMED_WORDS else ""
    share = sum(words.values()) / sample.num_rows
    said = (
        f"{name} has words ({listed}{more}) among numbers, in {share:.1%} of the rows looked at;"
        " they count as missing."
    )
    return [said]


def _units(name: str, sample: pa.Table) -> list[str]:
    units = several_units(pc.unique(sample[name].drop_null()).to_pylist())
    return [f"{written_in_one(name, units)}, as it is read as words."] if units else []


def _spread(rows: int, columns: int) -> Any:
    """Returns the places of rows all over a table, fewer of a wide one."""
    most = min(rows, SAMPLE_ROWS, max(MIN_SAMPLE_ROWS, MAX_CELLS_COMPARED // max(columns, 1)))
    return np.unique(np.linspace(0, max(rows - 1, 0), most).astype(np.int64))


def kind_of(facts: ColumnFacts, sample: pa.ChunkedArray) -> Kind:
    """Decides how a column is read: strings with many different wordy values are text.

    Args:
        facts: What is known of the column.
        sample: Some of its values.

    Returns:
        The kind.
    """
    if facts.type == "date":
        return "date"
    if facts.type != "string":
        return "number"
    there = facts.rows - facts.missing
    varied = facts.distinct > max(MIN_ROWS_IDENTIFIER, 0.3 * there)
    return (
        "text" if varied and (_words(sample) >= MIN_WORDS_OF_TEXT or _lists(sample)) else "category"
    )


def _lists(sample: pa.ChunkedArray) -> bool:
    """Returns whether strings list words that come again in other lists: `sql;python`."""
    texts = pc.unique(sample.drop_null()).to_pylist()
    items = [item for text in texts for item in _LIST_SEPARATOR.split(text) if _WORD.search(item)]
    return (
        len(items)
        >= MIN_LIST_ITEMS * len(texts)
        >= MIN_LIST_ITEMS * MIN_ITEM_REPEATS * len(set(items))
        > 0
    )


def _words(sample: pa.ChunkedArray) -> float:
    words = [len(str(value).split()) for value in sample.drop_null().to_pylist()]
    return float(np.mean(words)) if words else 0.0


def _has_letters(sample: pa.ChunkedArray) -> bool:
    return bool(pc.any(pc.match_substring_regex(sample.cast(pa.string()), r"\p{L}")).as_py())


def _useless(
    facts: ColumnFacts, whole: pa.Table, sample: pa.Table, target: str, task: Task
) -> str | None:
    there = facts.rows - facts.missing
    if there == 0:
        return "it is empty"
    if facts.distinct == 1 and facts.missing == 0:
        return "it has the same value in every row"
    if there <= MIN_ROWS_IDENTIFIER:
        return None
    if facts.type == "string" and facts.distinct >= MOSTLY_MISSING * there:
        return None if _says_something(sample[facts.name]) else IDENTIFIER_REASON
    if facts.type == "integer" and facts.distinct == facts.rows:
        is_number = _numbers_the_rows(facts, whole, sample, target, task)
        return IDENTIFIER_REASON if is_number or numbers_rows(facts) else None
    return IDENTIFIER_REASON if _repeats_in_copies_alone(facts, sample) else None


def _repeats_in_copies_alone(facts: ColumnFacts, sample: pa.Table) -> bool:
    """Returns whether whole numbers called as identifiers come again only where rows do."""
    name = facts.name
    if facts.type != "integer" or facts.missing or not KEYLIKE.search(name):
        return False
    if facts.distinct < MOSTLY_MISSING * facts.rows:
        return False
    rows = sample.group_by(sample.column_names, use_threads=False).aggregate([]).num_rows
    return bool(rows == len(pc.unique(sample[name])))


def _says_something(column: pa.ChunkedArray) -> bool:
    """Returns whether texts that all differ are sentences or lists, not names of rows."""
    return (_words(column) >= MIN_WORDS_OF_TEXT or _lists(column)) and _has_letters(column)


def _numbers_the_rows(
    facts: ColumnFacts, whole: pa.Table, sample: pa.Table, target: str, task: Task
) -> bool:
    """Returns whether whole numbers count the rows, and their order says nothing of the target."""
    if is_year(facts.name):
        return False
    if _counts_up(whole[facts.name]):
        return True
    return _dense(facts) and not neighbours_tell(sample[facts.name], sample[target], task)


def numbers_rows(facts: ColumnFacts) -> bool:
    """Returns whether whole numbers that all differ are an identifier.

    As the column's name tells.

    Args:
        facts: What is known of the column.

    Returns:
        Whether it is an identifier, such as `customer_id`.
    """
    apart = facts.type == "integer" and facts.distinct == facts.rows > MIN_ROWS_IDENTIFIER
    return apart and KEYLIKE.search(facts.name) is not None


def _dense(facts: ColumnFacts) -> bool:
    """Returns whether whole numbers that all differ are row numbers of which few were left out."""
    low, high = facts.minimum, facts.maximum
    if not isinstance(low, int) or not isinstance(high, int):
        return False
    return facts.rows >= MIN_SPREAD_NUMBERS and high - low < SPREAD_RANGE_FACTOR * facts.rows


def _counts_up(column: pa.ChunkedArray) -> bool:
    if pa.types.is_decimal(column.type):
        values = np.array([int(one) for one in column.to_pylist()], dtype=object)
    else:
        values = pc.cast(column, pa.int64()).to_numpy()
    return bool((np.diff(values) == values[1] - values[0]).all())


def _warnings(chosen: TargetChoice, copies: RowCopies) -> tuple[str, ...]:
    """Says which rows are not learnt from, are too few, or count several times."""
    target, task, said = chosen.facts, chosen.task, []
    missing = target.missing - len(left_alone(chosen.spellings))
    if missing:
        lack = "1 row has" if missing == 1 else f"{missing:,} rows have"
        left = "is" if missing == 1 else "are"
        known = "finite " if endless(target) else ""
        said.append(f"{lack} no {known}{target.name} and {left} not learnt from.")
    rarest = target.top[-1] if target.top else None
    if task != "regression" and rarest is not None and rarest[1] < MIN_ROWS_IDENTIFIER // 2:
        many = "1 row" if rarest[1] == 1 else f"{rarest[1]} rows"
        value = f"{rarest[0]:g}" if isinstance(rarest[0], float) else rarest[0]
        said.append(f"{target.name} = {value} has only {many}; it is hard to learn.")
    if task != "regression":
        said += told(target, chosen.spellings)
    if copies.again > REPEATED_SHARE * copies.looked:
        said.append(
            f"{copies.again:,} of {copies.looked:,} rows are the same as an earlier one in every"
            " column that is learnt from. Copies of a row are kept on one side of every split, and"
            " count as often as they are there; upload each row once if they are not to."
        )
    if target.rows < MIN_ROWS_IDENTIFIER * 10:
        said.append(f"{target.rows} rows are few; the metrics are uncertain.")
    return tuple(said)
