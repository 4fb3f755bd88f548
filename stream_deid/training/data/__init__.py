"""Marked notes: readers, augmentation, values drawn anew, windows and batches."""
