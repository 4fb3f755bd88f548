"""The walk over the elements of a message: each by its type and by what is asked beside it."""
