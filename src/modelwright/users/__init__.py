"""Accounts: one user is one account; who is calling, and what they may use."""
