"""How what a version is asked differs from its training, and how right it turned out to be.

Predictions are *noted* as they are answered, counted in the background, and *kept* for a while so
that *truths* can be told later by their request's id.
"""
