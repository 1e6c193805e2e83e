"""Refusals of uploads that a version cannot score."""

from modelwright.core.errors import ValidationFailed


def column_missing(filename: str, columns: list[str]) -> ValidationFailed:
    """Makes the refusal of a file without these columns."""
    named = ", ".join(f"`{name}`" for name in columns)
    word = "column" if len(columns) == 1 else "columns"
    return ValidationFailed.of("upload_id", f"{filename} lacks the {word} {named} the model needs.")


def other_unit(filename: str, told: list[str]) -> ValidationFailed:
    """Makes the refusal of a file with columns in other units than the model learnt from."""
    return ValidationFailed.of("upload_id", f"{filename}: {'; '.join(told)}.")
