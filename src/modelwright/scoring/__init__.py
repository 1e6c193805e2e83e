"""Answering every row of an upload with a version: a job that fills an export."""
