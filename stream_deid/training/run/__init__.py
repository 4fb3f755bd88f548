"""One run each: its trainer, from a recipe; kept, resumed, opened again as an engine."""
