"""The semantic layer: what tables mean, inferred, corrected, and written into readers' SQL."""
