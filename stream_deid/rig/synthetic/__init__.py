"""A deterministic feed of invented messages, for the demo, for tests and for trying things out.

Nobody in it exists. Patients come back in several notes and messages, in all formats, so that
one can see that their surrogates agree.
"""

from stream_deid.rig.synthetic.feed import FeedMessage, feed
from stream_deid.rig.synthetic.poison import poison

__all__ = ["AUTHORITY", "FeedMessage", "feed", "poison"]

AUTHORITY = "EHR"
"""Who gave the patients of the feed their numbers, in all formats (`formats.authorities`)."""
