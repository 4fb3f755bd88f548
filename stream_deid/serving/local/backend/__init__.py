"""Triton's python-based backend for CPU hosts; `server` copies it into place."""
