"""Compares what readers made of a question, and answers, asks back or refuses."""
