"""What the layout of a note says: rows of dates and beds, columns under heads, turns of a chat."""
