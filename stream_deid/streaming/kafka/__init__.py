"""Clients of Kafka: options, security, a reader of offsets beside the group."""
