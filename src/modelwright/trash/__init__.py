"""What was deleted and can still be restored: models and uploads, for some days."""
