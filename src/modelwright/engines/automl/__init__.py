"""AutoML: a plan from tables and words, a fit under a hard deadline, a compiled prediction."""
