"""Time-limited workspaces over an upload: its files are tables that queries can name."""
