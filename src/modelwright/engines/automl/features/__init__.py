"""Columns into numbers: statistics of categories, terms of texts, the encoding that is served."""
