"""A model and its versions: the name it goes by, what it takes and gives, how good it is."""
