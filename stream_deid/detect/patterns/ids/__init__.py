"""Numbers behind a label or known by their form, and what opens a door: passwords, cards."""
