"""The journey: upload, build, describe, predict one, predict many; each step is shown."""

from collections.abc import Mapping
from itertools import count

import httpx

from modelwright_client import formatting, terminal
from modelwright_client.client import Client
from modelwright_client.demo import table
from modelwright_client.demo.curl import Recorder
from modelwright_client.errors import ConflictError
from modelwright_client.types import BuildStarted

INTENT = "Predict the species of a penguin"
NAME = "penguins"


class Journey:
    """One run against one server; `run` prints every step with its curl lines."""

    def __init__(self, url: str | None, api_key: str | None) -> None:
        self._recorder = Recorder(httpx.HTTPTransport(), table.PENGUINS)
        self._client = Client(url, api_key, transport=self._recorder)

    def run(self) -> None:
        """Takes the penguins from file to prediction."""
        with self._client:
            upload_id = self._upload()
            model, version = self._build(upload_id)
            schema = self._describe(model, version)
            self._predict(model, version, schema)

    def _upload(self) -> str:
        self._title(f"Upload {table.PENGUINS.name} to a pre-signed URL")
        uploads = self._client.uploads
        with terminal.bar_for_each() as bar:
            sent = uploads.send([table.PENGUINS], name=NAME, progress=bar, wait=False)
        with terminal.progress("processing"):
            upload = uploads.wait(sent["upload_id"])
        self._written()
        formatting.upload(upload)
        return upload["upload_id"]

    def _build(self, upload_id: str) -> tuple[str, str]:
        self._title(f"Build a model from a sentence: “{INTENT}”")
        started = self._start(upload_id)
        self._written()
        name, version = started["model_name"], started["model_version"]
        with terminal.progress(f"building {name} {version}") as bar:
            self._client.jobs.wait(
                started["job_id"], progress=lambda job: bar(job["progress"], job["stage"])
            )
        self._written()
        return name, version

    def _start(self, upload_id: str) -> BuildStarted:
        for number in count(1):
            name = NAME if number == 1 else f"{NAME}-{number}"
            try:
                return self._client.models.create(name, intent=INTENT, dataset_id=upload_id)
            except ConflictError:
                self._recorder.take()  # the name is taken: this was not the journey's call
        raise AssertionError  # pragma: no cover - count() does not end

    def _describe(self, name: str, version: str) -> Mapping[str, str]:
        self._title("Describe it: how good, and by what")
        described = self._client.models.describe(name, version)
        self._written()
        formatting.description(described)
        return described["input_schema"] or {}

    def _predict(self, name: str, version: str, schema: Mapping[str, str]) -> None:
        rows = table.examples()
        inputs = [table.as_input(row, schema) for row in rows]
        self._title("Predict one")
        one = self._client.predictions.infer(name, version, inputs[0], include=["probabilities"])
        self._written()
        formatting.prediction(one)
        terminal.say(f"The table says {rows[0][table.TARGET]}.")
        self._title("Predict many")
        many = self._client.predictions.many(name, version, inputs)
        self._written()
        formatting.batch(many)
        terminal.say(f"The table says {', '.join(row[table.TARGET] for row in rows)}.")

    def _title(self, sentence: str) -> None:
        terminal.say(f"\n# {sentence}", "bold")

    def _written(self) -> None:
        for line in self._recorder.take():
            terminal.say(line)
        terminal.say()
