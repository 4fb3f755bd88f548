"""The pairs of a text that are no days by what stands beside them."""

from stream_deid.detect.pairs import judge
from stream_deid.detect.pairs.shares import no_days
from stream_deid.text.folding import folded


def shares(text, language="en"):
    (read,) = judge.read([folded(text)], language)
    found = no_days(read)
    return [text[one.start : one.end] for one in read.pairs if one.start in found]
