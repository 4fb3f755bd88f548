"""Which votes count: labels, months of other languages, doubtful values and pairs are let go."""
