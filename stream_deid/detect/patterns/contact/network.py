"""Addresses of networks: mail, web, IP and hardware.

mail = local ("@" | "(at)" | " at ") host            "rosa (at) maple.org"
url  = scheme "://" rest | "www." rest | host "." top-level-domain [path]
ip   = four bytes | hexadecimal groups               "10.4.0.17", "fe80::1"
mac  = six pairs of hexadecimal digits
handle = network "@" name | "@" name "on" network     "Instagram: @rosa.maple"
call   = ("call sign" | "ham radio" | ...) sign         "call sign K7QRX"
wallet = what coins are sent to                       "1BoatSLRHtKNngkdXEeobR76b53LETtpyT"
"""

from __future__ import annotations

from stream_deid.detect.patterns.base import Context, Hit, Pattern, whole
from stream_deid.labels import PhiType
from stream_deid.lists.vocabulary import Vocabulary

_WORDS = Vocabulary("contact")
_SURE_DOMAINS = _WORDS.words("sure_domains")
_DOMAINS_OR_WORDS = _WORDS.words("domains_or_words")
_TLD = rf"(?:{_WORDS['top_level']})"
_VERSION = Context(rf"(?i)(?:{_WORDS['versions']})\.?:?[ \t]*$")


def ip4(hit: Hit) -> bool:
    parts = hit.value.split(".")
    if not whole(hit) or any(int(p) > 255 for p in parts):
        return False
    if hit.before(1) == "." or (hit.after(1) == "." and hit.after(2)[1:].isdecimal()):
        return False
    small = all(int(p) <= 15 for p in parts) and parts[0] != "10"
    return not small and not _VERSION.search(hit.before(10))


def ip6(hit: Hit) -> bool:
    value = hit.value
    return (
        value.count(":") >= 3 and (value.count(":") == 7 or "::" in value) and hit.before(1) != ":"
    )


def mac(hit: Hit) -> bool:
    """Twelve hexadecimal digits, one of them a letter; no row of readings ("45-45-40-40-55-65")."""
    letters = any(c.isalpha() for c in hit.value) or "mac" in hit.before(12).lower()
    return whole(hit) and letters


def mail(hit: Hit) -> bool:
    return hit.before(2) != "//"


def url(hit: Hit) -> bool:
    return not hit.before(1).isalnum() and hit.before(1) != "@"


def alone(hit: Hit) -> bool:
    """A name behind its sign, and no mail's host."""
    return whole(hit) and not hit.before(2)[:1].isalnum() and hit.after(1) != "@"


def wallet(hit: Hit) -> bool:
    """Letters and figures of an address that money is sent to; no run of figures, no word."""
    letters = sum(c.isalpha() for c in hit.value)
    return whole(hit) and 5 <= letters <= len(hit.value) - 3


def _bare_host(hit: Hit) -> bool:
    value = hit.value.lower()
    if (
        hit.before(1).isalnum()
        or hit.before(1) in ("@", ".", "/", "_", "-", "+")
        or hit.after(1) in ("@", "_")
    ):
        return False
    if hit.after(1).isalnum() or (hit.after(1) == "-" and hit.after(2)[1:].isalnum()):
        return False
    host = value.split("/", 1)[0]
    last = host.rsplit(".", 1)[1]
    if "/" in value and len(host) > 4:
        return True
    if last in _SURE_DOMAINS:
        return len(host) > 6
    return host.count(".") >= 2 and len(host) > 8 and last not in _DOMAINS_OR_WORDS


NETWORK = (
    Pattern(
        "email", 1, PhiType.EMAIL,
        r"(?P<v>[A-Za-z0-9_.+%'-]*[A-Za-z0-9_+%'-](?:@|[ \t]?[\[(](?:at|AT|arroba)[\])][ \t]?)"
        r"[A-Za-z0-9-]+(?:(?:\.|[ \t]?[\[(](?:dot|punto)[\])][ \t]?)[A-Za-z0-9-]+)*"
        r"(?:\.|[ \t]?[\[(](?:dot|punto)[\])][ \t]?)[A-Za-z]{2,})",
        mail, ("@", "(at)", "[at]", "arroba"),
    ),
    Pattern(
        "email", 1, PhiType.EMAIL,
        r"(?P<v>[A-Za-z][A-Za-z0-9_.+-]+(?:[ \t]@[ \t]?|@[ \t])[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)*\."
        rf"{_TLD})",
        mail, ("@",),
    ),
    Pattern(
        "email", 1, PhiType.EMAIL,
        r"(?i)(?P<v>[a-z0-9._-]+[ \t]+(?:at|arroba)[ \t]+[a-z0-9-]+"
        r"(?:[ \t]+(?:dot|punto)[ \t]+[a-z]{2,})+)",
        whole, (" dot ", " punto "),
    ),
    Pattern(
        "url", 1, PhiType.URL,
        r"(?i)(?P<v>(?:(?:https?|ftp|sftp|wss?)://|www\.)[^\s<>\"'\[\](){}|,;]+"
        r"[^\s<>\"'\[\](){}|,;.:!?])",
        url, ("://", "www."),
    ),
    Pattern(
        "url", 1, PhiType.URL,
        rf"(?i)(?P<v>(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+{_TLD}"
        r"(?:/[^\s<>\"'\[\](){}|,;]*[^\s<>\"'\[\](){}|,;.:!?]|/)?)",
        _bare_host, (".",), 0.9,
    ),
    Pattern(
        "handle", 1, PhiType.USERNAME,
        rf"(?i)\b(?:{_WORDS['networks']})\b[^\n@]{{0,16}}@(?P<v>[a-z0-9_][a-z0-9_.]{{1,28}}[a-z0-9_])",
        alone, ("@",), 0.9,
    ),
    Pattern(
        "handle", 1, PhiType.USERNAME,
        r"(?i)@(?P<v>[a-z0-9_][a-z0-9_.]{1,28}[a-z0-9_])[ ,(]{1,2}(?:on|en|in)[ ]"
        rf"(?:{_WORDS['networks']})\b",
        alone, ("@",), 0.9,
    ),
    Pattern(
        "call-sign", 1, PhiType.LICENSE,
        rf"(?i)\b(?:{_WORDS['radio']})\b[ :,(#]{{1,3}}(?:is[ ]|es[ ])?"
        r"(?-i:(?P<v>[A-Z]{1,2}\d[A-Z]{1,4}))\b",
        whole, ("ham ", "call", "radio", "indicativo"), 0.9,
    ),
    Pattern(
        "wallet", 1, PhiType.ACCOUNT,
        r"(?P<v>bc1[a-z0-9]{25,60}|[13][1-9A-HJ-NP-Za-km-z]{25,34}|0x[0-9a-fA-F]{40})",
        wallet, ("1", "3", "0x"),
    ),
    Pattern("ip", 1, PhiType.IPADDR, r"(?P<v>\d{1,3}\.\d{1,3}\.\d{1,3}\.\d{1,3})", ip4, (".",)),
    Pattern(
        "ip", 1, PhiType.IPADDR,
        r"(?P<v>(?:[0-9A-Fa-f]{1,4}:|:){2,7}(?::?[0-9A-Fa-f]{1,4}))",
        ip6, (":",),
    ),
    Pattern(
        "mac", 1, PhiType.DEVICE,
        r"(?P<v>[0-9A-Fa-f]{2}(?:[:-][0-9A-Fa-f]{2}){5})",
        mac, (":", "-"),
    ),
)  # fmt: skip
