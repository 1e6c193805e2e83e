"""Walls that the operating system raises around a process that reads what strangers sent."""
