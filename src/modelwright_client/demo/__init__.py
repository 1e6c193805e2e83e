"""The demonstration: one real table taken from file to prediction on a running server."""
