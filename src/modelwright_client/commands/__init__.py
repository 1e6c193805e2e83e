"""The words of the command line, one module each with a `register`; named as the client's verbs."""
