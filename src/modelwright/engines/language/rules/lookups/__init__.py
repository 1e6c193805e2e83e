"""One column of the rows that meet some conditions, chosen by trained rankers."""
