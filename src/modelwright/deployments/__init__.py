"""Versions put to work: deployments, and the replica processes that answer for them."""
