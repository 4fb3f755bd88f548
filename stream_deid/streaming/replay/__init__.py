"""Notes processed again: into topics of their own, or only to be compared with the released."""
