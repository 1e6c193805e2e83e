"""What differs between operating systems, each difference in one place with its fallback."""
