"""What is in a table and what is wrong with it: exact statistics, findings, advice, pictures."""
