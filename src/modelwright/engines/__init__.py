"""Pure computing: knows no web, no database and no account."""
