"""Iterative fine-tuning with a hospital's own reviewers: pick, correct, take, train again."""
