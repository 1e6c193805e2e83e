"""Predicts with a downloaded model, without the server: numpy and ONNX Runtime, nothing else."""

ARTIFACT, MANIFEST = "model.zip", "manifest.json"
FORMAT, WITH_ORIGINS, WITH_TIMES, WITH_NAMED_MONTHS, WITH_PLACES, WITH_ORDERS = 11, 10, 9, 8, 7, 6
WITH_NAMES, WITH_NETWORKS, OLDEST = 5, 4, 2
"""What is written for a model with texts or with months without a day, with numbers told from an
origin, with strings that are times, with dates that name their month, with places or strings that
are numbers, with dates that are not ISO, with integers that name things, with networks, and else;
all of them are read."""
