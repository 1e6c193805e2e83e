"""Values that are not spelled as they stand: misspelt ones, adjectives of places and of kinds."""

from modelwright.engines.language.rules.columns.index import Held
from modelwright.engines.language.rules.measures.extreme_rows import SUPER
from modelwright.engines.language.rules.mentions.draft import Draft
from modelwright.engines.language.rules.mentions.mention import PARTLY_NAMED, WHOLLY_NAMED
from modelwright.engines.language.rules.mentions.negation import add_value
from modelwright.engines.language.rules.mentions.units import is_but_unit
from modelwright.engines.language.rules.text.lexicon import concepts_at, lexicon
from modelwright.engines.language.rules.text.roots import irregular, root, undone_word
from modelwright.engines.language.rules.text.words import stem
from modelwright.engines.language.vocabulary import cue_words, word_set

_DOING = word_set("verbs.plain")
_PASSIVE = word_set("small_words.passive")
"""Behind these stands what was done: `were born` is no misspelt `Boren`."""
SHORTEST_NEAR = 4
"""Shorter words are not taken for misspelt values."""


def read_near_values(draft: Draft) -> None:
    """Misspelt values and adjectives of values: Manhatan, Asian, sunny days."""
    tables = draft.question.table_words if draft.several else ()
    for at in draft.open_words():
        if at in tables:  # `authors` are those of a table, whatever the kind `Author` is of
            continue
        word = draft.question.words[at]
        if word.text.endswith("iest") or SUPER.fullmatch(word.text):
            continue
        if is_but_unit(draft.question, at, draft.index.columns):
            continue
        named = max((m.quality for m in draft.question.mentions.over(at)), default=0)
        found = _kind_held(draft, word.text) if named <= WHOLLY_NAMED else []
        found = found or (_form_held(draft, word.text) if named <= WHOLLY_NAMED else [])
        is_slip = named <= PARTLY_NAMED and draft.text(at - 1, at) not in _PASSIVE
        for held in found[:1] or (_near_held(draft, word.text)[:1] if is_slip else []):
            add_value(draft, held.column, held.value, at, at + 1)


def _kind_held(draft: Draft, word: str) -> list[Held]:
    """`Sunny days` are those whose weather is sun."""
    if not word.endswith("y") or len(word) <= SHORTEST_NEAR:
        return []
    noun = stem(word[:-2] if word[-2] == word[-3] else word[:-1])
    return draft.index.values.get(noun, {}).get((noun,), [])


def _form_held(draft: Draft, word: str) -> list[Held]:
    """`Deals we lose` are those whose stage is Lost, where one column alone holds such a value."""
    if word in lexicon().stop or word in _DOING:
        return []
    held = [
        one
        for one in draft.index.kinds.get(root(word), ())
        if (said := str(one.value).lower()) != word and stem(said) != stem(word)
    ]
    return held if len(held) == 1 else []


def _near_held(draft: Draft, word: str) -> list[Held]:
    for ending in ("n", "an", "ian", "ish", "ese", "s"):
        bare = word.removesuffix(ending)
        for stemmed in (bare, bare + "e", bare + "a", bare + "y"):
            if bare != word and len(bare) > 2 and stemmed in draft.index.spellings:  # noqa: PLR2004
                return draft.index.spellings[stemmed]
    is_slip = len(word) >= SHORTEST_NEAR and not _is_a_word(word)
    near = draft.index.nearly(word) if is_slip else []
    told = [(one, str(one.value).lower()) for one in near]
    return [one for one, said in told if said[0] == word[0] and not _opposite(word, said)]


def _is_a_word(word: str) -> bool:
    """Returns whether a word means something in any table: it is no misspelt name."""
    told, _ = next(iter(concepts_at([stem(word)], lexicon().of_words)))
    return bool(told) or word in irregular() or word in cue_words("tying")


def _opposite(word: str, other: str) -> bool:
    """Whether one word is the other with a prefix of negation: no slip of the pen."""
    return undone_word(word) == other or undone_word(other) == word
