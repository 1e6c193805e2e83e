"""What every request and response body shares.

It fixes for all bodies what a framework leaves open: numbers are not made of texts, and unknown
members are no error, so that older servers take newer clients.
"""

import ast
import inspect
import sys
from collections.abc import Callable
from datetime import datetime
from functools import cache
from itertools import pairwise
from typing import Annotated, Any, ClassVar, Self

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    GetJsonSchemaHandler,
    PlainSerializer,
    ValidationError,
    ValidatorFunctionWrapHandler,
    WithJsonSchema,
    field_validator,
    model_validator,
)
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema

from modelwright.core.clock import iso

Timestamp = Annotated[
    datetime,
    PlainSerializer(iso, return_type=str, when_used="json-unless-none"),
    WithJsonSchema({"type": "string", "format": "date-time"}),
]
"""A timestamp, sent as ISO 8601 UTC with `Z`."""


def validated_by(fault_of: Callable[[str], str | None]) -> AfterValidator:
    """Refuses a text in which a rule finds a fault."""

    def checked(text: str) -> str:
        if fault := fault_of(text):
            raise ValueError(fault)
        return text

    return AfterValidator(checked)


def _storable_fault(text: str) -> str | None:
    if any(character == "\0" or "\ud800" <= character <= "\udfff" for character in text):
        return "must not contain NUL or lone surrogates"
    return None


def _blank(text: str) -> str | None:
    return None if text.strip() else "must not be blank"


Text = Annotated[str, validated_by(_storable_fault)]
"""Words that every database can store."""
Name = Annotated[Text, Field(json_schema_extra={"pattern": r"\S"}), validated_by(_blank)]
"""Words that something is called by."""
Tag = Annotated[Name, Field(max_length=100)]
"""A word that a model is found by."""


class DescribedModel(BaseModel):
    """A body whose members are described by what stands below them.

    That is read when the schema is asked for: reading it as classes are made slows every start.
    """

    @classmethod
    def __get_pydantic_json_schema__(
        cls, core: CoreSchema, handler: GetJsonSchemaHandler
    ) -> JsonSchemaValue:
        """Describes the members."""
        made = handler(core)
        members = handler.resolve_ref_schema(made).get("properties", {})
        for one in cls.__mro__:
            if one is not DescribedModel and issubclass(one, DescribedModel):
                for name, words in (
                    _attribute_docs_of_class(one.__module__).get(one.__qualname__, {}).items()
                ):
                    if name in members:
                        members[name].setdefault("description", words)
        return made


@cache
def _attribute_docs_of_class(module: str) -> dict[str, dict[str, str]]:
    """Reads what stands below the members of a module's classes."""
    tree = ast.parse(inspect.getsource(sys.modules[module]))
    return {
        one.name: _attribute_docs(one.body) for one in tree.body if isinstance(one, ast.ClassDef)
    }


def _attribute_docs(body: list[ast.stmt]) -> dict[str, str]:
    return {
        member.target.id: inspect.cleandoc(below.value.value)
        for member, below in pairwise(body)
        if isinstance(member, ast.AnnAssign)
        and isinstance(member.target, ast.Name)
        and isinstance(below, ast.Expr)
        and isinstance(below.value, ast.Constant)
        and isinstance(below.value.value, str)
    }


class RequestBody(DescribedModel):
    """A request body: no silent conversions, unknown members ignored.

    Null is as nothing said in a member that may be absent, and a wrong type in one that may not.
    """

    model_config = ConfigDict(strict=True, extra="ignore")
    CLEARED: ClassVar[frozenset[str]] = frozenset()
    """Members that null takes away."""

    @model_validator(mode="before")
    @classmethod
    def _whole(cls, members: Any) -> Any:
        """Reads 1.0 as 1, as JSON has no integers of their own."""
        if not isinstance(members, dict):
            return members
        fields = cls.model_fields
        return {
            name: int(value) if isinstance(value, float) and value.is_integer() else value
            for name, value in members.items()
            if value is not None
            or name in cls.CLEARED
            or (name in fields and fields[name].is_required())
        }

    @classmethod
    def __get_pydantic_json_schema__(
        cls, core: CoreSchema, handler: GetJsonSchemaHandler
    ) -> JsonSchemaValue:
        """Describes the members; those that may be absent may be null."""
        made = super().__get_pydantic_json_schema__(core, handler)
        whole = handler.resolve_ref_schema(made)
        for name, member in whole.get("properties", {}).items():
            options = member.get("anyOf", [])
            if name not in whole.get("required", ()) and _NULL_SCHEMA not in options:
                apart = {word: member.pop(word) for word in _APART if word in member}
                whole["properties"][name] = {"anyOf": [member, _NULL_SCHEMA], **apart}
        return made


_NULL_SCHEMA = {"type": "null"}
_APART = ("title", "description", "default", "examples")
"""What is said of a member whatever its type."""


_UNKNOWN_WORD = ("enum", "literal_error")
"""What pydantic calls a word that is none of those of a type."""


class ResponseBody(DescribedModel):
    """A response body."""

    model_config = ConfigDict(protected_namespaces=(), from_attributes=True)

    @field_validator("*", mode="wrap")
    @classmethod
    def _as_stored(cls, value: Any, read: ValidatorFunctionWrapHandler) -> Any:
        """Tells a word that only a newer release has as it is stored; all else must be right."""
        try:
            return read(value)
        except ValidationError as fault:
            if all(one["type"] in _UNKNOWN_WORD for one in fault.errors()):
                return value
            raise

    @classmethod
    def showing(cls, facts: object, **other: Any) -> Self:
        """Shows the members that facts have under the same names, and others."""
        same = {name: getattr(facts, name) for name in cls.model_fields if hasattr(facts, name)}
        return cls.model_validate(same | other)


Json = dict[str, Any]
