"""Makes the types of the client from docs/openapi.json."""  # noqa: INP001 - a script

from pathlib import Path

from datamodel_code_generator import (
    DataModelType,
    InputFileType,
    PythonVersion,
    generate,
)
from datamodel_code_generator.format import Formatter

PROJECT = Path(__file__).parents[2]
DOCUMENT = PROJECT / "docs" / "openapi.json"
TYPES = PROJECT / "src" / "modelwright_client" / "types.py"
HEAD = '''"""What the server takes and answers: made from its OpenAPI document by `make openapi`.

Types that were written by hand would drift from the server unseen; a test compares these with the
document.
"""
'''


def generated() -> str:
    """Returns the source of `modelwright_client.types` for the committed document."""
    made = generate(
        DOCUMENT,
        input_file_type=InputFileType.OpenAPI,
        output_model_type=DataModelType.TypingTypedDict,
        target_python_version=PythonVersion.PY_311,
        use_standard_collections=True,
        use_union_operator=True,
        use_schema_description=True,
        use_single_line_docstring=True,
        use_inline_field_description=True,
        formatters=[Formatter.RUFF_CHECK, Formatter.RUFF_FORMAT],
        custom_file_header=HEAD,
        settings_path=PROJECT,
    )
    return f"{made}\n"
