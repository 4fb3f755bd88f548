"""What a finding is, by its form and by what the same words are elsewhere in the note."""
