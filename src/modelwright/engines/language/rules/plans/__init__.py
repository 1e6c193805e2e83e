"""The typed plan of an answer, and the plan as SQL and as a sentence."""
