from tests.modelling import side

__all__ = ["side"]
