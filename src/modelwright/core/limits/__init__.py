"""Limits of the contract, and rate limiters with their stores."""
