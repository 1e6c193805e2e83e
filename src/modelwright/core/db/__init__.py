"""The database: engine, transactions, tenant filter, shared queries."""
