"""Usage: what each account consumed, by hour, kind and key; counted off the commit path."""
