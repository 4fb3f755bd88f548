"""Surrogates: keyed, consistent, believable replacements, and the one-pass rewrite."""

from stream_deid.surrogate.engine import Surrogates
from stream_deid.surrogate.policy import Policy
from stream_deid.surrogate.rewrite import map_offset, rewrite

__all__ = ["Policy", "Surrogates", "map_offset", "rewrite"]
