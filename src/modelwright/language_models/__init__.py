"""Language models that read questions: installed files, endpoints, and how they fare."""
