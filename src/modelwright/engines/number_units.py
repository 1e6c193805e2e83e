"""Units of columns of numbers: the sign of shares and currencies, as texts write them."""

from collections.abc import Iterator, Mapping

PERCENT = "%"
"""The unit of shares."""
_CODES = (
    "aed aud bgn brl cad chf clp cny cop czk dkk eur gbp hkd huf inr jpy krw mxn nok nzd pln ron"
    " rub sek sgd thb try uah usd zar"
)
CODES = frozenset(_CODES.split())
"""Currencies by their codes, in lower case."""
_NAMED = {code: code.upper() for code in CODES} | {
    "€": "EUR", "£": "GBP", "₹": "INR", "₽": "RUB", "₺": "TRY", "₴": "UAH", "₩": "KRW", "₪": "ILS",
    "₫": "VND", "₱": "PHP", "us$": "USD", "r$": "BRL", "a$": "AUD", "au$": "AUD", "c$": "CAD",
    "ca$": "CAD", "nz$": "NZD", "hk$": "HKD", "s$": "SGD", "euro": "EUR", "zł": "PLN", "kč": "CZK",
    "kr": "kr", "rs": "Rs", "$": "$", "¥": "¥", PERCENT: PERCENT,
}  # fmt: skip
"""Units by how they are written in lower case; signs of several countries stay."""
_OF_SEVERAL = {
    "$": {"USD", "CAD", "AUD", "NZD", "HKD", "SGD", "MXN", "CLP", "COP"},
    "¥": {"JPY", "CNY"},
    "kr": {"SEK", "NOK", "DKK"},
    "Rs": {"INR"},
}
"""Currencies that a sign may mean."""


def unit_written(before: str, after: str) -> str:
    """Returns the unit that stands before or behind a number.

    Args:
        before: What stands before it, in lower case.
        after: What stands behind it.

    Returns:
        A currency's code or sign, or `%`; empty where it is no such unit.
    """
    return "" if before and after else _NAMED.get(before or after, "")


def said_of_other_units(learnt: Mapping[str, str], given: Mapping[str, str]) -> Iterator[str]:
    """Says which columns are in another unit than a model learnt them in.

    Args:
        learnt: Units by the names of the model's columns, where they are known.
        given: Units of the columns of a table, likewise.

    Yields:
        A sentence without a full stop for each.
    """
    for name, unit in learnt.items():
        other = given.get(name, "")
        if unit and other and not _may_be_one(unit, other):
            yield f"`{name}` is in {other}, and the model learnt it in {unit}"


def _may_be_one(one: str, other: str) -> bool:
    return one == other or other in _OF_SEVERAL.get(one, ()) or one in _OF_SEVERAL.get(other, ())
