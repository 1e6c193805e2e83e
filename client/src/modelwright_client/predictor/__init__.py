"""Predicts with a downloaded model, without the server: numpy and ONNX Runtime, nothing else."""

ARTIFACT, MANIFEST = "model.zip", "manifest.json"
FORMAT, WITH_ORDERS, WITH_NAMES, WITH_NETWORKS, OLDEST = 7, 6, 5, 4, 2
"""What is written for a model with places, for one with dates that are not ISO, for one with
integers that name things, for one with networks, and else; all from the oldest on are read."""
