"""Questions and intents in plain words."""
