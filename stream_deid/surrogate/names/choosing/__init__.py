"""Which name stands for a name: of its class, origin, sex, length and sound."""
