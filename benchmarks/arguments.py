"""What a benchmark is told on its command line, for those that take a word or two."""

import argparse


def told(description: str | None, *flags: str, words: str | None = None) -> list[str]:
    """Reads the command line, so that `--help` explains it and a slip is refused.

    Args:
        description: What the benchmark measures.
        flags: Options without a value.
        words: What the words without an option are, where it takes some.

    Returns:
        The words.
    """
    parser = argparse.ArgumentParser(
        description=description, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    for flag in flags:
        parser.add_argument(flag, action="store_true")
    if words:
        parser.add_argument("words", nargs="*", metavar=words)
    given: list[str] = getattr(parser.parse_args(), "words", [])
    return given
