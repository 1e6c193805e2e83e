"""A second reader without a model: it reads a question only where every word has its place."""
