"""What every request and response body shares."""

from datetime import datetime
from typing import Annotated, Any

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    PlainSerializer,
    WithJsonSchema,
    model_validator,
)

from modelwright.core.clock import iso

Moment = Annotated[
    datetime,
    PlainSerializer(iso, return_type=str, when_used="json-unless-none"),
    WithJsonSchema({"type": "string", "format": "date-time"}),
]
"""A timestamp, sent as ISO 8601 UTC with `Z`."""


def _storable(text: str) -> str:
    if any(character == "\0" or "\ud800" <= character <= "\udfff" for character in text):
        raise ValueError("must not contain NUL or lone surrogates")
    return text


Text = Annotated[str, AfterValidator(_storable)]
"""Words that every database can store."""


class Command(BaseModel):
    """A request body: no silent conversions, unknown members ignored."""

    model_config = ConfigDict(strict=True, extra="ignore", use_attribute_docstrings=True)

    @model_validator(mode="before")
    @classmethod
    def _whole(cls, told: Any) -> Any:
        """Reads 1.0 as 1, as JSON has no integers of their own."""
        if not isinstance(told, dict):
            return told
        return {
            name: int(value) if isinstance(value, float) and value.is_integer() else value
            for name, value in told.items()
        }


class Answer(BaseModel):
    """A response body."""

    model_config = ConfigDict(
        use_attribute_docstrings=True, protected_namespaces=(), from_attributes=True
    )


Json = dict[str, Any]
