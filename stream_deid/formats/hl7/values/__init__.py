"""What single values are: names, numbers, codes, times, each by its field's rule."""
