"""`modelwright jobs`: list, show, logs, follow, cancel."""

from typing import Annotated

import typer

from modelwright_client import formatting, terminal
from modelwright_client.commands.options import ApiKey, Json, Limit, Offset, Url, connect, group

JobId = Annotated[str, typer.Argument(help="Id of the job.")]


def register(app: typer.Typer) -> None:
    """Adds the commands."""
    group(app, "jobs", list_, show, logs, follow, cancel)


def list_(
    limit: Limit = 20,
    offset: Offset = 0,
    api_key: ApiKey = None,
    url: Url = None,
    as_json: Json = False,
) -> None:
    """List jobs of every kind, newest first."""
    with connect(api_key, url) as client:
        page = client.jobs.list(limit=limit, offset=offset)
    if as_json:
        terminal.raw(page)
        return
    rows = [
        (
            job["job_id"],
            job["kind"],
            job["status"],
            f"{job['progress']}%",
            terminal.minute(job["created_at"]),
            job["error"] or (job["stage"] if job["status"] == "RUNNING" else ""),
        )
        for job in page["jobs"]
    ]
    terminal.table(("job", "kind", "status", "done", "created (UTC)", "says"), rows)


def show(job_id: JobId, api_key: ApiKey = None, url: Url = None, as_json: Json = False) -> None:
    """Show one job."""
    with connect(api_key, url) as client:
        job = client.jobs.read(job_id)
    terminal.raw(job) if as_json else formatting.job(job)


def logs(
    job_id: JobId,
    limit: Limit = 100,
    offset: Offset = 0,
    api_key: ApiKey = None,
    url: Url = None,
    as_json: Json = False,
) -> None:
    """Show what a job has said, oldest first."""
    with connect(api_key, url) as client:
        page = client.jobs.logs(job_id, limit=limit, offset=offset)
    if as_json:
        terminal.raw(page)
        return
    for line in page["logs"]:
        formatting.line(line)


def follow(job_id: JobId, api_key: ApiKey = None, url: Url = None, as_json: Json = False) -> None:
    """Follow a job until it ends."""
    with connect(api_key, url) as client:
        for event in client.jobs.follow(job_id):
            if as_json:
                terminal.say(terminal.text(event))
            else:
                formatting.event(event)


def cancel(job_id: JobId, api_key: ApiKey = None, url: Url = None, as_json: Json = False) -> None:
    """Stop a job that has not ended."""
    with connect(api_key, url) as client:
        job = client.jobs.cancel(job_id)
    terminal.raw(job) if as_json else formatting.job(job)
