"""What an operator sees of a worker: health, metrics, logs."""
