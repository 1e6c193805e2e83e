"""The processes that `modelwright serve` runs: supervisor, listener, worker, replica host."""
