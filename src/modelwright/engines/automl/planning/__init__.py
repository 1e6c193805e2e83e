"""Tables and words into a plan: how columns are read, which are left out, what is predicted."""
