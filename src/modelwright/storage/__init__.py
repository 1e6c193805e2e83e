"""Objects under keys: whole or not there at all, reached from outside by signed addresses."""
