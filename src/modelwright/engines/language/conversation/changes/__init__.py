"""What a follow-up may change of the statement that answered the question before."""
