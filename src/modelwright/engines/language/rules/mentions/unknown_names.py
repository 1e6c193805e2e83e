"""Names and codes in a question that no column holds: an answer that ignored them would mislead."""

import re
from collections.abc import Sequence
from functools import lru_cache

from modelwright.engines.language.rules.columns.values import quoted_spans
from modelwright.engines.language.rules.mentions.draft import Draft
from modelwright.engines.language.rules.mentions.mention import MAY_NAME
from modelwright.engines.language.rules.plans.plan import Plan
from modelwright.engines.language.rules.text.lexicon import lexicon
from modelwright.engines.language.rules.text.patterns import pattern
from modelwright.engines.language.rules.text.words import Word, squeezed
from modelwright.engines.language.vocabulary import word_set

# Possessive: digits that something else follows could be parted in more ways than time allows.
_CODE = re.compile(r"(?<![\w-])[A-Za-z]++(?:-?[A-Za-z]*+\d++)++[A-Za-z]*+(?![\w-])")
_ORDINARY = word_set(
    "times.months",
    "times.short_months",
    "times.weekdays",
    "times.short_weekdays",
    "times.seasons",
    "values.ordinary",
)
_LEADS = pattern("unheld leads")
_TESTS = pattern("unheld tests")
_SENTENCE = re.compile(r"(?:^|[.?!:]\s*)\W*\Z")
_SHORTEST = 3
"""Names have at least so many letters."""
_TITLED = 0.6
"""Where more of the words than this share have capitals, these tell no names."""
_CALLED = re.compile(r"\b(?:called|named) (?=\w)")
_READ = frozenset({"time", "limit", "quantile"})
_EMPTY_CLAIMS = frozenset({"", "rows"})


def unknown_values(draft: Draft, plan: Plan) -> list[str]:
    """The quoted texts, codes and capitalised names that play a value and that nothing explains.

    Beside a condition that is understood, a name may be what the whole table is about: `the
    Mariners game with an attendance of 9,065`. There it counts only right after a word that tests.
    """
    found = _unheld_quotes(draft) + _unheld_codes(draft)
    for run in _runs(draft, _TESTS if plan.where else _LEADS):
        if not any(_is_known(draft, at) for at in run) and not _is_within(draft, run, found):
            first, last = draft.question.words[run[0]], draft.question.words[run[-1]]
            found.append(draft.question.text[first.start : last.end])
    return found


def _unheld_quotes(draft: Draft) -> list[str]:
    found, text = [], draft.question.text
    for low, high in quoted_spans(text):
        inside = [at for at, w in enumerate(draft.question.words) if low <= w.start < high]
        held = squeezed(text[low:high]) in draft.index.squeezed_values
        if inside and not held and not any(_is_known(draft, at) for at in inside):
            found.append(text[low:high])
    return found


def _unheld_codes(draft: Draft) -> list[str]:
    found = []
    for match in _CODE.finditer(draft.question.text):
        places = range(draft.at(match.start()), draft.at(match.end()))
        if not any(_is_held(draft, at) or draft.claimed[at] in _READ for at in places):
            found.append(match.group())
    return found


def unknown_names(draft: Draft) -> list[list[int]]:
    """The capitalised words, and those after `called`, that nothing explains, run by run."""
    runs = _runs(draft, _LEADS)
    runs += [[draft.at(one.end())] for one in _CALLED.finditer(draft.lower)]
    return [run for run in runs if not any(_is_known(draft, at) for at in run)]


def _is_within(draft: Draft, run: Sequence[int], found: Sequence[str]) -> bool:
    return any(draft.question.words[run[0]].raw in text for text in found)


def _is_known(draft: Draft, at: int) -> bool:
    """Whether a word is a value, a name, or was read as something else."""
    return draft.claimed[at] not in _EMPTY_CLAIMS or _is_held(draft, at)


def _is_held(draft: Draft, at: int) -> bool:
    question = draft.question
    return (
        question.is_value(at)
        or question.mentions.quality_at(at) >= MAY_NAME
        or any(at in places for places in question.tables.values())
    )


def _runs(draft: Draft, leads: re.Pattern[str]) -> list[list[int]]:
    """Capitalised words side by side after a word that leads to a value."""
    words = draft.question.words
    capital = [word.raw[0].isupper() for word in words]
    titled = sum(capital) > _TITLED * max(1, len(words))
    runs: list[list[int]] = []
    for at, word in enumerate(words):
        if capital[at] and not titled and _is_proper(draft, at, word):
            if runs and runs[-1][-1] == at - 1:
                runs[-1].append(at)
            elif leads.search(draft.lower[: word.start]):
                runs.append([at])
    return runs


def _is_proper(draft: Draft, at: int, word: Word) -> bool:
    """Whether a capitalised word is no common one."""
    begins = _SENTENCE.search(draft.question.text[: word.start])
    return (
        not begins
        and at > 0
        and len(word.text) >= _SHORTEST
        and word.text.isalpha()
        and word.text not in _common()
        and word.stem not in _common_stems()
    )


@lru_cache(maxsize=1)
def _common() -> frozenset[str]:
    known = lexicon()
    return known.stop | _ORDINARY | frozenset().union(*known.aliases)


@lru_cache(maxsize=1)
def _common_stems() -> frozenset[str]:
    known = lexicon()
    concepts = frozenset(part for phrase in known.of_words for part in phrase)
    return known.asking | known.entities | known.row_words | concepts
