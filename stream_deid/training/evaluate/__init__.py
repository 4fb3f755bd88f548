"""How good a system is: systems side by side, leaks, slices, significance, and a page of errors."""
