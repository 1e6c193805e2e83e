"""Making versions: create, retrain, new version; the plan beforehand, the job, its log."""
