"""Predicts with a downloaded model, without the server: numpy and ONNX Runtime, nothing else."""

ARTIFACT, MANIFEST = "model.zip", "manifest.json"
FORMAT, OLDEST = 4, 2
"""What is written for a model with networks, and without; all from the oldest on are read."""
