"""`modelwright jobs follow`."""

from typing import Annotated

import typer

from modelwright_client import formatting, terminal
from modelwright_client.commands.options import ApiKey, Json, Url, connect, group

JobId = Annotated[str, typer.Argument(help="Id of the job.")]


def register(app: typer.Typer) -> None:
    """Adds the commands."""
    group(app, "jobs", follow)


def follow(job_id: JobId, api_key: ApiKey = None, url: Url = None, as_json: Json = False) -> None:
    """Follows a job until it ends."""
    with connect(api_key, url) as client:
        for event in client.jobs.follow(job_id):
            if as_json:
                terminal.say(terminal.text(event))
            else:
                formatting.event(event)
