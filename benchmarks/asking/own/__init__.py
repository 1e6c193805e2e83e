"""Wordings of our own, written before anything was held against them, in two halves."""
