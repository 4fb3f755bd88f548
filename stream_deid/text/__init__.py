"""All offset arithmetic: tokens, windows, encodings, BIO and Viterbi."""
