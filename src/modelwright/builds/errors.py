"""Refusals about builds."""

from modelwright.core.errors import Conflict, Detail, Forbidden, Unavailable, ValidationFailed


class OutOfCredits(Forbidden):
    """The account has used up its credits (403)."""

    def __init__(self, credits_: int) -> None:
        super().__init__(
            f"Your {credits_} credits are used up, so no new build can start; "
            "ask the operator for more."
        )


class OtherPlan(Conflict):
    """The build would not be of the plan that it quotes (409)."""

    def __init__(self) -> None:
        message = (
            "this plan is of another request: the intent, the data (a newer version of the dataset"
            " counts too) or a setting differs. Plan again with POST /models/{model_name}/plan and"
            " quote the new plan_id."
        )
        super().__init__(f"plan_id: {message}", details=(Detail("plan_id", message),))


class PlanAbandoned(Unavailable):
    """Whoever asked for the plan went away before it was made (503)."""

    def __init__(self) -> None:
        super().__init__("The plan was asked for and left; ask again.")


class TooManyPlans(Unavailable):
    """As many plans as may be made at a time are being made (503)."""

    def __init__(self) -> None:
        super().__init__("Too many plans are being made right now; try again.", retry_after=2)


class PlanTooLong(Unavailable):
    """Making the plan took more time or memory than a request may take (503)."""

    def __init__(self, why: str) -> None:
        super().__init__(f"The plan was not made in time. {why} A build may take longer: start it.")


class PlanImpossible(ValidationFailed):
    """No plan fits what was asked (422)."""


class UnclearIntent(PlanImpossible):
    """No column fits the intent, or several do (422)."""


class BuildTooLarge(Conflict):
    """The build ran into a limit that trying again would run into again."""
