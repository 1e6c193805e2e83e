"""Processes and the machine they run on: parent death, locks, open files, disk space."""
