"""What the parts of a conversation's readers all look for, said once."""

import re

from modelwright.engines.language.vocabulary import any_case

NUMBER = r"\d+|two|three|four|five|six|seven|eight|nine|ten|twelve|fifteen|twenty"
END = re.compile(r"[\s?.!]+$")
"""How a question ends."""
POLITE = any_case(r"[\s,]*\b(?:please|pls|plz|thanks|thank you|thx|cheers)[\s!.]*$")
"""What is said at the end for courtesy alone."""
LED = any_case(r"^\s*(?:(?:and|but|now|then|also|so|ok(?:ay)?|please|,)\b\s*,?\s*)+")
"""What leads from one question to the next."""
COUNTED = any_case(r"^(?:how many|(?:the )?number of|count(?: of)?)\b\s*")
LISTED = any_case(r"^(?:list|show|name|display)\b")
TOP = any_case(
    rf"\b(?:the )?(?P<way>top|first|bottom|last|best|worst|lowest|highest)\s+(?P<n>{NUMBER})\b"
)
GROUPED = any_case(
    r"\b(?:by|per|for each|for every|in each|grouped by|broken down by|split by)\s+(?:the\s+)?"
    r"(?=\S)"
)
NEGATING = any_case(
    r"\b(?:without|exclud(?:e|ing)|except|other than|not counting|not|leave out|leaving out|omit"
    r"|but not|minus|drop|remove|ignore|ignoring|skip)\b"
)
