"""What a change is.

A change puts a part in place and tells what of it it used, or leaves the statement as it is and
returns None. What it does not tell is lost, and the follow-up is not read so.
"""

import re
from collections.abc import Callable

from modelwright.engines.language.conversation.parts import Part, Used
from modelwright.engines.language.conversation.statement import AnsweredStatement

Probe = Callable[[str, str], AnsweredStatement]
Change = Callable[[AnsweredStatement, Part, Probe], Used | None]
SORTED = re.compile(
    r"^\W*(?:sorted|ordered|ranked|in (?:the )?(?:\w+ )?(?:order|ascending|descending|reverse)"
    r"|highest|lowest|largest|smallest)"
)
"""How an order begins."""
