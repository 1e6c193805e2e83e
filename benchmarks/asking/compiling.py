"""Judges a second turn's whole question by itself, apart from how it is then read.

It is compiled rightly where it is the one that was written down, but for articles, signs and the
preposition before a condition, or where both are answered by the same result.
"""

import re
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from benchmarks.asking.__main__ import Judge
    from benchmarks.asking.product import Product

Compiled = Literal["right", "wrong", "refused"]
_SIGNS = re.compile(r"[^\w\s]|\b(?:the|a|an|please)\b")
_PREPOSITION = re.compile(r"\b(?:in|for|of|from)\b")


def judge_compiled(
    product: "Product", judge: "Judge", asked: str, then: str, whole: str
) -> tuple[Compiled, str | None]:
    """Gives the verdict on a second turn, and its whole question."""
    compiled = product.compiled(asked, then)
    if compiled is None:
        return "refused", None
    if _plain(compiled) == _plain(whole):
        return "right", compiled
    meant = product.ask(whole)
    if meant.kind != "answer":
        return "wrong", compiled
    verdict, _ = judge.verdict(meant.sql, product.ask(compiled))
    return ("right" if verdict == "right" else "wrong"), compiled


def _plain(question: str) -> str:
    told = _PREPOSITION.sub("of", _SIGNS.sub(" ", question.lower()))
    return " ".join(told.split())
