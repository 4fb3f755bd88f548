"""One recipe, one run: read, train, keep, resume."""
