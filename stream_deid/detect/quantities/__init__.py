"""Numbers that mean something clinical, and public ones, one file a subject; `clinical` judges."""
