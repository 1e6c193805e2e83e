"""What every feature stands on: settings, errors, clock, ids, database, access."""
