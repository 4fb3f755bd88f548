"""What only trials use: brokers, chaos, reconciliation, demo, a feed of invented messages."""
