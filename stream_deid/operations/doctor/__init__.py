"""`stream-deid doctor`: a configuration against this machine, the brokers and the model server."""
