"""The sentences of an intent: which of them asks for the target, and where another one begins.

Intents come as e-mails do: greeting, background, request. A column that the background names is no
target, so that the sentence that asks is found before any word of it is matched.
"""

import re

PLAIN = (
    r"predict\w*|forecast\w*|estimat\w*|classif\w*|determin\w*|identif(?:y|ies|ied|ying)|detect\w*"
    r"|guess\w*|figure out|find out|find|tell|(?<!we )(?<!they )(?<!\bi )know|say|flag|spot"
    r"|recogni[sz]e|assess|gauge"
    r"|work out|comput\w*|calculat\w*|anticipat\w*|infer|diagnose|decide|learn|categori[sz]e"
)
VERBS = (
    rf"{PLAIN}|(?<!the )(?<!our )(?<!a )(?<!this )(?<!each )(?<!which )(?<!what )"
    r"(?:project|score|sort|rate|model|segment)"
)
"""Verbs of predicting, also those that are nouns as often."""
VERB = re.compile(rf"\b(?:{VERBS})\b", re.IGNORECASE)
_VERB = re.compile(rf"\b(?:{PLAIN})\b", re.IGNORECASE)
_SENTENCE = re.compile(r"[^.;?!]+(?:\.(?=\d)[^.;?!]+)*")
_OF_COURSE = re.compile(r"(?<=[,;(]) of course\b,?|(?<=\band|\bbut) of course\b,?", re.IGNORECASE)
"""What says nothing, and is no course."""
_POINTS_BACK = re.compile(rf"\W*(?:please )?(?:{PLAIN}) (?:it|this|that|them)\b", re.IGNORECASE)
"""A request for what was asked before it: `Guess it from the rest.`"""
_SHORTENED = {"i.e.": "namely", "e.g.": "such as"}
"""What holds points that end no sentence."""
_WORD = re.compile(r"[^\W\d]")
_BREAK = re.compile(r"[.;?!]?[ \t]*\n(?=\s*(?:\n|[-*•A-Z]|[\w ]{1,20}:))")
_STATED = re.compile(
    r"\W*(?:(?:we|i|you|they|there|each|every|our|my|the (?:table|data\w*|file|rows?|columns?))\b"
    r"(?! (?:\w+ )?(?:want|need|wish|like|must|have to)\b)|thank|hello|hi\b|dear|use\b"
    r"|(?:columns?|fields?|features?|inputs?|context|background|data)\b ?:)",
    re.IGNORECASE,
)
_WANTED = re.compile(
    r"\b(?:(?:we|i|they|you|team|board|management) (?:\w+ ){0,2}?"
    r"(?:need|want|wish|must|(?:like|have) to)\b"
    r"|would (?:\w+ )?(?:like|love|help)\b|interested in\b"
    r"|(?:goal|aim|objective|task|purpose|question|point|idea) (?:here )?(?:is|was)\b)",
    re.IGNORECASE,
)
"""What says that a sentence asks, though no verb of predicting does."""
_LEAD = re.compile(
    rf"\W*(?:(?:hello|hi|hey|please|(?:could|can|would) you)\b\W+|(?!.*\b(?:{PLAIN})\b.*:)"
    r"(?:[\w']+ ){0,5}[\w']+ ?: )*",
    re.IGNORECASE,
)
_AGAIN = re.compile(r"[.;!] (?:also|then)\b,? ", re.IGNORECASE)
_AND = re.compile(
    r",? and (?:also |then )?(?=(?:predict|forecast|estimate|the|its|their) "
    r"|(?:whether|if|how|which|what|who|when) \w+ \w)",
    re.IGNORECASE,
)
_LIMIT = re.compile(
    r"(?:\b(?:above|over|under|below|at least|at most|exceeds?|exceeding|\w+ than)|[<>]=?) ?"
    r"[$€£]?\d[\d.,]*(?<![.,])(?:%|\w+)?",
    re.IGNORECASE,
)


def in_sentences(intent: str) -> str:
    """Ends the sentences that a capital, an empty line, a bullet or a heading after a line ends."""
    for short, full in _SHORTENED.items():
        intent = intent.replace(short, full)
    intent = _OF_COURSE.sub("", intent)
    return " ".join(_BREAK.sub(lambda found: found.group().strip() or ".", intent.strip()).split())


def asking(intent: str) -> tuple[int, int]:
    """Gives where the sentence stands that asks: by its verb, by its mark, or as none before it."""
    spans = [match.span() for match in _SENTENCE.finditer(intent) if _WORD.search(match.group())]
    asked = [span for span in spans if intent[span[1] :].startswith("?")]
    back = _POINTS_BACK if asked else None
    told = [
        span
        for span in spans
        if _VERB.search(intent, *span) and not (back and back.match(intent, *span))
    ]
    wanted = [span for span in spans if _WANTED.search(intent, *span)]
    others = [span for span in spans if not _STATED.match(intent, *span)]
    return [*told, *asked, *wanted, *others, *spans, (0, len(intent))][0]


def without_lead(sentence: str) -> str:
    """Takes greetings, pleas, marks and a heading before a sentence away."""
    return _LEAD.sub("", sentence, count=1)


def requests(intent: str) -> list[str]:
    """Parts an intent where a sentence begins another request: `Also predict the price.`."""
    return _AGAIN.split(intent)


def clauses(sentence: str) -> list[str]:
    """Parts a sentence where `and` begins another question or another thing asked for."""
    return _AND.split(sentence)


def limit(sentence: str) -> str:
    """Returns what a sentence says a number is above or below, as `over 100`; empty if nothing."""
    found = _LIMIT.search(sentence)
    return found.group() if found else ""
