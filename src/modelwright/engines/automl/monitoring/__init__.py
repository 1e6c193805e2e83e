"""The training data's distributions kept with a version, and what was asked lately beside them."""
