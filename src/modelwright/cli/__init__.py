"""The operator's commands, a file a group."""
