"""Dates in digits, words and letters, and what says that a pair of numbers is one or is none."""
