"""Keyed derivation: permutations are permutations, and nobody turns them around without the key."""

import hashlib
import hmac
import itertools
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stream_deid.surrogate.keys import Scope, root, token

KEY = bytes(range(32))
NUMBERS = st.integers(1, 10**24)


@pytest.mark.parametrize("n", [*range(1, 70), 127, 128, 1000, 1023, 4096])
def test_a_permutation_is_one_to_one_and_onto(n: int) -> None:
    scope = Scope(KEY)
    images = [scope.permute(n, x) for x in range(n)]
    assert sorted(images) == list(range(n))
    assert [scope.unpermute(n, y) for y in images] == list(range(n))


@given(NUMBERS, st.data(), st.binary(min_size=32, max_size=32))
def test_every_size_is_turned_back_with_the_key(n: int, data: st.DataObject, key: bytes) -> None:
    x = data.draw(st.integers(0, n - 1))
    scope = Scope(key)
    image = scope.permute(n, x)
    assert 0 <= image < n
    assert scope.unpermute(n, image) == x


@given(st.integers(2, 10**12), st.data())
def test_a_cycle_leaves_nothing_where_it_was(n: int, data: st.DataObject) -> None:
    x = data.draw(st.integers(0, n - 1))
    assert Scope(KEY).cycle(n, x) != x


@pytest.mark.parametrize("n", [3, 4, 5])
def test_all_orders_of_a_small_domain_are_equally_likely(n: int) -> None:
    """Chi-square over many keys: a network with too few rounds fails it by far."""
    orders = list(itertools.permutations(range(n)))
    draws = 60 * len(orders)
    counted: Counter[tuple[int, ...]] = Counter()
    for i in range(draws):
        scope = Scope(hashlib.sha256(b"%d" % i).digest())
        counted[tuple(scope.permute(n, x) for x in range(n))] += 1
    expected = draws / len(orders)
    chi = sum((counted[order] - expected) ** 2 / expected for order in orders)
    free = len(orders) - 1
    assert chi < free + 5 * (2 * free) ** 0.5


@pytest.mark.parametrize(("n", "other"), [(1000, 1001), (900, 1000), (961, 960)])
def test_permutations_of_two_sizes_tell_nothing_of_each_other(n: int, other: int) -> None:
    scope, small = Scope(KEY), min(n, other)
    same = sum(scope.permute(n, x) == scope.permute(other, x) for x in range(small))
    assert same < 10  # one is expected


def test_two_purposes_share_no_images() -> None:
    one, two = Scope(KEY).sub("name"), Scope(KEY).sub("number")
    assert sum(one.permute(1000, x) == two.permute(1000, x) for x in range(1000)) < 10


def test_a_turned_bit_of_the_key_or_the_value_turns_half_of_the_image() -> None:
    n, scope, other = 1 << 64, Scope(KEY), Scope(bytes([KEY[0] ^ 1]) + KEY[1:])
    keys = [(scope.permute(n, x) ^ other.permute(n, x)).bit_count() for x in range(200)]
    values = [(scope.permute(n, x) ^ scope.permute(n, x ^ 1)).bit_count() for x in range(200)]
    assert 28 < sum(keys) / 200 < 36
    assert 28 < sum(values) / 200 < 36


def test_derivation_is_hmac_sha256_of_framed_labels() -> None:
    framed = b"s\0\0\0\x01ai\0\0\0\x08" + (7).to_bytes(8, "big")
    assert Scope(KEY).sub("a", 7).key == hmac.new(KEY, framed, "sha256").digest()


@given(st.lists(st.text() | st.integers()), st.lists(st.text() | st.integers()))
def test_two_lists_of_labels_never_read_alike(one: list[str | int], two: list[str | int]) -> None:
    try:
        keys = Scope(KEY).sub(*one).key, Scope(KEY).sub(*two).key
    except UnicodeEncodeError:  # half a surrogate pair: never reaches a key
        return
    assert (keys[0] == keys[1]) == (one == two)


def test_pseudonyms_differ_by_tenant_epoch_policy_and_value() -> None:
    made = {
        token(root(KEY, tenant, epoch, policy), value)
        for tenant in ("a", "b")
        for epoch in ("1", "2")
        for policy in ("safe-harbor", "limited-data-set")
        for value in ("x", "y")
    }
    assert len(made) == 16
    assert all(len(one) == 20 and one.isalnum() for one in made)
