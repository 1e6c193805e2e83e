"""Predicts with a downloaded model, without the server: numpy and ONNX Runtime, nothing else."""

ARTIFACT, MANIFEST = "model.zip", "manifest.json"
FORMAT = 2
