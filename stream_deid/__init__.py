"""stream_deid: a streaming service that de-identifies clinical notes."""

__version__ = "0.1.0"
