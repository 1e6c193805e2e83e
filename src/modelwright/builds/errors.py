"""Refusals about builds."""

from modelwright.core.errors import Conflict, Forbidden, Unavailable, ValidationFailed


class OutOfCredits(Forbidden):
    """The account has used up its credits (403)."""

    def __init__(self, credits_: int) -> None:
        super().__init__(
            f"Your {credits_} credits are used up, so no new build can start; "
            "ask the operator for more."
        )


class TooManyPlans(Unavailable):
    """As many plans as may be made at a time are being made (503)."""

    def __init__(self) -> None:
        super().__init__("Too many plans are being made right now; try again.", retry_after=2)


class PlanTooLong(Unavailable):
    """Making the plan took more time or memory than a request may take (503)."""

    def __init__(self, why: str) -> None:
        super().__init__(f"The plan was not made in time. {why} A build may take longer: start it.")


class Unplanned(ValidationFailed):
    """No plan fits what was asked (422)."""


class BuildTooLarge(Conflict):
    """The build ran into a limit that trying again would run into again."""
