"""Builds every service once, from settings to a running container."""
