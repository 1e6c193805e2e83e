"""Answering one row or many with a version."""
