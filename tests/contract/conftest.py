from tests.modelling import side, worker

__all__ = ["side", "worker"]
