"""What is wrong of a value is said so that it is true of any such value."""

import pytest
from pydantic import TypeAdapter, ValidationError

from modelwright.core.validation_sentences import what_it_must_be


@pytest.mark.parametrize("sign", ["", "-"])
def test_numbers_of_too_many_digits_need_fewer_whatever_their_sign(sign: str) -> None:
    with pytest.raises(ValidationError) as refused:
        TypeAdapter(int).validate_python(sign + "9" * 5_000)
    [found] = refused.value.errors()
    assert what_it_must_be(found) == "must be a whole number of fewer digits."
