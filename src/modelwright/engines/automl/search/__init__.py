"""Candidates raced over folds under one deadline, blended and refitted."""
