"""`stream-deid top`: what the workers do now, from their `/metrics`."""
