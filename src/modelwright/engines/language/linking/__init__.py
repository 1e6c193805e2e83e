"""What the words of a question mean in the tables of a session, shared by all readers."""
