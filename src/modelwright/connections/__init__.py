"""Stored databases, and the tables and queries that are brought in from them, once or by clock."""
