"""Which of several keys to the same table a question means: `shipped to`, `home matches`.

A flight points to airports twice, and a join along both keys, or along either at a guess, answers
another question. Where words say which one is meant, the others are left out before anything is
joined.
"""

from collections import Counter
from collections.abc import Sequence
from itertools import pairwise

from modelwright.engines.language.catalog.meaning import Relationship
from modelwright.engines.language.readers import ReadRequest
from modelwright.engines.language.rules.text.words import Word, words
from modelwright.engines.language.vocabulary import any_case, cue_words, find_cues

SAME_LETTERS = 4
"""A role is said where words begin with the same letters: `ship to`, `shipping`."""
SHORTEST_ROLE = 3
"""Letters of the stem of a word that may say a role."""
DIRECTIONS = "from", "to"
_ARTICLE = any_case(r"\s+(?:the|a|an)\s+")


def meant_keys(request: ReadRequest) -> tuple[tuple[Relationship, ...], frozenset[str]]:
    """Leaves out keys beside which another one to the same table is said.

    Where none is said, that is meant which is called as the rows that it leads to.

    Args:
        request: The question, with catalog and links.

    Returns:
        The keys that may be meant, and the words of the question that tell them apart.
    """
    keys = request.catalog.relationships
    ends = Counter((one.table, one.to_table) for one in keys)
    told = [one for one in keys if one.role and role_is_said(request, one)]
    sure = Counter((one.table, one.to_table) for one in told)
    chosen = {(one.table, one.to_table): one for one in told}
    plain = {(one.table, one.to_table): one for one in keys if not one.role}
    chosen = {**plain, **chosen}
    sure |= dict.fromkeys(plain.keys() - sure.keys(), 1)
    kept = tuple(
        one
        for one in keys
        if sure[one.table, one.to_table] != 1 or chosen[one.table, one.to_table] == one
    )
    said = [
        word.text
        for one in told
        if ends[one.table, one.to_table] > sure[one.table, one.to_table] == 1
        for run in _runs(request.question)
        for word in run
        if _run_says(run, one) or any(word.text in cue_words(f"{way}_words") for way in DIRECTIONS)
    ]
    return kept, frozenset(said)


def role_is_said(request: ReadRequest, key: Relationship) -> bool:
    """Returns whether a question says what a key is for, or which end of a way it names.

    Args:
        request: The question, with catalog and links.
        key: One of several keys to the same table.
    """
    named = any(_run_says(run, key) for run in _runs(request.question))
    return named or any(_direction_is_said(request, key, one) for one in DIRECTIONS)


def says_end(word: Word, key: Relationship) -> bool:
    """Returns whether a word tells which end of a way a key names: `departed`, of the origin."""
    roles = {one.text for one in words(key.role)}
    return any(
        word.text in cue_words(f"{way}_words") and roles & cue_words(f"{way}_roles")
        for way in DIRECTIONS
    )


def says_role(said: Sequence[Word], word: Word, key: Relationship) -> bool:
    """Returns whether a word and the one beside it say together what a key is for: `drop-off`.

    Args:
        said: The words of the question.
        word: One of them.
        key: A key.
    """
    runs = (run for run in pairwise(said) if word in run)
    return bool(key.role) and any(_run_says(run, key) for run in runs)


def _runs(question: str) -> list[tuple[Word, ...]]:
    """Returns the words of a question, and each two that stand side by side: `drop-off`."""
    said = words(question)
    return [*((word,) for word in said), *pairwise(said)]


def _run_says(run: Sequence[Word], key: Relationship) -> bool:
    """Whether words say what a key is for; two of them as one: `pick up` of pickup_id."""
    if len(run) == 1:
        return _says(run[0], key)
    together = "".join(word.text for word in run).removesuffix("s")
    return together in {part.text for part in words(key.role)}


def _says(word: Word, key: Relationship) -> bool:
    parts = {part.stem[:SAME_LETTERS] for part in words(key.role)}
    return len(word.stem) >= SHORTEST_ROLE and word.stem[:SAME_LETTERS] in parts


def _direction_is_said(request: ReadRequest, key: Relationship, direction: str) -> bool:
    """Whether a word tells which end of a way a key names: `flights to Oslo`, `departures`."""
    roles = {word.text for word in words(key.role)}
    if not roles & cue_words(f"{direction}_roles"):
        return False
    question = request.question
    starts = {one.span[0] for one in request.links.values if one.table == key.to_table}
    before = find_cues(f"{direction}_before", question)
    return bool(find_cues(f"{direction}_words", question)) or any(
        start in starts for cue in before for start in _beginnings(question, cue.end)
    )


def _beginnings(question: str, at: int) -> tuple[int, ...]:
    """Returns where what follows a preposition begins, with and without an article."""
    match = _ARTICLE.match(question, at)
    return (at + 1, match.end()) if match else (at + 1,)
