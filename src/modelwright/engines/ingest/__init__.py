"""Files to Parquet: what a file is, its columns' types, and the refusal of what cannot be read."""
