"""`stream-deid trace`: everything that happened to one note, without a word of it."""
