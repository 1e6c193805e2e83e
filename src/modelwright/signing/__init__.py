"""What this server signs, and the public keys by which anybody verifies it."""
