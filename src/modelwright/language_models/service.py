"""`LanguageModels`: those that are configured, as readers, and how each has fared."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from threading import Lock, Thread
from time import monotonic
from typing import TYPE_CHECKING, Protocol

from modelwright.core.clock import Clock
from modelwright.core.errors import Unavailable
from modelwright.core.logging import logger
from modelwright.engines.language.llm.completion import (
    Completer,
    Completion,
    CompletionFailed,
    CompletionRequest,
)
from modelwright.engines.language.rules.text.stopping import Stopped, never
from modelwright.language_models.domain import Standing
from modelwright.language_models.local import LocalModel

if TYPE_CHECKING:
    from modelwright.engines.language.catalog.meaning import Catalog
    from modelwright.engines.language.llm.target_vote import Vote
    from modelwright.engines.language.readers import Reader
    from modelwright.engines.language.rules.columns.schema import TableFacts

PROBE_KEPT_SECONDS = 20.0
"""Health is asked often; models are asked at most so often whether they are there."""
PREPARE_SECONDS = 240.0
"""How long the schema of one session may take to be evaluated ahead of its first question."""


class ProbedCompleter(Completer, Protocol):
    """A model that can be asked whether it is there."""

    def probe(self) -> None:
        """Raises `CompletionFailed` where it is not there."""


class LanguageModels:
    """Asks the language models that are configured. Thread-safe."""

    def __init__(self, completers: Sequence[ProbedCompleter], clock: Clock, seconds: float) -> None:
        """Makes the service.

        Args:
            completers: The models that are configured, the one asked first in front.
            clock: Tells when a model failed last.
            seconds: How long one model may take over one question.
        """
        self._models = [ObservedCompleter(one, clock) for one in completers]
        self._seconds = seconds
        self._lock = Lock()
        self._probed_at = float("-inf")

    @property
    def readers(self) -> "list[Reader]":
        """Returns a reader for each model."""
        if not self._models:
            return []
        from modelwright.engines.language.llm.reader import ModelReader  # noqa: PLC0415 - heavy

        return [ModelReader(model, self._seconds) for model in self._models]

    @property
    def has_local(self) -> bool:
        """Returns whether a model runs on this machine."""
        return any(isinstance(one.model, LocalModel) for one in self._models)

    def standings(self) -> list[Standing]:
        """Tells how each model has fared since this process started."""
        return [model.standing for model in self._models]

    def probe(self) -> None:
        """Makes sure that all models are there; refuses (`Unavailable`) where one is not."""
        with self._lock:
            if monotonic() - self._probed_at > PROBE_KEPT_SECONDS:
                for model in self._models:
                    model.probe()
                self._probed_at = monotonic()
        away = [one for one in self.standings() if one.is_away]
        if away:
            told = "; ".join(f"{one.name}: {one.last_failure}" for one in away)
            raise Unavailable(f"Language models are away: {told}")

    def prepare(self, tables: "Sequence[TableFacts]", catalog: "Catalog", owner: str) -> None:
        """Has local models evaluate a schema ahead of its first question, in a thread of its own.

        Args:
            tables: What the data hold.
            catalog: What they mean.
            owner: What the evaluated schema is kept with.
        """
        local = [one for one in self._models if isinstance(one.model, LocalModel)]
        if local:
            Thread(
                target=_prepare, args=(local, tables, catalog, owner), name="prepare", daemon=True
            ).start()

    def vote(
        self, intent: str, columns: Mapping[str, str], stopped: Stopped = never
    ) -> "tuple[Vote | None, Sequence[str]]":
        """Asks the first model which column an intent asks to predict.

        Args:
            intent: What a user wants to predict, in words.
            columns: The columns of the table with their types.
            stopped: Tells whether nobody waits for the answer any more.

        Returns:
            Its vote, None without a model or where it failed, and a sentence on each failure.
        """
        if not self._models:
            return None, ()
        from modelwright.engines.language.llm.target_vote import vote  # noqa: PLC0415 - heavy

        first = self._models[0]
        try:
            return vote(intent, columns, first, self._seconds, stopped), ()
        except CompletionFailed as failure:
            return None, (f"{first.name} did not say what it takes for the target: {failure}",)

    def forget(self, owner: str) -> None:
        """Deletes what models keep of data that were deleted."""
        for one in self._models:
            if isinstance(one.model, LocalModel):
                one.model.forget(owner)


class ObservedCompleter:
    """A model whose calls, tokens, times and failures are counted."""

    def __init__(self, model: ProbedCompleter, clock: Clock) -> None:
        """Makes an observed model of a model."""
        self.model = model
        self.standing = Standing(model.name)
        self._clock = clock
        self._lock = Lock()

    @property
    def name(self) -> str:
        """Returns the model's name."""
        return self.model.name

    @property
    def sees_values(self) -> bool:
        """Returns whether values of the data may be shown to it."""
        return self.model.sees_values

    @property
    def answers_json(self) -> bool:
        """Returns whether it is constrained by a JSON schema."""
        return self.model.answers_json

    def complete(self, request: CompletionRequest) -> Completion:
        """Completes a conversation and counts it; see `Completer.complete`."""

        def ask() -> list[Completion]:
            return [self.model.complete(request)]

        return self._counted(ask, request.stopped)[0]

    def sample(self, request: CompletionRequest) -> Sequence[Completion]:
        """Draws completions and counts them; see `Completer.sample`."""
        return self._counted(lambda: self.model.sample(request), request.stopped)

    def _counted(
        self, ask: Callable[[], Sequence[Completion]], stopped: Stopped
    ) -> Sequence[Completion]:
        started = monotonic()
        try:
            found = ask()
        except CompletionFailed as failure:
            if not stopped():
                self._note_failure(str(failure))
            raise
        if found:
            self._note(found, monotonic() - started)
        return found

    def _note(self, found: Sequence[Completion], seconds: float) -> None:
        """Counts one call; what is drawn of a conversation has its prompt in common."""
        with self._lock:
            self.standing = replace(
                self.standing,
                calls=self.standing.calls + 1,
                prompt_tokens=self.standing.prompt_tokens + found[0].prompt_tokens,
                completion_tokens=self.standing.completion_tokens
                + sum(one.completion_tokens for one in found),
                seconds=self.standing.seconds + seconds,
                is_away=False,
            )

    def probe(self) -> None:
        """Asks whether it is there, and notes the answer."""
        try:
            self.model.probe()
        except CompletionFailed as failure:
            with self._lock:
                self.standing = replace(self.standing, is_away=True, last_failure=str(failure))
        else:
            with self._lock:
                self.standing = replace(self.standing, is_away=False)

    def _note_failure(self, why: str) -> None:
        logger().warning("language_models.failed", model=self.name, why=why)
        with self._lock:
            self.standing = replace(
                self.standing,
                calls=self.standing.calls + 1,
                failures=self.standing.failures + 1,
                last_failure=why,
                last_failed_at=self._clock.now(),
            )


def _prepare(
    models: Sequence[ObservedCompleter],
    tables: "Sequence[TableFacts]",
    catalog: "Catalog",
    owner: str,
) -> None:
    from modelwright.engines.language.llm.reader import ModelReader  # noqa: PLC0415 - heavy

    for one in models:
        turn = ModelReader(one).opening(tables, catalog)
        try:
            if isinstance(one.model, LocalModel):
                one.model.prepare(turn, owner, PREPARE_SECONDS)
        except CompletionFailed as failure:
            logger().info("language_models.not_prepared", model=one.name, why=str(failure))
