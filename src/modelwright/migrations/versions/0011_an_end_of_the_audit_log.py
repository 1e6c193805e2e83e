"""Entries of the audit log may be deleted once they are four weeks old."""

from alembic import op

revision = "0011"
down_revision = "0010"

STEPS = {
    "sqlite": [
        "drop trigger audit_delete",
        (
            "create trigger audit_delete before delete on audit "
            "when old.at > datetime('now', '-28 days') "
            "begin select raise(abort, 'the audit log keeps its last four weeks'); end"
        ),
    ],
    "postgresql": [
        (
            "create or replace function audit_refuse() returns trigger language plpgsql as "
            "$$ begin if tg_op = 'DELETE' and old.at < now() - interval '28 days' "
            "then return old; end if; raise exception "
            "'the audit log is not changed, and keeps its last four weeks'; end $$"
        ),
    ],
}


def upgrade() -> None:
    """Makes the step."""
    for statement in STEPS[op.get_bind().dialect.name]:
        op.execute(statement)
