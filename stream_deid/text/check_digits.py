"""Check digits: what the other characters of a number say that they must be.

Numbers are without separators, in capitals. A function gives its number with the right check digits
(or nothing, where none fits), so a number is right where that changes nothing.

iban = country, check, account      ISO 13616; Spain's own two check digits too (CCC)
luhn = figures                      ISO/IEC 7812
vin  = 17 letters and figures       ISO 3779, 49 CFR 565
nif  = 8 figures letter             Real Decreto 1553/2005; [XYZ] 7 figures letter
curp, rfc                           Mexico: Instructivo Normativo of 2018; SAT
nss  = 12 figures                   Spain, Seguridad Social: modulo 97
dea  = 2 letters 7 figures          21 CFR 1301
modulo_11                           NHS Data Dictionary; Chile; Argentina
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from types import MappingProxyType

_DIGITS = "0123456789"
VIN_LETTERS = "ABCDEFGHJKLMNPRSTUVWXYZ"
"""All but I, O and Q."""
_VIN_VALUES = MappingProxyType(
    dict(zip(_DIGITS + VIN_LETTERS, map(int, _DIGITS + "12345678123457923456789"), strict=True))
)
_VIN_WEIGHTS = (8, 7, 6, 5, 4, 3, 2, 10, 0, 9, 8, 7, 6, 5, 4, 3, 2)
NIF_LETTERS = "TRWAGMYFPDXBNJZSQVHLCKE"
_CURP = MappingProxyType({c: i for i, c in enumerate(_DIGITS + "ABCDEFGHIJKLMNÑOPQRSTUVWXYZ")})
_RFC = MappingProxyType({c: i for i, c in enumerate(_DIGITS + "ABCDEFGHIJKLMN&OPQRSTUVWXYZ Ñ")})
_DEA = (1, 2, 1, 2, 1, 2)


def luhn(figures: str) -> bool:
    """Whether figures satisfy Luhn's check."""
    doubled = [sum(divmod(2 * int(d), 10)) for d in figures[-2::-2]]
    return (sum(doubled) + sum(map(int, figures[::-2]))) % 10 == 0


def ended(ending: str, good: Callable[[str], bool]) -> Callable[[str], str]:
    """Completes by the last character, one of `ending`."""
    return lambda n: next((n[:-1] + c for c in ending if good(n[:-1] + c)), "")


def mod_97(number: str) -> int:
    """A number, its letters as 10 to 35, modulo 97."""
    return int("".join(str(int(c, 36)) for c in number)) % 97


def iban(number: str) -> str:
    """An IBAN."""
    if number.startswith("ES"):
        number = number[:12] + _ccc(number[4:12], number[14:]) + number[14:]
    return f"{number[:2]}{98 - mod_97(number[4:] + number[:2] + '00'):02d}{number[4:]}"


def _ccc(bank: str, account: str) -> str:
    """Spain's check digits of bank and branch, and of the account (Banco de España)."""
    weights = (1, 2, 4, 8, 5, 10, 9, 7, 3, 6)
    sums = (
        sum(w * int(d) for w, d in zip(weights, n, strict=True)) for n in ("00" + bank, account)
    )
    return "".join(str((11 - total % 11) % 11 % 10 if total % 11 != 1 else 1) for total in sums)


def vin(number: str) -> str:
    """The number of a vehicle."""
    total = sum(w * _VIN_VALUES[c] for w, c in zip(_VIN_WEIGHTS, number, strict=True))
    return number[:8] + "0123456789X"[total % 11] + number[9:]


def nif(number: str) -> str:
    """A Spanish DNI or NIE."""
    first = str("XYZ".find(number[0])) if number[0] in "XYZ" else number[0]
    return number[:8] + NIF_LETTERS[int(first + number[1:8]) % 23]


def curp(number: str) -> str:
    """A Mexican CURP."""
    total = sum(_CURP[c] * (18 - i) for i, c in enumerate(number[:17]))
    return number[:17] + str(-total % 10)


def rfc(number: str) -> str:
    """A Mexican RFC, of a person or a company."""
    total = sum(_RFC[c] * (13 - i) for i, c in enumerate(number[:-1].rjust(12)))
    return number[:-1] + "0123456789A0"[11 - total % 11 if total % 11 else 11]


def nss(number: str) -> str:
    """A number of the Spanish social security."""
    province, running = number[:2], number[2:10]
    body = province + (running if running[0] != "0" else running[1:])
    return f"{number[:10]}{int(body) % 97:02d}"


def modulo_11(weights: Sequence[int], codes: str) -> Callable[[str], str]:
    """Completes by the last figure: `codes` of what is left modulo 11; a blank is none."""

    def complete(number: str) -> str:
        pairs = zip(reversed(number[:-1]), weights, strict=False)
        code = codes[sum(int(d) * w for d, w in pairs) % 11]
        return number[:-1] + code if code.strip() else ""

    return complete


def dea(number: str) -> bool:
    """Whether the last figure of a DEA number is right."""
    total = sum(w * int(d) for w, d in zip(_DEA, number[2:8], strict=True))
    return total % 10 == int(number[8])


rut = modulo_11((2, 3, 4, 5, 6, 7, 2, 3), "0K987654321")
nhs = modulo_11(range(2, 11), "0 987654321")
cuit = modulo_11((2, 3, 4, 5, 6, 7, 2, 3, 4, 5), "0 987654321")
"""Numbers of Chile, of the British NHS, of Argentina."""
