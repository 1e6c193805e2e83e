"""Questions over several tables."""
