"""Free text spread over segments, and documents that stand in a value."""
