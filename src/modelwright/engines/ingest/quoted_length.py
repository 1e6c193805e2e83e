"""How much of a table its notices quote: names and values are cut, lists are counted."""

QUOTED_LENGTH = 60
"""Characters of a name or a value that a sentence quotes."""
MOST_NAMED = 3
"""Names that a sentence lists; of more it says how many."""
