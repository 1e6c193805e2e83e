"""The port behind which a language model stands: turns in, one completion out.

The engine imports no client of any model; tests and benchmarks put recorded completions behind the
same port.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, Protocol

from modelwright.engines.language.rules.text.stopping import Stopped, never


@dataclass(frozen=True, slots=True)
class Turn:
    """One message of a conversation with a model."""

    role: Literal["system", "user", "assistant"]
    content: str


@dataclass(frozen=True, slots=True)
class Token:
    """A token that a model wrote, and the logarithm of how likely it was."""

    text: str
    logprob: float


@dataclass(frozen=True, slots=True)
class Completion:
    """What a model wrote, and what it took."""

    text: str
    tokens: tuple[Token, ...] = ()
    """Empty where the model does not tell them."""
    prompt_tokens: int = 0
    cached_tokens: int = 0
    """Tokens of the prompt that did not have to be evaluated again."""
    completion_tokens: int = 0
    milliseconds: float = 0.0
    is_cut: bool = False
    """Whether it ended because it grew too long."""


@dataclass(frozen=True, slots=True)
class Constraint:
    """What a completion must look like, in the two languages that models take."""

    grammar: str = ""
    """GBNF, for llama.cpp."""
    json_schema: dict[str, Any] | None = None
    """For endpoints with structured output."""


@dataclass(frozen=True, slots=True)
class CompletionRequest:
    """What a model is asked to complete."""

    turns: Sequence[Turn]
    """The conversation; its first turn is the same for all questions about a table."""
    constraint: Constraint
    """What the answer must look like."""
    seconds: float
    """How long it may take."""
    stopped: Stopped = never
    """Tells whether nobody waits for the answer any more."""
    owner: str = ""
    """What the first turn is kept with where it is kept; empty: it is not."""


class CompletionFailed(Exception):
    """The model could not be asked, was too slow, or answered nonsense."""


class Completer(Protocol):
    """A language model, in a process of its own or behind an endpoint. Thread-safe."""

    @property
    def name(self) -> str:
        """Returns its name, told with what it answers."""

    @property
    def sees_values(self) -> bool:
        """Returns whether values of the data may be shown to it."""

    @property
    def answers_json(self) -> bool:
        """Returns whether it is constrained by a JSON schema, not by a grammar."""

    def complete(self, request: CompletionRequest) -> Completion:
        """Completes a conversation.

        Args:
            request: The conversation, and what its answer must look like.

        Returns:
            What the model wrote.

        Raises:
            CompletionFailed: It could not be asked, was too slow or stopped.
        """

    def sample(self, request: CompletionRequest) -> Sequence[Completion]:
        """Draws completions of a conversation by their likelihood, the same ones each time.

        Args:
            request: The conversation, which was completed just before.

        Returns:
            What the model wrote; nothing of a model that is asked only once.

        Raises:
            CompletionFailed: It could not be asked, was too slow or stopped.
        """
