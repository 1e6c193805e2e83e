"""What the parts of a conversation's readers all look for, said once."""

import re

NUMBER = r"\d+|two|three|four|five|six|seven|eight|nine|ten|twelve|fifteen|twenty"
END = re.compile(r"[\s?.!]+$")
"""How a question ends."""
LED = re.compile(
    r"^\s*(?:(?:and|but|now|then|also|so|ok(?:ay)?|please|,)\b\s*,?\s*)+", re.IGNORECASE
)
"""What leads from one question to the next."""
COUNTED = re.compile(r"^(?:how many|(?:the )?number of|count(?: of)?)\b\s*", re.IGNORECASE)
LISTED = re.compile(r"^(?:list|show|name|display)\b", re.IGNORECASE)
TOP = re.compile(
    rf"\b(?:the )?(?P<way>top|first|bottom|last|best|worst|lowest|highest)\s+(?P<n>{NUMBER})\b",
    re.IGNORECASE,
)
GROUPED = re.compile(
    r"\b(?:by|per|for each|for every|in each|grouped by|broken down by|split by)\s+(?:the\s+)?"
    r"(?=\S)",
    re.IGNORECASE,
)
BEHIND_GROUPED = re.compile(r"\b(?:by|per|each|every)\s+(?:the\s+)?$", re.IGNORECASE)
NEGATING = re.compile(
    r"\b(?:without|exclud(?:e|ing)|except|other than|not|leave out|leaving out|omit|but not"
    r"|minus)\b",
    re.IGNORECASE,
)
