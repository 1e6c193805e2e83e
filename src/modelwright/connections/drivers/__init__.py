"""Databases that can be read, a file each."""
