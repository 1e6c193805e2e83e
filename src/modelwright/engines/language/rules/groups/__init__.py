"""What rows are grouped by, and tests of whole groups."""
