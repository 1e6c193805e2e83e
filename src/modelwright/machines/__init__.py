"""Machines that share one database: who is there, what each runs, and which are being drained."""
