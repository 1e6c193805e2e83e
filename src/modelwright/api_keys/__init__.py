"""API keys: issued once, stored as a hash, amended, revoked for good."""
