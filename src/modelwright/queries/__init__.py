"""A question, in SQL or in words, and its answer: a table or a chart."""
