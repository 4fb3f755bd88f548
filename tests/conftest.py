"""What all tests share: no test is judged by its time, which a loaded machine decides."""

from hypothesis import settings

settings.register_profile("stream_deid", deadline=None)
settings.load_profile("stream_deid")
