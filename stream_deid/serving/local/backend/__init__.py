"""Triton's python-based backend for CPU hosts; `local_server` copies it into place."""
