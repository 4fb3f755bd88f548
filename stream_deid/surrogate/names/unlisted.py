"""Surrogates of names that no list holds: listed names and compounds of the origin they sound of.

The origin is guessed from endings and letters (`origin_of`). The surrogate is drawn, keyed by the
scope and the canonical name, half of the time from the lists of that origin and else from
compounds of its own parts (English Thorn+bury, German Linden+thal, Basque Eche+garay, Italian
Bald+acci), so that it reads as a name, of the same origin. It never begins as the name does, and
has about its length. Names of other scripts are invented by pattern (`spelling`).

The map is not one to one over notes: two unlisted names of one patient meet with a chance of about
one in the size of the pool of their origin (`tests/unit/test_surrogate_names.py` bounds it). Within
one note `People` gives the later one its next draw, so that two people never become one there.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from itertools import pairwise

from stream_deid.lists.lexicon import load_list, load_names
from stream_deid.surrogate.keys import Scope
from stream_deid.surrogate.names.spelling import invent
from stream_deid.text.canonical import listed, name_key
from stream_deid.text.memo import remembered

_TRIES = 40
_NEAR = 3
_ENOUGH = 250
_ENDINGS: tuple[tuple[str, str], ...] = tuple(
    (origin, ending)
    for origin, endings in (
        ("armenian", "jian gian kian nian rian sian tian lian dian yan zian mian"),
        ("greek", "opoulos opulos akis idis iadis atos elis oglou akos"),
        ("polish", "ski ska sky wicz czyk czak cki cka niak szek arz ysz czek zyk iak"),
        ("slavic", "ov ova ev eva enko chuk iuk ovic ovich vych nyuk ykh shyn tsky"),
        ("scand", "sson sen qvist quist strom lund gaard gard dahl holm vik nes stad rud gren"),
        ("dutch", "stra sma ema inga huis huizen dijk dyk beek veld veen meijer voort wijk kamp"),
        ("german", """mann man berg berger stein steiner burg bach bacher bauer baum heim heimer
            hoff hofer haus hauser dorf meyer meier maier schmidt feld felder wald thal ecker egger
            tz sch lich tner ster kel bler gler mer necht rath horst hardt brecht"""),
        ("basque", """txea etxea echea aga ola eta etxe beitia goiti goitia garay gorri mendi zabal
            zabala tegi tegui urri iturri arri oechea uru uren oain arain goyen barrena enea txa
            tza itz gui ibar"""),
        ("italian", """ini elli etti ello ucci acci oni iani ardi aldi azzo ozzi uzzi otti ichi
            iello otto asso isi one gna cci zzi zza zzo glia gio nni tti lli llo rdo ggio
            arella"""),
        ("catalan", "uig ich ach ell oll afont alba oles ols itg arrat ull eu artí"),
        ("spanish", """ez iz oz az ado ada edo eda ero era illo illa ales ares enes uela uelo ano
            ana osa oso eros eras ejo eja ino ina eno ena ica ico igo iga ria rio dor
            ito ita ondo endo anza inos ente nte cio"""),
        ("indian", """nathan krishnan subramaniam murthy murti swamy swami lingam sundaram raman
            wala walla deep preet jit jeet bhai appa appan pillai kar dhar ddy rajan sekhar
            vasan anand ashwini pati iyer gowda vedi ndran thy akar eshwar"""),
        ("arabic", "ullah uddin eddine oui awi aoui idi een iddiq hman ouf dallah bari"),
        ("african", "chukwu kwu nwa neke yemi wale wole tunde dozie gbe kwe iwe mbe nde enga"),
    )
    for ending in endings.split()
)  # fmt: skip
_BY_ENDING = {ending: origin for origin, ending in reversed(_ENDINGS)}
_LONGEST_ENDING = max(map(len, _BY_ENDING))
_FEMALE = listed(
    "isha eisha asha ique iqua onda onya inda ella elle ette lyn lynn leigh bella leen een anne "
    "anna etta icia tricia trice niece nice elia issa essa isa ayah iyah sia nia ria"
)
_BLACK_FEMALE = listed("isha eisha asha ique iqua quita onda nique shea shae nae iyah toya wanna")
_BLACK_MALE = listed("vonte quan rell shawn marcus onte ante vious rius quavious quez drick")
_LISTS = {
    "spanish": ("family/hispanic",), "basque": ("family/hispanic",),
    "catalan": ("family/hispanic",), "italian": ("family/european",),
    "polish": ("family/european",), "slavic": ("family/european",),
    "greek": ("family/european",), "armenian": ("family/european",),
    "german": ("family/european",), "scand": ("family/european",),
    "dutch": ("family/european",), "indian": ("family/southasian",),
    "arabic": ("family/arabic",), "african": ("family/african",),
    "eastasian": ("family/eastasian",), "pacific": (), "anglo": ("family/anglo",),
    "female": ("given/anglo/F", "given/european/F"), "female.es": ("given/hispanic/F",),
    "black.F": ("given/black/F",), "black.M": ("given/black/M",),
}  # fmt: skip
_ALL_LISTED = frozenset({"female", "female.es", "eastasian"})
_AT_HOME = {
    ("spanish", "anglo"): "spanish", ("spanish", "german"): "spanish",
    ("spanish", "female"): "female.es",
}  # fmt: skip
_SOUND = {"female.es": "female"}
_HAWAIIAN = frozenset("aeiouhklmnpwfstv")


@remembered
def origin_of(key: str) -> str:  # noqa: PLR0911 - one return a rule, in order
    """The origin that a canonical name (plain letters) sounds of; `anglo` where nothing tells."""
    for origin, endings in (
        ("black.F", _BLACK_FEMALE),
        ("black.M", _BLACK_MALE),
    ):
        if key.endswith(endings) and len(key) > 4:
            return origin
    if key.startswith(("nk", "nd", "ng", "mb", "nw", "oluw", "chukw", "adeb")) and len(key) > 3:
        return "eastasian" if key.startswith("ng") else "african"
    if len(key) < 3 or key.startswith(("xi", "zh", "hsi", "tsu", "xu")):
        return "eastasian"
    if len(key) > 5 and key[-1] in "aeiou" and set(key) <= _HAWAIIAN and _open(key):
        return "pacific"
    if "tx" in key or key.startswith(("etx", "eche", "goiko", "iturr", "urrut")):
        return "basque"
    found = _by_ending(key)
    if found:
        return found if not (key.endswith(_FEMALE) and found != "polish") else "female"
    if key.endswith(_FEMALE) and len(key) > 4:
        return "female"
    return "german" if "sch" in key or "tz" in key else "anglo"


def _by_ending(key: str) -> str:
    """The origin of the longest listed ending before which two letters stand, or nothing."""
    longest = min(_LONGEST_ENDING, len(key) - 2)
    endings = (key[-size:] for size in range(longest, 0, -1))
    return next((_BY_ENDING[ending] for ending in endings if ending in _BY_ENDING), "")


def _open(key: str) -> bool:
    """Whether every consonant is followed by a vowel, and vowels are most of the name."""
    vowels = "aeiou"
    pairs = all(a in vowels or b in vowels for a, b in pairwise(key))
    return pairs and 2 * sum(c in vowels for c in key) > len(key) + 1


@cache
def _listed_names(origin: str) -> tuple[str, ...]:
    """The listed names of an origin, in a fixed order; some by the endings that sound like it."""
    wanted = _LISTS[origin]
    found: dict[str, None] = {}
    for key, (group, index) in sorted(load_names().place.items()):
        if group.label in wanted and (
            origin == "spanish" or "european" not in group.label or origin_of(key) == origin
            or origin == "female"
        ):  # fmt: skip
            found[group.names[index]] = None
    return tuple(found)


def compound(scope: Scope, origin: str) -> str:
    """A name of two keyed parts of an origin (`anglo`, `given.anglo.F`), or nothing where they
    don't go together.
    """
    lists = load_list("compounds")
    heads, tails = lists[f"{origin}.head"], lists[f"{origin}.tail"]
    head = heads[scope.integer(len(heads), "head")]
    tail = tails[scope.integer(len(tails), "tail")]
    if name_key(head)[-1] == name_key(tail)[0]:
        return "" if origin in {"anglo", "german"} else head + tail[1:]
    return "" if name_key(head).endswith(name_key(tail)) else head + tail


def _draw(scope: Scope, origin: str) -> str:
    lists = load_list("compounds")
    names = _listed_names(origin)
    composed = f"{origin}.head" in lists
    enough = len(names) >= _ENOUGH
    if names and (not composed or origin in _ALL_LISTED or (enough and scope.coin(0.5, "listed"))):
        return names[scope.integer(len(names), "which")]
    return compound(scope, origin)


def _prefixed(scope: Scope, key: str) -> str:
    """Mc, Mac and Fitz names keep their prefix, with another stem."""
    lists = load_list("compounds")
    for prefix, shown, kind in (("mc", "Mc", "mac.stem"), ("fitz", "Fitz", "fitz.stem")):
        if key.startswith(prefix) and len(key) >= len(prefix) + 3:
            stems = lists[kind]
            at = scope.integer(len(stems), "stem", key)
            stem = stems[at]
            if stem.lower()[0] == key[len(prefix)]:
                stem = stems[(at + 29) % len(stems)]
            return shown + stem
    return ""


def unlisted(scope: Scope, key: str, home: str = "anglo") -> str:
    """The surrogate of a canonical name that no list holds, with its own capitals and accents.

    `home` (`anglo`, `spanish`) is the origin where the name sounds of none.
    """
    if not (key.isascii() and key.isalpha()):
        return invent(scope, key).capitalize()
    prefixed = _prefixed(scope, key)
    if prefixed:
        return prefixed
    sound = origin_of(key)
    origin = _AT_HOME.get((home, sound), sound)
    return first_fitting(scope, key, lambda s: _draw(s, origin), lambda k: _reads_as(k, origin))


def first_fitting(
    scope: Scope, key: str, draw: Callable[[Scope], str], fits: Callable[[str], bool]
) -> str:
    """The first drawn name with another initial, about as long as `key`, whose own key `fits`.

    Failing that the first with another initial, or an invented one.
    """
    fallback = ""
    for step in range(_TRIES):
        value = draw(scope.sub("unlisted", key, step))
        folded = name_key(value)
        if not folded or folded[0] == key[0]:
            continue
        fallback = fallback or value
        if abs(len(folded) - len(key)) <= _NEAR and fits(folded):
            return value
    return fallback or invent(scope, key).capitalize()


def _reads_as(key: str, origin: str) -> bool:
    """Whether a surrogate sounds of its origin when it is read again; any does of `anglo`."""
    label = load_names().label(key)
    if origin == "anglo" or label in _LISTS.get(origin, ()):
        return True
    return origin_of(key) == _SOUND.get(origin, origin)
