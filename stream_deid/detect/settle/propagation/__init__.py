"""From what was found once to where the note says it again, or says the rest of it."""
