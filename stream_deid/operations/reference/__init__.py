"""`stream-deid reference`: docs/reference.md, made from the code."""
