"""Numbers and codes that identify: keyed permutations in the form of the original."""
