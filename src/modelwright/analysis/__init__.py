"""Analyses of uploads: what is in the files, what is wrong with them, pictures of both."""
