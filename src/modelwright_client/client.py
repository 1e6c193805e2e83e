"""The whole API behind one object, grouped as the reference of the API is.

All groups share its connections, key and time-out; one made by itself would open its own.
"""

import os
from typing import Self

import httpx

from modelwright_client._http import HttpTransport, Retry
from modelwright_client.analysis import Analysis
from modelwright_client.catalog import Catalog
from modelwright_client.connections import Connections, Ingestions
from modelwright_client.datasets import Datasets
from modelwright_client.deployments import Deployments
from modelwright_client.endpoints import Endpoints
from modelwright_client.exports import Exports
from modelwright_client.jobs import Jobs
from modelwright_client.keys import Keys
from modelwright_client.machines import Machines
from modelwright_client.models import Models
from modelwright_client.monitoring import Monitoring
from modelwright_client.predictions import Predictions
from modelwright_client.queries import Queries
from modelwright_client.sessions import Sessions
from modelwright_client.trash import Trash
from modelwright_client.types import Health
from modelwright_client.uploads import Uploads
from modelwright_client.users import Audit, Usage, Users

DEFAULT_URL = "http://127.0.0.1:8000"


class Client:
    """A server and a key; refusals are raised as `ApiError`, all else as `ModelwrightError`.

    Without arguments it takes `MODELWRIGHT_URL` and `MODELWRIGHT_API_KEY` from the environment.
    `timeout` is in seconds, for each answer. A client may be shared by threads.
    """

    def __init__(
        self,
        base_url: str | None = None,
        api_key: str | None = None,
        *,
        transport: httpx.BaseTransport | None = None,
        timeout: float = 60.0,
        retry: Retry | None = None,
    ) -> None:
        self.base_url = (base_url or os.environ.get("MODELWRIGHT_URL") or DEFAULT_URL).rstrip("/")
        self._calls = HttpTransport(
            self.base_url,
            api_key or os.environ.get("MODELWRIGHT_API_KEY"),
            transport=transport,
            timeout=timeout,
            retry=retry,
        )
        self.uploads = Uploads(self._calls)
        self.datasets = Datasets(self._calls)
        self.catalog = Catalog(self._calls)
        self.predictions = Predictions(self._calls)
        self.monitoring = Monitoring(self._calls)
        self.deployments = Deployments(self._calls)
        self.endpoints = Endpoints(self._calls)
        self.jobs = Jobs(self._calls)
        self.models = Models(self._calls, self.jobs)
        self.sessions = Sessions(self._calls)
        self.queries = Queries(self._calls)
        self.analysis = Analysis(self._calls)
        self.exports = Exports(self._calls)
        self.keys = Keys(self._calls)
        self.users = Users(self._calls)
        self.usage = Usage(self._calls)
        self.audit = Audit(self._calls)
        self.machines = Machines(self._calls)
        self.connections = Connections(self._calls)
        self.ingestions = Ingestions(self._calls)
        self.trash = Trash(self._calls)

    def health(self) -> Health:
        """Returns the health of the server; needs no key.

        Returns:
            Status of the server and of what it stands on, and its version.
        """
        return self._calls.get("/data/health", Health)

    def close(self) -> None:
        """Closes the connections."""
        self._calls.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
