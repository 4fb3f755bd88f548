"""MLLP blocks: the same ones, however the network cuts the bytes; bounded, whatever comes."""

import itertools

from hypothesis import given
from hypothesis import strategies as st

from stream_deid.mllp.framing import HEAD, Blocks, wrap

ONE, TWO = b"MSH|^~\\&|A\rPID|1", b"MSH|^~\\&|B"


def cut(data, at):
    edges = [0, *sorted(at), len(data)]
    return [data[a:b] for a, b in itertools.pairwise(edges)]


def bodies(pieces, limit=10_000, **options):
    blocks = Blocks(limit, **options)
    return [(b.body, b.whole) for piece in pieces for b in blocks.feed(piece)], blocks


def test_blocks_are_found_with_line_ends_between_them():
    found, blocks = bodies([wrap(ONE) + b"\r\n" + wrap(TWO)])
    assert found == [(ONE, True), (TWO, True)]
    assert (blocks.noise, blocks.cut, blocks.inside, blocks.size) == (0, 0, False, 0)


@given(
    st.lists(st.binary(max_size=40).filter(lambda b: not {0x0B, 0x1C} & set(b)), max_size=5),
    st.lists(st.integers(0, 300), max_size=12),
)
def test_any_cut_gives_the_same_blocks(messages, at):
    stream = b"".join(map(wrap, messages))
    assert bodies(cut(stream, [min(a, len(stream)) for a in at]))[0] == [
        (m, True) for m in messages
    ]


def test_a_block_that_is_begun_again_drops_what_was_not_ended():
    found, blocks = bodies([b"\x0bMSH|half", wrap(TWO)])
    assert found == [(TWO, True)]
    assert blocks.cut == 1


def test_noise_between_blocks_is_counted_and_dropped():
    blocks = Blocks(100)
    assert list(blocks.feed(b"GET / HTTP/1.1\r\n\r\n")) == []
    assert (blocks.noise, blocks.size) == (14, 0)
    assert [b.body for b in blocks.feed(wrap(ONE))] == [ONE]
    assert blocks.noise == 0


def test_without_a_return_a_block_ends_only_for_a_lenient_reader():
    stream = b"\x0b" + ONE + b"\x1c"
    assert bodies([stream])[0] == []
    assert bodies([stream, wrap(TWO)], lenient=True)[0] == [(ONE, True), (TWO, True)]


@given(st.integers(1, 5000), st.integers(1, 700))
def test_a_block_that_is_too_long_leaves_its_beginning_and_no_more(over, step):
    limit = 6000
    huge = ONE + b"x" * (limit - len(ONE) + over)
    stream = wrap(huge) + wrap(TWO)
    blocks, found, most = Blocks(limit), [], 0
    for piece in cut(stream, range(step, len(stream), step)):
        found += [(b.body, b.whole) for b in blocks.feed(piece)]
        most = max(most, blocks.size)
    assert found == [(huge[:HEAD], False), (TWO, True)]
    assert most <= limit + 2


def test_the_longest_block_that_fits_is_whole():
    body = b"x" * 6000
    assert bodies(cut(wrap(body), [6001, 6002]), limit=6000)[0] == [(body, True)]


@given(st.lists(st.binary(max_size=200) | st.sampled_from([b"\x0b", b"\x1c\r", b"\x1c"])))
def test_garbage_never_breaks_it_or_fills_it(pieces):
    blocks = Blocks(300)
    for piece in pieces:
        for block in blocks.feed(piece):
            assert b"\x0b" not in block.body
            assert len(block.body) <= max(300, HEAD)
        assert blocks.size <= 302
    assert [b.body for b in blocks.feed(wrap(ONE))][-1] == ONE
