"""What a dataset's tables and columns mean: inferred from the data, corrected by people."""
