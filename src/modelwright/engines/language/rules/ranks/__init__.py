"""The most and the least, places and orders."""
