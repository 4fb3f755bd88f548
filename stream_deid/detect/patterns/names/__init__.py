"""Names by their cue, their list or their place in a sentence."""
