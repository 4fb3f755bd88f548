"""`stream-deid demo`: the whole stack on one machine, on a feed that the project makes itself."""

from stream_deid.rig.demo.run import main

__all__ = ["main"]
