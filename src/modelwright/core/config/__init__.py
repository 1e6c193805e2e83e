"""Settings and the secrets that are kept in files."""
