"""What operators look at: settings, the surroundings, one note's history, the running workers."""
