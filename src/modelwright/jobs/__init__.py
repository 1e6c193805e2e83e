"""The queue: work asked for in a transaction, done later by a worker under a lease, told about."""
