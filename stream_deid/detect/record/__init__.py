"""What the message states of its people, looked for in its free text."""
