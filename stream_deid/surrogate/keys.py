"""Keyed derivation: everything random about a surrogate comes from one HMAC-SHA-256.

A `Scope` is a key for one purpose, made by naming the purpose (`domain | epoch | patient |
type`); from it come integers, coins, pseudonyms and keyed permutations. Nothing is stored: the
same key and names give the same surrogates in every process, so replays agree and there is no
table of identifiers to steal.

Permutations of `range(n)` are alternating Feistel networks over Z_a x Z_b with cycle walking
(Black and Rogaway 2002, "Ciphers with arbitrary finite domains"; FF1 of NIST SP 800-38G has the
same ten rounds, but only domains radix**length). The round function is keyed BLAKE2s (RFC 7693)
under the scope's HMAC-derived key, of the round, the size of the domain and the half: it costs a
quarter of an HMAC. docs/security.md says why that is a permutation, and what is known about
turning it around.
"""

from __future__ import annotations

import base64
import hmac
from collections.abc import Sequence
from dataclasses import dataclass, field
from hashlib import blake2s
from math import isqrt

from stream_deid.text.memo import remembered

_ROUNDS = tuple((bytes([r]), bytes([r + 1])) for r in range(0, 10, 2))


def _frame(labels: tuple[str | int, ...]) -> bytes:
    """Labels as length-prefixed bytes, so that no two lists of labels read alike."""
    return b"".join(map(_framed, labels))


@remembered
def _framed(label: str | int) -> bytes:
    raw = _signed(label) if isinstance(label, int) else label.encode()
    kind = b"i" if isinstance(label, int) else b"s"
    return kind + len(raw).to_bytes(4, "big") + raw


def _signed(value: int) -> bytes:
    return value.to_bytes(max(8, value.bit_length() // 8 + 1), "big", signed=True)


@dataclass(frozen=True, slots=True)
class Scope:
    """A derived key (32 bytes) for one purpose."""

    key: bytes = field(repr=False)

    def sub(self, *labels: str | int) -> Scope:
        """The key for a narrower purpose."""
        return _sub(self.key, labels)

    def integer(self, n: int, *labels: str | int) -> int:
        """A keyed integer in `range(n)` (bias below 2**-190 for n < 2**64)."""
        digest = hmac.digest(self.key, b"n" + _frame(labels), "sha256")
        return int.from_bytes(digest, "big") % n

    def coin(self, p: float, *labels: str | int) -> bool:
        """True with probability `p`."""
        return self.integer(1 << 53, "coin", *labels) < p * (1 << 53)

    def permute(self, n: int, x: int) -> int:
        """The image of `x` under a keyed permutation of `range(n)`."""
        a, b, domain = _domain(n)
        while True:
            x = self._feistel(a, b, domain, x)
            if x < n:
                return x

    def unpermute(self, n: int, y: int) -> int:
        """The inverse of `permute`."""
        a, b, domain = _domain(n)
        while True:
            y = self._feistel_back(a, b, domain, y)
            if y < n:
                return y

    def cycle(self, n: int, x: int) -> int:
        """The image of `x` under a keyed permutation of `range(n)` that is one n-cycle.

        It has no fixed point for n >= 2, and walking along it comes back to `x` only after all
        others: so the next element in any subset of two or more differs from `x` as well.
        """
        return self.unpermute(n, (self.permute(n, x) + 1) % n)

    def cycled(self, n: int) -> tuple[int, ...]:
        """The images of all of `range(n)` along the cycle of `cycle`."""
        images = [self.permute(n, x) for x in range(n)]
        places = {image: x for x, image in enumerate(images)}
        return tuple(places[(image + 1) % n] for image in images)

    def cycle_places(self, sizes: Sequence[int], places: Sequence[int]) -> list[int]:
        """The image of `places` (each below its size) along one cycle through all of their kind."""
        value, size = 0, 1
        for n, at in zip(sizes, places, strict=True):
            value, size = value * n + at, size * n
        value = self.cycle(size, value)
        made: list[int] = []
        for n in reversed(sizes):
            value, at = divmod(value, n)
            made.append(at)
        return made[::-1]

    def _feistel(self, a: int, b: int, domain: bytes, x: int) -> int:
        left, right = divmod(x, b)
        for even, odd in _ROUNDS:
            left = (left + _round(self.key, even + domain, right)) % a
            right = (right + _round(self.key, odd + domain, left)) % b
        return left * b + right

    def _feistel_back(self, a: int, b: int, domain: bytes, y: int) -> int:
        left, right = divmod(y, b)
        for even, odd in _ROUNDS[::-1]:
            right = (right - _round(self.key, odd + domain, left)) % b
            left = (left - _round(self.key, even + domain, right)) % a
        return left * b + right


def _domain(n: int) -> tuple[int, int, bytes]:
    """Sizes of the two halves (a * b >= n, less than one row more) and the name of the domain."""
    a = isqrt(max(n - 1, 0)) + 1
    return a, -(-n // a), _framed(n)


def _round(key: bytes, place: bytes, half: int) -> int:
    raw = half.to_bytes((half.bit_length() + 7) // 8 or 1, "big")
    return int.from_bytes(blake2s(place + raw, key=key).digest(), "big")


@remembered
def _sub(key: bytes, labels: tuple[str | int, ...]) -> Scope:
    return Scope(hmac.digest(key, _frame(labels), "sha256"))


def root(key: bytes, tenant: str, epoch: str, policy: str) -> Scope:
    """The scope of a tenant in a key epoch under a named policy; linkage between epochs, tenants
    or policies (a limited data set and an expert's release) needs the key.
    """
    return Scope(key).sub("stream_deid.surrogate", tenant, epoch, policy)


def token(scope: Scope, value: str, length: int = 20) -> str:
    """A pseudonym of `value`: `length` characters of lower-case base 32 (5 bits each)."""
    digest = hmac.digest(scope.key, b"t" + value.encode(), "sha256")
    return base64.b32encode(digest).decode().lower()[:length]
