"""Which words of an intent speak of the thing to predict, and which of inputs or circumstances.

An intent names its inputs as readily as its target: `predict churn from age and income`. Words are
weighted by where they stand, so that an input that fits a column perfectly still loses against the
target that fits another loosely.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import replace

from modelwright.engines.language.rules.columns.linking import Term
from modelwright.engines.language.rules.text.lexicon import lexicon
from modelwright.engines.language.rules.text.roots import irregular, root
from modelwright.engines.language.rules.text.sentences import PLAIN, VERB, VERBS, asking
from modelwright.engines.language.rules.text.targets import Meaning, group, is_thing, meanings
from modelwright.engines.language.rules.text.words import Word, fold, name_parts, words
from modelwright.engines.language.vocabulary import word_set

_ASKS = r"will|which|what|how|who|is|are|does|do|can|whether|if|should|would|did|has|have"
_INPUTS = re.compile(
    r"\b(?:based (?:up)?on|on the basis of|using|given(?! (?:by|to)\b)|depending on"
    r"|according to|by looking at|looking at|with the help of|as a function of|conditional on"
    r"|taking into account|considering|knowing"
    r"|(?<!apart )(?<!come )(?<!comes )(?<!far )(?<!different )(?<!suffer )(?<!suffers )"
    r"(?<!away )from(?! (?:which|what|where|us|me|them|here|there)\b)"
    rf")\b(?P<inputs>.+?)(?=,? (?:{PLAIN})\b|, (?:{VERBS}|{_ASKS})\b|[.;?!]|$)",
    re.IGNORECASE,
)
_EXCEPTED = re.compile(
    r"\b(?:instead of|rather than|except(?: for)?|excluding|other than|but not|ignor(?:e|ing)"
    r"|do(?: not|n't) (?:use|predict|forecast|estimate)|leav(?:e|ing) out"
    r"|without (?:using|knowing|looking at|the(?= )|(?=\w+_\w)))\b"
    rf"(?P<inputs>.+?)(?=,? (?:{PLAIN})\b|[.,;?!]|$)",
    re.IGNORECASE,
)
_NOT = r"(?P<before>\w+)?(?:^|[,;:]? )(?:and |but )?not (?:(?:the|its|their|an?) )?"
_DEEDS = word_set("small_words.before_denied_deeds")
"""What stands before `not` where it denies no column: `is not paid`."""
_EDGES = " \t\n,;:(-"
_REGRESS_ON = re.compile(r"\bregress (?P<target>.+?) on (?P<inputs>.+)$", re.IGNORECASE)
_DOES_PREDICT = re.compile(
    r"^(?:can|could|do|does|will|would) (?P<inputs>.+?) (?:predict|foretell|forecast|indicate)\b",
    re.IGNORECASE,
)
_TELL_FROM = re.compile(r"\b(?:tell(?! (?:me|us)\b)|distinguish|separate|discern)\b", re.IGNORECASE)
_AUX = r"will|would|is|are|was|were|does|do|did|has|have|can|could|should|gets?"
_WHICH = re.compile(rf"\b(?:which|what) (?P<asked>(?!{_AUX}).+?) (?:{_AUX})\b", re.IGNORECASE)
_HOW_MUCH_SO = re.compile(
    rf"\bhow (?P<asked>(?!much|many|often|soon|well|big|large|high|\w+ly|{_AUX})\w+) (?:{_AUX})\b",
    re.IGNORECASE,
)
_HOW = re.compile(
    rf"\b(?:how|what)\b[^,]*? (?:{_AUX}) (?:the|an?|this|my|our|your|each|one)? ?(?P<subject>\S+) ",
    re.IGNORECASE,
)
_HOW_MANY = re.compile(
    rf"\b(?:how many|how much|number of) (?P<asked>(?!{_AUX})\w+) (?:{_AUX})\b", re.IGNORECASE
)
_HOW_OFTEN = re.compile(r"\b(?:how many|number of) (?P<times>times)\b", re.IGNORECASE)
"""Where times are counted, and no time is asked for."""
_PER = re.compile(
    r"\bper (?:each |every )?(?P<unit>[a-z]+)|\b(?P<often>hourly|daily|weekly|monthly|yearly)\b",
    re.IGNORECASE,
)
_INTO = re.compile(
    r"\b(?:classify|score|sort|group|segment|categori[sz]e|split|divide)\b.+?\b(?:by|into)\b",
    re.IGNORECASE,
)
_NOUN = re.compile(
    r"(?:predictions?|forecast(?:ing|s)?|estimat(?:e|es|or|ion)|detect(?:ion|or)"
    r"|classif(?:ication|ier)|scor(?:e|ing)|model(?:ling|ing)?)"
    r"\b(?! (?:the|an?|our|my|how|which|what|who|whether|if|when|where)\b)",
    re.IGNORECASE,
)
_LATE_VERB = re.compile(r"project|score|sort|rate|model|segment", re.IGNORECASE)
_RATES = re.compile(r"rate|score", re.IGNORECASE)
_ASIDE = re.compile(
    r"\b(?:because|when|so that|in order to|before|after|while|since|to help|by|for|among|during|on"
    r"|within|in|at|per|of each|of every|of all|to decide)\b",
    re.IGNORECASE,
)
_ASKED_AT = re.compile(r"^\W*(?:at|in|on|to|from|by|with) (?=which\b|what\b)", re.IGNORECASE)
"""What is said before what is asked for, and ties nothing to it."""
_OF = re.compile(r"\bof\b", re.IGNORECASE)

_WHICH_OF = re.compile(
    r"\b(?:which|what)(?: of (?:the|our|my|these|their))?"
    rf" (?P<many>(?:(?!of\b)[\w-]+ ){{0,2}}?(?!(?:{_AUX})\b)[a-z]{{2,}}(?<!s)s"
    r"|people|men|women|children|staff|cattle|sheep)\b(?! (?:does|do|did)\b)",
    re.IGNORECASE,
)
_WILL_IT = re.compile(
    rf"(?:^|\b(?:whether|if) |[,:;] )(?:{_AUX})?"
    r" ?(?:the|an?|this|that|our|my|each|some) (?P<one>[a-z]+)\b(?! of\b)",
    re.IGNORECASE,
)
_NAMING = rf"(?!(?:{_AUX}|of|with|for|in|on|at|from|to|by|per|than|that|and|or|not)\b)[\w-]+"
_A_ROW = (
    r"(?:an?|each|every)"
    r" (?P<row>(?!(?:second|minute|hour|day|night|week|month|quarter|season|year)\b)[\w-]+)"
)
_WHICH_OF_A_ROW = re.compile(
    r"\b(?:which|what|how (?:much|many)) (?:(?:kind|type|sort) of )?"
    rf"(?P<before>(?:{_NAMING} ){{0,3}}?)(?P<asked>{_NAMING}) {_A_ROW} \w",
    re.IGNORECASE,
)
"""A question within a sentence: `which wind farm site a machine belongs to`."""
_AT_WHICH = re.compile(
    rf"\b(?:at|in|on|to|from|by|with) (?:which|what) (?P<before>(?:{_NAMING} ){{0,3}}?)"
    rf"(?P<asked>{_NAMING}) (?:the|this|our) (?!(?:{_AUX})\b)\w+ \w",
    re.IGNORECASE,
)
"""The same of the row that is spoken of: `at which station the bike is handed back`."""
_WHAT_A_ROW = re.compile(
    rf"\b(?:how(?: (?:much|many|often|long))?|which|what) {_A_ROW}"
    rf"(?! (?:of|(?:will |would )?be|{_AUX})\b)",
    re.IGNORECASE,
)
_WORTH = re.compile(
    r"\b(?:what|how much|how)(?:['\u2019]s)?(?: (?:is|will|would|does|did|can|should|could))?"
    r" (?:my|our|your|his|her|their|this|that|the|an?) (?P<row>[\w-]+)"
    r" (?:be )?(?:worth|cost|fetch|sell|go for|bring)\b",
    re.IGNORECASE,
)
_WHICH_ONE = re.compile(
    rf"\b(?:which|what) (?:(?:kind|type|sort) of )?(?P<asked>\w*(?:ss|[^\Ws])) (?:{_AUX})"
    r" (?:the|an?|this|that|our|my|each|we|they|he|she|it|i|you|some\w+|people"
    rf"|\w{{2,}}ed|{'|'.join(sorted(irregular()))}|best)\b",
    re.IGNORECASE,
)
_JUDGEMENTS = frozenset({"quality", "rating", "satisfaction", "vote"})
"""What who rates something gives: no price, though a rate is one."""
_JUDGED = re.compile(
    r"\b(?:will|would|does|do|did|how) .*\b(?:rate|rates|score|judge|review|grade|like)s?"
    r"(?= (?:us|our|the|their|his|her|a|this)\b)",
    re.IGNORECASE,
)
_PHRASE_WEIGHT = 0.8
"""The least weight of a word in a phrase that means something as a whole.

