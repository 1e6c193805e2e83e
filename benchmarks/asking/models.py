"""Local models for the benchmark: their processes, and what they have once written.

A model decodes greedily or draws with a fixed seed, so what it writes to the same turns stays the
same: it is kept on disk, and a run after a change of checks or arbiter asks the models nothing.
"""

import atexit
import hashlib
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

import msgspec

from benchmarks.asking.fetch import CACHE
from benchmarks.language_models.fetch import FILES, MODELS
from modelwright.engines.language.catalog.meaning import Catalog
from modelwright.engines.language.llm.completion import (
    Completion,
    CompletionFailed,
    CompletionRequest,
    Turn,
)
from modelwright.engines.language.llm.reader import ModelReader
from modelwright.engines.language.readers import Failed, Outcome, ReadRequest
from modelwright.engines.language.rules.columns.schema import TableFacts
from modelwright.language_models.domain import ModelFile, place_of
from modelwright.language_models.local import LocalModel

MEMORY_MB = 3000
LOADING_SECONDS = 120.0
PREPARE_SECONDS = 600.0
OWNER = "asking"
"""What evaluated tables are kept with, as the product keeps them with an upload."""
HOST = (
    "import sys; from pathlib import Path;"
    " from modelwright.language_models.domain import ModelFile, place_of;"
    " from modelwright.processes.language_model_host import host;"
    " model = ModelFile(sys.argv[1], Path(sys.argv[2]));"
    " host(model, place_of(Path(sys.argv[3]), model), int(sys.argv[4]), 'warning')"
)


class NotKeptError(LookupError):
    """What a model would write is not kept, and it is not to be asked."""


class Remembered:
    """A completer that is asked the same only once."""

    def __init__(self, inner: "Hosted", *, kept_only: bool = False) -> None:
        self._inner = inner
        self._kept_only = kept_only
        self._folder = CACHE / "completions" / inner.name
        self._folder.mkdir(parents=True, exist_ok=True)
        self.milliseconds: list[float] = []
        """What the model took, each time it was asked, now or then."""

    @property
    def name(self) -> str:
        return self._inner.name

    @property
    def sees_values(self) -> bool:
        return self._inner.sees_values

    @property
    def answers_json(self) -> bool:
        return self._inner.answers_json

    def complete(self, request: CompletionRequest) -> Completion:
        raw = self._kept(
            [list(request.turns), request.constraint],
            lambda: self._inner.complete(request),
        )
        found = msgspec.json.decode(raw, type=Completion)
        self.milliseconds.append(found.milliseconds)
        return found

    def sample(self, request: CompletionRequest) -> Sequence[Completion]:
        """Draws samples; none, as of an endpoint, where they are not kept and not to be drawn."""
        try:
            raw = self._kept(
                [list(request.turns), request.constraint, "samples"],
                lambda: self._inner.sample(request),
            )
        except NotKeptError:
            return ()
        return msgspec.json.decode(raw, type=list[Completion])

    def prepare(self, turn: Turn) -> None:
        """Has the model evaluate a first turn ahead of its questions."""
        self._inner.prepare(turn)

    def _kept(self, asked: list[object], write: Callable[[], object]) -> bytes:
        """Returns what was written to a request, which is made where it was not made before."""
        tag = hashlib.sha256(msgspec.json.encode(asked)).hexdigest()[:32]
        kept = self._folder / f"{tag}.json"
        if not kept.exists():
            if self._kept_only:
                raise NotKeptError(self.name)
            part = kept.with_suffix(".part")
            part.write_bytes(msgspec.json.encode(write()))
            part.replace(kept)
        return kept.read_bytes()


class Hosted:
    """A completer whose process is started when it is first asked."""

    answers_json = False
    sees_values = True

    def __init__(self, name: str, folder: Path) -> None:
        self.name = name
        self._folder = folder
        self._local: LocalModel | None = None

    def complete(self, request: CompletionRequest) -> Completion:
        return self._started().complete(request)

    def sample(self, request: CompletionRequest) -> Sequence[Completion]:
        return self._started().sample(request)

    def prepare(self, turn: Turn) -> None:
        self._started().prepare(turn, OWNER, PREPARE_SECONDS)

    def _started(self) -> LocalModel:
        if self._local is None:
            self._local = self._start()
        return self._local

    def _start(self) -> LocalModel:
        file = MODELS / FILES[self.name].file
        model = ModelFile(self.name, file)
        command = [sys.executable, "-c", HOST, self.name, str(file)]
        process = subprocess.Popen([*command, str(self._folder), str(MEMORY_MB)])
        atexit.register(process.terminate)
        local = LocalModel(model, place_of(self._folder, model))
        for _ in range(int(LOADING_SECONDS)):
            try:
                local.probe()
            except CompletionFailed:
                continue
            return local
        sys.exit(f"{self.name} did not load within {LOADING_SECONDS:.0f} s")


class PreparedReader(ModelReader):
    """A model that reads tables when their session opens."""

    def __init__(self, remembered: Remembered) -> None:
        super().__init__(remembered)
        self._remembered = remembered

    def open(self, tables: Sequence[TableFacts], catalog: Catalog) -> None:
        """Evaluates what all questions about some tables share."""
        self._remembered.prepare(self.opening(tables, catalog))


class KeptReader(PreparedReader):
    """A model that is away where what it would write is not kept."""

    def read(self, request: ReadRequest) -> Sequence[Outcome]:
        try:
            return super().read(request)
        except NotKeptError:
            return [Failed(self.name, "What it would write is not kept.")]


def reader(name: str, *, kept_only: bool = False) -> PreparedReader:
    """Makes a reader of a benchmarked model; with `kept_only` it answers only what it has kept."""
    if name not in FILES:
        sys.exit(f"no model of that name: {name}; there are {', '.join(FILES)}")
    hosted = Hosted(name, Path(tempfile.mkdtemp(prefix="modelwright-asking-")))
    return PreparedReader(Remembered(hosted, kept_only=kept_only))


def kept(name: str) -> KeptReader:
    """Makes a reader that tells only what a benchmarked model has written before."""
    return KeptReader(Remembered(Hosted(name, Path()), kept_only=True))
