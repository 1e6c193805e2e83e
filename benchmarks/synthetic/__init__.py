"""Tables and databases of offices, shops and more, made by fixed seeds."""
