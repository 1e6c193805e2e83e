"""What is computed of the rows: counts, ratios, shares, differences, rows at an end."""
