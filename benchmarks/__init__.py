"""Measurements of the product on real and generated tables; `python -m benchmarks` runs them."""
