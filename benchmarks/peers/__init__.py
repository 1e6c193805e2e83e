"""Other platforms on the same splits, each in an environment of its own."""
