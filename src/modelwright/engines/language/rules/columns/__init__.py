"""The tables asked about: their columns, names and values, and which words lead to them."""
