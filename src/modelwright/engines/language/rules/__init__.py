"""Words to plans: the column an intent means, the SQL a question asks for; no language model."""
