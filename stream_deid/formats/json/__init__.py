"""Notes in JSON envelopes, and the `patient` object that they may hold."""
