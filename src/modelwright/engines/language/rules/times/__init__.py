"""Times and dates of a question, and which date of a row they are about."""
