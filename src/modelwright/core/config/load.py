"""Reads the settings, or tells what is wrong with them by the names that the operator wrote."""

import os
from tomllib import TOMLDecodeError
from typing import Any

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from modelwright.core.config.settings import FILE, PREFIX, Settings
from modelwright.core.validation_sentences import what_it_must_be


class SettingsError(Exception):
    """Settings that cannot be used, a line each."""


def read_settings(**given: Any) -> Settings:
    """Reads the settings, the given ones before all others; refuses what cannot be used."""
    try:
        return Settings(**given)
    except (TOMLDecodeError, UnicodeDecodeError) as fault:
        raise SettingsError(f"{FILE}: {fault}.") from None
    except OSError as fault:
        raise SettingsError(f"{FILE}: {fault.strerror}.") from None
    except ValidationError as faults:
        raise SettingsError("\n".join(map(_format_error, faults.errors()))) from None


def _format_error(fault: ErrorDetails) -> str:
    if not fault["loc"]:  # the message names them
        return f"{fault['msg'].removeprefix('Value error, ')}."
    message = what_it_must_be(fault)
    if fault["type"] == "extra_forbidden":
        message = "there is no such setting."
    name = str(fault["loc"][0])
    variable = f"{PREFIX}{name}".upper()
    is_there = variable in map(str.upper, os.environ)
    return f"{variable if is_there else f'{name} in {FILE}'}: {message}"
