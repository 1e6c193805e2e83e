"""Endpoints: the stable address of a model in an environment, and which version is in service."""
