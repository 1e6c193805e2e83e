"""The words of the command line, one module each with a `plug_in`; named as the client's verbs."""
