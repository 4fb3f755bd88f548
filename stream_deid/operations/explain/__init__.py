"""`stream-deid explain`: what becomes of each leaf of a message, and why."""
