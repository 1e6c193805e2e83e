"""Untrusted SQL over a data session's tables: guarded, run in a sandboxed child, bounded.

`pool.Pool` is the way in; a query is checked and run in the child, never in the caller's process.
"""
