"""Streets, towns, rooms, houses and coordinates."""