Weights are shares of what a word counts that is asked for, 0 to 1; these were set by hand.
"""
_STOP_WORD = 0.5
"""The weight of a word that says little, in a phrase that has a meaning."""
_MOST_NOUNS = 4
"""More words than these are a sentence, not a name of its own."""
_MODIFIER = 0.7
"""The weight of what stands before the last noun."""
_QUESTION = re.compile(rf"\b(?:{_ASKS}|of|or|for|by|and|an?|the)\b", re.IGNORECASE)
_BEFORE_VERB = 0.25
"""The weight of what stands before the verb that asks."""
_INPUT_WEIGHT = 0.0
"""The weight of what is given, not asked for."""
_BESIDE_WEIGHT = 0.3
"""The weight of what is said beside the question."""
_AFTER_OF = 0.7
"""The weight of what follows the `of` of another noun."""
_ENTITY_WEIGHT = 0.25
"""The weight of what the rows are: it is seldom predicted."""
_SUBJECT_WEIGHT = 0.7
"""The weight of an aside where nothing else speaks of a column."""
_LEAST_SUBJECT = 0.2
"""Lighter words are not taken for the subject either."""


def target_phrase(intent: str, things: frozenset[str], links: Callable[[Term], bool]) -> list[Term]:
    """Reads the words that may name the target, weighted by where they stand; inputs are left out.

    `things` are stems of what the table's rows are; the rows are seldom what is predicted.
    `links` says whether a word may speak of a column.
    """
    said = _headed(intent, _spoken(intent, things))
    judged = _JUDGED.search(intent)
    terms = [
        _term(word, _judgement(about) if _is_judging(word, judged) else about, weight)
        for word, about, weight in said
    ]
    linked = [
        (word, weight if links(term) else 0.0)
        for (word, _, weight), term in zip(said, terms, strict=True)
    ]
    aside = _question_asides(intent, linked) | {
        word for word, _, _ in said if judged and word.start >= judged.end()
    }
    told = [
        replace(term, weight=min(term.weight, _BESIDE_WEIGHT))
        if word in aside and not term.joined
        else term
        for (word, _, _), term in zip(said, terms, strict=True)
    ]
    if any(term.weight >= _BESIDE_WEIGHT and links(term) for term in told):
        return told
    return [
        replace(term, weight=_SUBJECT_WEIGHT)
        if links(term) and not is_thing(term.text) and term.weight >= _LEAST_SUBJECT
        else term
        for term in told
    ]


def _is_judging(word: Word, judged: re.Match[str] | None) -> bool:
    is_verb = judged is not None and word.end == judged.end()
    return is_verb and _RATES.match(word.text) is not None


def _judgement(about: Meaning) -> Meaning:
    """Leaves of what a verb of judging may mean what is a judgement, where it may mean one."""
    meant = (about.concepts | about.weak) & _JUDGEMENTS
    return Meaning(meant, length=about.length, share=about.share) if meant else about


def _term(word: Word, about: Meaning, weight: float) -> Term:
    stem = root(word.text)
    return Term(word.text, stem, about.concepts, weight, about.weak, about.phrase, about.fields)


def _spoken(intent: str, things: frozenset[str]) -> list[tuple[Word, Meaning, float]]:
    found, asked = words(intent), _asked(intent)
    rows = (things | _subjects(intent)) - asked
    often = {one.start("times") for one in _HOW_OFTEN.finditer(intent)}
    return [
        (
            word,
            about,
            _joined(weight, about)
            * (_ENTITY_WEIGHT if word.start in often or _only_ties(word, about, found) else 1.0)
            * (1.0 if root(word.text) in asked else _telling(word, about, rows)),
        )
        for word, about, weight in zip(found, meanings(found), _weights(intent, found), strict=True)
        if weight > 0
        and about.share > 0
        and (root(word.text) in asked or not _says_nothing(word, about, found))
    ]


def _headed(
    intent: str, said: list[tuple[Word, Meaning, float]]
) -> list[tuple[Word, Meaning, float]]:
    """Of nouns in a row the last is the head: `membership churn` is churn."""
    if len(words(intent)) > _MOST_NOUNS or _QUESTION.search(intent):
        return said
    return [
        (word, about, weight * (_MODIFIER if beyond and about.length <= 1 else 1.0))
        for (word, about, weight), beyond in zip(said, [*said[1:], None], strict=False)
    ]


def _says_nothing(word: Word, about: Meaning, found: Sequence[Word]) -> bool:
    """Words of asking say nothing, unless they stand where the thing asked for stands."""
    if word.text not in lexicon().stop or about.length > 1 or about.fields or word.text == "why":
        return False
    return not (root(word.text) in group("late verbs") and about.concepts and word is found[-1])


def _only_ties(word: Word, about: Meaning, found: Sequence[Word]) -> bool:
    """Whether a word for a time only ties what is said to it: `before a crew leaves`."""
    is_before = word.text == "before" and word is not found[-1]
    return about.length <= 1 and (is_before or word.text == "after")


def _joined(weight: float, about: Meaning) -> float:
    """A phrase is meant as a whole, though a preposition is in it: `at the door`."""
    return max(weight, _PHRASE_WEIGHT) if about.phrase and weight > _BEFORE_VERB else weight


def counted_by(intent: str) -> frozenset[str]:
    """Finds the folded words that say by what is counted: `hour` in `bikes per hour`."""
    return frozenset(fold(one["unit"] or one["often"]) for one in _PER.finditer(intent))


def asked_kind(intent: str) -> frozenset[str]:
    """Finds the roots of what one of the rows is asked for: `meal` in `which meal will it take`."""
    return frozenset(
        root(fold(one.group("asked")))
        for asks in (_WHICH_ONE, _WHICH_OF_A_ROW, _AT_WHICH)
        for one in asks.finditer(intent)
    )


def _asked(intent: str) -> frozenset[str]:
    """Finds what one of the rows is asked for, or how many of which."""
    counted = {root(fold(one.group("asked"))) for one in _HOW_MANY.finditer(intent)}
    return asked_kind(intent) | (counted - group("anyone"))


def _subjects(intent: str) -> frozenset[str]:
    """Finds what the rows are by how they are asked for: `which pumps …`, `will the lead …`."""
    found = {word for match in _WHICH_OF.finditer(intent) for word in match.group("many").split()}
    found |= {match.group("one") for match in _WILL_IT.finditer(intent)}
    for told in (_WHICH_OF_A_ROW, _WHAT_A_ROW, _WORTH):
        found |= {match.group("row") for match in told.finditer(intent)}
    return frozenset(root(fold(word)) for word in found)


def _question_asides(intent: str, said: Sequence[tuple[Word, float]]) -> set[Word]:
    """Finds what is beside the point: `fly` in "which class does she fly"."""
    within = _WHICH_OF_A_ROW.search(intent) or _AT_WHICH.search(intent)
    if within:
        low, high = within.span("asked")
        return {
            word
            for word, weight in said
            if word.start >= high or within.start("before") <= word.start < low
        }
    for which in filter(None, (one.search(intent) for one in (_WHICH, _HOW_MANY, _HOW_MUCH_SO))):
        low, high = which.span("asked")
        if any(low <= word.start < high and weight > _ENTITY_WEIGHT for word, weight in said):
            return {word for word, _ in said if word.start >= high}
    how = _HOW.search(intent)
    if how:
        low, high = how.span("subject")
        if any(word.start >= high and weight > _BESIDE_WEIGHT for word, weight in said):
            return {word for word, _ in said if low <= word.start < high}
    return set()


def _telling(word: Word, about: Meaning, things: frozenset[str]) -> float:
    if about.length <= 1 and root(word.text) in group("adverbs"):
        return _STOP_WORD
    if about.phrase:
        return about.share * (_STOP_WORD if word.text in lexicon().stop else 1.0)
    if root(word.text) in things or is_thing(word.text):
        return _ENTITY_WEIGHT
    if root(word.text) in group("light verbs"):
        return _BESIDE_WEIGHT
    return 0.4 if word.stem in lexicon().qualifiers or word.text[0].isdigit() else 1.0


def _weights(intent: str, found: Sequence[Word]) -> list[float]:
    inputs = input_spans(intent)
    start, end = asking(intent)
    verb = _last_verb(intent, start, end, inputs)
    weights = []
    for word in found:
        if any(low <= word.start < high for low, high in inputs):
            weights.append(_INPUT_WEIGHT)
        elif not start <= word.start < end or word.start < verb:
            weights.append(_BEFORE_VERB)
        else:
            weights.append(_place(intent, verb, word))
    return weights


def input_spans(intent: str) -> list[tuple[int, int]]:
    """Finds the stretches that name inputs, or what is not meant: `from the age`, `not the age`."""
    return [(start, end) for _, start, end in _inputs(intent)]


def without_inputs(intent: str) -> str:
    """Takes the inputs that an intent names out of it, with the words that announce them."""
    for cue, _, end in sorted(_inputs(intent), reverse=True):
        intent = intent[:cue] + intent[end:]
    return intent.strip(_EDGES)


def _inputs(intent: str) -> list[tuple[int, int, int]]:
    """Gives where the words that announce inputs start, where the inputs do, and where they end."""
    on = _REGRESS_ON.search(intent)
    if on:
        return [(on.end("target"), *on.span("inputs"))]
    does = _DOES_PREDICT.search(intent)
    by = [(does.start("inputs"), *does.span("inputs"))] if does else []
    return (
        by
        + [(match.start(), *match.span("inputs")) for match in _EXCEPTED.finditer(intent)]
        + [
            (match.start(), *match.span("inputs"))
            for match in _INPUTS.finditer(intent)
            if not (
                intent[match.start() : match.start() + 4].lower() == "from"
                and _TELL_FROM.search(intent, 0, match.start())
            )
        ]
    )


def _last_verb(intent: str, start: int, end: int, inputs: Sequence[tuple[int, int]]) -> int:
    """The end of the first predicting verb outside the inputs; the phrase follows it."""
    for match in VERB.finditer(intent, start, end):
        if _LATE_VERB.fullmatch(match.group()) and _names(
            intent, start, match.start(), match.end()
        ):
            continue
        if not any(low <= match.start() < high for low, high in inputs):
            if _NOUN.match(intent, match.start()) and _content(intent[start : match.start()]):
                return start
            into = _INTO.match(intent, match.start())
            if into:
                return into.end()
            return match.start() if _RATES.fullmatch(match.group()) else match.end()
    return start


def _names(intent: str, start: int, at: int, end: int) -> bool:
    """Returns whether what may be a verb is a noun: the `rate` of `tax rate`."""
    before = words(intent[start:at])
    return bool(before) and before[-1].text not in lexicon().stop and not words(intent[end:])


def _content(text: str) -> bool:
    return any(word.text not in lexicon().stop for word in words(text))


def _place(intent: str, verb: int, word: Word) -> float:
    """Words after a preposition matter less than the head before it."""
    before = _ASKED_AT.sub("", intent[verb : word.start])
    if len(before.split()) > 1 and _ASIDE.search(before, 1):
        return _BESIDE_WEIGHT
    of = _OF.search(before)
    if not of:
        return 1.0
    head = words(before[: of.start()])
    return 1.0 if head and head[-1].stem in lexicon().qualifiers else _AFTER_OF


def without_denied(intent: str, columns: Sequence[str]) -> str:
    """Leaves out a column that is denied beside another: `predict deposit not price`.

    Args:
        intent: What a user wants to predict, in words.
        columns: The names of the table's columns.

    Returns:
        The intent; unchanged where no other column is called by its name.
    """
    names = {one.casefold() for name in columns for one in (name, " ".join(name_parts(name)))}
    told = "|".join(re.escape(one) for one in sorted(names, key=len, reverse=True))
    denied = rf"{_NOT}(?:{told})(?=\s*(?:but\b|[.,;:?!]|$))"
    for match in re.finditer(denied, intent, re.IGNORECASE):
        before = match["before"] or ""
        rest = f"{intent[: match.start()]}{before} {intent[match.end() :]}".strip()
        is_other = re.search(rf"(?<!\w)(?:{told})(?!\w)", rest, re.IGNORECASE)
        if before.casefold() not in _DEEDS and is_other:
            return rest.removeprefix("but ")
    return intent
