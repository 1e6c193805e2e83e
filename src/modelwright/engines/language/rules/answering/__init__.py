"""The whole way of a question: readings side by side, the surest one, what it left out."""
