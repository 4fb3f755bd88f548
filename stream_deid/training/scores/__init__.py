"""Counts that add, the published measures, a model scored without a server, tables."""
