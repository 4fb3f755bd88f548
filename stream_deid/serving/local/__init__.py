"""A real Triton server on this machine's CPU, supervised, with its own backend."""
