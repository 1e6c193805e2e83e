"""What runs of language models need: the model files."""
