"""Checks of a candidate's SQL against the question: each finds one kind of fault."""
