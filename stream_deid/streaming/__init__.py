"""Everything about Kafka: the worker, delivery, dead letters, metrics and logs."""
