"""What is said after an answer: one whole question, and changes of the statement that answered."""
