"""Words before the rows that say which are meant, by a number that they only sound like."""

from modelwright.engines.language.rules.mentions.draft import Draft, entity

_LIKE = 0.8
"""A better mention sounds like its column."""


def describes(draft: Draft, at: int) -> bool:
    """Whether a word is like `obese` of `obese patients` with a BMI: nothing says from which on.

    Names of the number itself are none, nor are plurals: `sales` of sales people.
    """
    said, term = draft.text(at, at + 1), draft.question.terms[at]
    told = [m for m in draft.question.mentions.over(at) if m.quality > _LIKE]
    return (
        entity(draft, at + 1)
        and not said.endswith("s")
        and bool(told)
        and all(
            m.column.number
            and m.end == m.start + 1
            and term.stem not in {one.stem for one in m.column.name.terms}
            for m in told
        )
    )
