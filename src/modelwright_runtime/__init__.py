"""Predicts with a downloaded model, without the server: numpy and ONNX Runtime, nothing else.

An artifact says which format it has: the lowest one that holds all that its model needs. All of
them are read.
"""

ARTIFACT = "model.zip"
"""The file of a model in the folder that a build writes."""
MANIFEST = "manifest.json"
"""The member of an artifact that tells its format, its hashes and what is known of the model."""

FORMAT = 12
"""The newest format, which has components of any registered kind, under `components`."""
WITH_COUNTS = 11
"""The format of counts of texts and months without a day."""
WITH_ORIGINS = 10
"""The format of numbers told from an origin."""
WITH_TIMES = 9
"""The format of strings that are times of day."""
WITH_NAMED_MONTHS = 8
"""The format of dates that name their month."""
WITH_PLACES = 7
"""The format of pairs of degrees, and of strings that are numbers."""
WITH_ORDERS = 6
"""The format of dates that are not ISO."""
WITH_NAMES = 5
"""The format of integers that name things."""
WITH_NETWORKS = 4
"""The format of networks."""
OLDEST_FORMAT = 2
"""The oldest format that is read."""
