"""`stream-deid file`: the same path as the worker's, over a file instead of a topic."""
