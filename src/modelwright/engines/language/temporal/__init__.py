"""Dates and periods in words, as ranges of days: one grammar for all readers."""
