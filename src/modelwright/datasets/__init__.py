"""A complete upload seen by name: its versions, its tables, a look into them."""
