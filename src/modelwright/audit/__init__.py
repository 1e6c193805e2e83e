"""The audit log: who did what to which resource, from where; only ever added to."""
