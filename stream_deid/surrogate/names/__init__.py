"""Names of people: parts, roles, titles, initials, origins, and what replaces each."""
