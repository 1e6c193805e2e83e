"""Which words of an intent speak of the thing to predict, and which of inputs or circumstances."""

import re
from collections.abc import Sequence

from modelwright.engines.language.lexicon import concepts_at, lexicon
from modelwright.engines.language.linking import Term
from modelwright.engines.language.words import Word, words

_VERBS = (
    r"predict\w*|forecast\w*|estimat\w*|classif\w*|determin\w*|identif\w*|detect\w*"
    r"|guess\w*|figure out|find out|find|tell|know|say|flag|spot|recogni[sz]e|assess|gauge"
    r"|work out|comput\w*|calculat\w*|anticipat\w*|project|infer|diagnose|decide|score|sort"
    r"|rate|learn|model|segment|categori[sz]e"
)
_ASKS = r"will|which|what|how|who|is|are|does|do|can|whether|if|should|would|did|has|have"
_INPUTS = re.compile(
    r"\b(?:based (?:up)?on|on the basis of|using|given(?! (?:by|to)\b)|depending on"
    r"|according to|by looking at|looking at|with the help of|as a function of|conditional on"
    r"|taking into account|considering|knowing"
    r"|(?<!apart )(?<!come )(?<!comes )(?<!far )(?<!different )(?<!suffer )(?<!suffers )"
    r"(?<!away )from"
    rf")\b(?P<inputs>.+?)(?=,? (?:{_VERBS})\b|, (?:{_ASKS})\b|[.;?!]|$)",
    re.IGNORECASE,
)
_REGRESS_ON = re.compile(r"\bregress (?P<target>.+?) on (?P<inputs>.+)$", re.IGNORECASE)
_TELL_FROM = re.compile(r"\b(?:tell|distinguish|separate|discern)\b", re.IGNORECASE)
_VERB = re.compile(rf"\b(?:{_VERBS})\b", re.IGNORECASE)
_AUX = r"will|would|is|are|was|were|does|do|did|has|have|can|could|should|gets?"
_WHICH = re.compile(rf"\b(?:which|what) (?P<asked>(?!{_AUX}).+?) (?:{_AUX})\b", re.IGNORECASE)
_HOW_MUCH_SO = re.compile(rf"\bhow (?P<asked>(?!much|many|{_AUX})\w+) (?:{_AUX})\b", re.IGNORECASE)
_HOW = re.compile(
    rf"\b(?:how|what)\b[^,]*? (?:{_AUX}) (?:the|an?|this|my|our|your|each|one)? ?(?P<subject>\S+) ",
    re.IGNORECASE,
)
_SENTENCE = re.compile(r"[^.;?!]+(?:\.(?=\d)[^.;?!]+)*")
_INTO = re.compile(
    r"\b(?:classify|score|sort|group|segment|categori[sz]e|split|divide)\b.+?\b(?:by|into)\b",
    re.IGNORECASE,
)
_RATES = re.compile(r"rate|score", re.IGNORECASE)
_ASIDE = re.compile(
    r"\b(?:because|when|so that|in order to|before|after|while|since|to help|by|for|among|during"
    r"|within|in|at|per|of each|of every|of all|to decide)\b",
    re.IGNORECASE,
)
_OF = re.compile(r"\bof\b", re.IGNORECASE)

_BEFORE, _INPUT, _BESIDE, _OFTEN, _ENTITY = 0.25, 0.0, 0.3, 0.7, 0.25


def target_phrase(intent: str, things: frozenset[str] = frozenset()) -> list[Term]:
    """Reads the words that may name the target, weighted by where they stand; inputs are left out.

    `things` are stems of what the table's rows are; the rows are seldom what is predicted.
    """
    found = words(intent)
    weights = _weights(intent, found)
    known = lexicon()
    concepts = concepts_at([word.stem for word in found], known.of_words)
    said = [
        (word, about, weight * _telling(word, length, things))
        for word, (about, length), weight in zip(found, concepts, weights, strict=True)
        if weight > 0 and (length > 1 or word.text not in known.stop)
    ]
    aside = _question_asides(intent, [(word, weight) for word, _, weight in said])
    return [
        Term(word.text, word.stem, about, min(weight, _BESIDE) if word in aside else weight)
        for word, about, weight in said
    ]


def _question_asides(intent: str, said: Sequence[tuple[Word, float]]) -> set[Word]:
    """Finds what is beside the point: `fly` in "which class does she fly"."""
    for which in filter(None, (_WHICH.search(intent), _HOW_MUCH_SO.search(intent))):
        low, high = which.span("asked")
        if any(low <= word.start < high and weight > _ENTITY for word, weight in said):
            return {word for word, _ in said if word.start >= high}
    how = _HOW.search(intent)
    if how:
        low, high = how.span("subject")
        if any(word.start >= high and weight > _ENTITY for word, weight in said):
            return {word for word, _ in said if low <= word.start < high}
    return set()


def _telling(word: Word, length: int, things: frozenset[str]) -> float:
    known = lexicon()
    if length > 1:
        return 1.0 / length
    if word.stem in known.entities or word.stem in things:
        return _ENTITY
    return 0.4 if word.stem in known.qualifiers or word.text[0].isdigit() else 1.0


def _weights(intent: str, found: Sequence[Word]) -> list[float]:
    spans = [(match.start(), match.end()) for match in _SENTENCE.finditer(intent)]
    main = _main_sentence(intent, spans)
    inputs = _input_spans(intent)
    start, end = main
    verb = _last_verb(intent, start, end, inputs)
    weights = []
    for word in found:
        if any(low <= word.start < high for low, high in inputs):
            weights.append(_INPUT)
        elif not start <= word.start < end or word.start < verb:
            weights.append(_BEFORE)
        else:
            weights.append(_place(intent, verb, word))
    return weights


def _main_sentence(intent: str, spans: Sequence[tuple[int, int]]) -> tuple[int, int]:
    for low, high in spans:
        if _VERB.search(intent, low, high):
            return low, high
    return spans[0] if spans else (0, len(intent))


def _input_spans(intent: str) -> list[tuple[int, int]]:
    on = _REGRESS_ON.search(intent)
    if on:
        return [on.span("inputs")]
    return [
        match.span("inputs")
        for match in _INPUTS.finditer(intent)
        if not (
            intent[match.start() : match.start() + 4].lower() == "from"
            and _TELL_FROM.search(intent, 0, match.start())
        )
    ]


def _last_verb(intent: str, start: int, end: int, inputs: Sequence[tuple[int, int]]) -> int:
    """The end of the first predicting verb outside the inputs; the phrase follows it."""
    for match in _VERB.finditer(intent, start, end):
        if not any(low <= match.start() < high for low, high in inputs):
            into = _INTO.match(intent, match.start())
            if into:
                return into.end()
            return match.start() if _RATES.fullmatch(match.group()) else match.end()
    return start


def _place(intent: str, verb: int, word: Word) -> float:
    """Words after a preposition matter less than the head before it."""
    before = intent[verb : word.start]
    if len(before.split()) > 1 and _ASIDE.search(before, 1):
        return _BESIDE
    of = _OF.search(before)
    if not of:
        return 1.0
    head = words(before[: of.start()])
    return 1.0 if head and head[-1].stem in lexicon().qualifiers else _OFTEN
