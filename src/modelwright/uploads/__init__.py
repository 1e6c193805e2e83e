"""Files on their way in: declared, put in storage by the client, confirmed, made into tables."""
