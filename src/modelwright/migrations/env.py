"""Alembic's entry: runs the steps on the connection it is given."""

from alembic import context

from modelwright.core.db.database import Base

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=Base.metadata,
    render_as_batch=True,
    transactional_ddl=True,
)
with context.begin_transaction():
    context.run_migrations()
