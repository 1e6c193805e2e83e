"""Has a language model name the target of an intent as well: where two readers differ, people say.

The rules read every intent. A model that is sure of another column makes the plan a question; one
that is not sure is told in the plan's warnings at most. It never plans by itself: of intents that
no column fits it names some column all the same.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from modelwright.builds.errors import PlanImpossible, UnclearIntent
from modelwright.core.errors import Detail
from modelwright.language_models.service import LanguageModels
from modelwright.models.domain import BuildRequest

if TYPE_CHECKING:
    from modelwright.engines.language.llm.target_vote import Vote

SURE_LOGPROB = -0.3
"""The lowest log-probability of a token of a name that a model hardly doubts: where the rules read
nothing and a column fits, 17 of 17 such names were right, and of others 5 of 12."""


class IntentVotes:
    """Asks the first language model that is configured, if there is one."""

    def __init__(self, models: LanguageModels) -> None:
        self._models = models

    def checked(
        self,
        plan: dict[str, Any],
        request: BuildRequest,
        tables: Sequence[Mapping[str, Any]],
        is_gone: Callable[[], bool],
    ) -> dict[str, Any]:
        """Returns the plan; refuses one whose target a model that is sure names otherwise."""
        vote, failures = self._cast(request, tables, is_gone)
        plan = {**plan, "warnings": [*plan["warnings"], *failures]}
        target = plan["target"]
        if vote is None or vote.column in {None, target}:
            return plan
        if _is_sure(vote):
            sentence = (
                f"The intent may ask for {target} or, as {vote.voter} reads it, for {vote.column}."
                f' Name the column, for example "Predict {target}", or give it as `target`.'
            )
            raise PlanImpossible(sentence, details=(Detail("intent", sentence),))
        warning = f"{vote.voter} would rather predict {vote.column}; name the column to be sure."
        return {**plan, "warnings": [*plan["warnings"], warning]}

    def explained(
        self,
        unclear: UnclearIntent,
        request: BuildRequest,
        tables: Sequence[Mapping[str, Any]],
        is_gone: Callable[[], bool],
    ) -> PlanImpossible:
        """Returns the refusal of an unclear intent, with what a model takes it for."""
        vote, _ = self._cast(request, tables, is_gone)
        if vote is None or vote.column is None or not _is_sure(vote):
            return unclear
        sentence = (
            f"{unclear.message} {vote.voter} takes it for {vote.column}: if so, ask"
            f' "Predict {vote.column}", or give it as `target`.'
        )
        return PlanImpossible(sentence, details=(Detail("intent", sentence),))

    def _cast(
        self,
        request: BuildRequest,
        tables: Sequence[Mapping[str, Any]],
        is_gone: Callable[[], bool],
    ) -> "tuple[Vote | None, Sequence[str]]":
        if request.target or request.output_schema or request.before:
            return None, ()
        columns = {name: kind for table in tables for name, kind in table["columns"].items()}
        return self._models.vote(request.intent, columns, is_gone)


def _is_sure(vote: "Vote") -> bool:
    """Returns whether a model hardly doubts; one that does not tell is taken by its word."""
    return vote.lowest_logprob is None or vote.lowest_logprob >= SURE_LOGPROB
