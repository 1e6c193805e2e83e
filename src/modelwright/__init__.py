"""Modelwright: tables in, questions and models out."""

__version__ = "0.1.0"
