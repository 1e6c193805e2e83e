"""The audit log: who did what to which resource, from where; added to, and forgotten with age."""
