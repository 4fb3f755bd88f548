"""Places that fit together: states, towns, streets, postcodes, countries."""
