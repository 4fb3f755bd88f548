"""Fuzzing: anything at all through the whole pure path, without a model or a broker."""
