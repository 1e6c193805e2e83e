"""The JSON of the contract as typed dictionaries, one module a room; answers may hold more."""
