"""What held-out rows say of a model: metrics with their certainty, curves, importance."""
