"""What every room stands on: settings, errors, clock, ids, database, access."""
