"""New values for old ones, in the same written form; one `Redraw` serves one note once.

Equal values of a note stay equal, parts of a name stay parts of it, case, punctuation,
initials and length class stay. Anything whose form is not understood stays as it is.
"""

from __future__ import annotations

import random
import re
import string
from collections.abc import Callable, Mapping, Sequence

from stream_deid.lists.titles import affixes
from stream_deid.lists.vocabulary import Vocabulary
from stream_deid.training.data import calendar
from stream_deid.training.data import gazetteers as lists
from stream_deid.training.data.calendar import in_case
from stream_deid.training.data.corpora import WORD
from stream_deid.training.data.gazetteers import ORIGIN_WEIGHTS, ORIGINS, Gazetteers, proper
from stream_deid.training.data.patient_records import OwnPatient, is_patient

_LISTS = Vocabulary("redraw", "", "stream_deid.training")

PARTICLES = _LISTS.words("particles") | affixes("redraw")
STREET_WORDS = _LISTS.words("street_words") | Vocabulary("places_streets", "surrogates").words(
    "street_words"
)


class Redraw:
    """Draws for one note; `pool` holds other notes' values by label. What the record of
    `patient` has stands where the note's own patient was named first.
    """

    def __init__(
        self,
        rng: random.Random,
        gazetteers: Gazetteers,
        pool: Mapping[str, Sequence[str]],
        common: Mapping[str, frozenset[str]],
        language: str,
    ) -> None:
        self.patient: OwnPatient | None = None
        self.rng = rng
        self.lists = gazetteers
        self.pool = pool
        self.common = common
        self.spanish = language == "es"
        self._names: dict[str, str] = {}
        self._values: dict[tuple[str, str], str] = {}
        self._digits: dict[str, str] = {}
        self._origin = rng.choices(ORIGINS, ORIGIN_WEIGHTS)[0]

    def value(self, label: str, old: str) -> str:
        """The new value for `old`; the same for the same label and value within the note."""
        key = (label, old)
        if key not in self._values:
            new = self._of_record(label, old) or _HOW.get(label, Redraw._same)(self, old, label)
            sound = new and new == new.strip() and "[[" not in new
            self._values[key] = new if sound else old
        return self._values[key]

    def _of_record(self, label: str, old: str) -> str | None:
        """The record's place for the first of each label; names become its own one by one."""
        if self.patient is None:
            return None
        if is_patient(label) and not any(known == label for known, _ in self._values):
            for word, new in self.patient.name(old, PARTICLES).items():
                self._names.setdefault(word, new)
                self._names.setdefault(f"initial:{word[0]}", new[0].lower())
        new_place = self.patient.place(label, old)
        if new_place is None or new_place in self._values.values():
            return None
        return in_case(old, new_place)

    def _same(self, old: str, label: str) -> str:
        del label
        return old

    # -- names ---------------------------------------------------------------------------
    def person(self, old: str, label: str) -> str:
        """Each word of a name anew; initials follow the names that they stand for."""
        if label == "FAMILIARES_SUJETO_ASISTENCIA" and not any(w[0].isupper() for w in old.split()):
            return old
        words = WORD.findall(old)
        if len(words) == 1 and len(words[0]) <= 3 and (old.islower() or old.isupper()):
            return "".join(self._initial(c) for c in old)
        return WORD.sub(lambda m: self._name(m[0], words), old)

    def _initial(self, char: str) -> str:
        if not char.isalpha():
            return char
        known = self._names.get(f"initial:{char.lower()}")
        if known is None:
            known = self.rng.choice("abcdefghijklmnoprstvwyz")
            self._names[f"initial:{char.lower()}"] = known
        return known.upper() if char.isupper() else known

    def _name(self, word: str, words: Sequence[str]) -> str:
        lower = word.lower()
        if lower in PARTICLES and len(words) > 1:
            return word
        if len(word) == 1:
            return self._initial(word)
        if lower not in self._names:
            self._names[lower] = self._draw_name(lower, first=word == words[0])
            self._names.setdefault(f"initial:{lower[0]}", self._names[lower][0].lower())
        new = self._names[lower]
        if len(word) <= 3 and word.isupper() and len(words) > 1:
            return new.upper() if len(new) <= 5 else word
        return in_case(word, new)

    def _draw_name(self, lower: str, *, first: bool) -> str:
        share, sex = self.lists.given_share.get(lower, (0.35 if first else 0.1, "F"))
        if lower not in self.lists.given_share:
            sex = self.rng.choice("FM")
        given = self.rng.random() < share
        if self.spanish and self.rng.random() < 0.75:
            return self.rng.choice(lists.NOMBRES[sex] if given else lists.APELLIDOS)
        origin = "pcthispanic" if self.spanish else self._origin
        if self.rng.random() < 0.35:
            origin = self.rng.choices(ORIGINS, ORIGIN_WEIGHTS)[0]
        source = self.lists.given[(origin, sex)] if given else self.lists.surnames[origin]
        new = source.draw(self.rng)
        return new.capitalize() if given or lower.isupper() else proper(new, self.rng)

    # -- numbers -------------------------------------------------------------------------
    def digits(self, old: str, label: str) -> str:
        """Digit by digit; a value that ends another one of the note keeps doing so."""
        del label
        core = "".join(c for c in old if c.isdigit())
        if core not in self._digits:
            self._digits[core] = self._draw_digits(core)
        fresh = iter(self._digits[core])
        return "".join(next(fresh) if c.isdigit() else c for c in old)

    def _draw_digits(self, core: str) -> str:
        for known, new in self._digits.items():
            if len(core) >= 3 and len(known) > len(core) and known.endswith(core):
                return new[-len(core) :]
        zeros = len(core) - len(core.lstrip("0"))
        fresh = [self.rng.choice("0123456789") for _ in core]
        if fresh and core[0] != "0" and fresh[0] == "0":
            fresh[0] = self.rng.choice("123456789")
        if 0 < zeros < len(core) and self.rng.random() < 0.7:
            fresh[:zeros] = "0" * zeros
        return "".join(fresh)

    def code(self, old: str, label: str) -> str:
        """Digits, and upper-case letters of codes that hold a digit."""
        new = self.digits(old, label)
        if not any(c.isdigit() for c in old):
            return new
        words = [m.span() for m in re.finditer(r"[A-Za-z]{5,}|[a-z]{3,}", old)]
        out = list(new)
        for i, c in enumerate(old):
            letter = c in string.ascii_letters and not any(a <= i < b for a, b in words)
            if letter and self.rng.random() < 0.6:
                alphabet = string.ascii_uppercase if c.isupper() else string.ascii_lowercase
                out[i] = self.rng.choice(alphabet)
        return "".join(out)

    def phone(self, old: str, label: str) -> str:
        """New digits, sometimes in another usual form."""
        new = self.digits(old, label)
        plain = re.sub(r"\D", "", new)
        if (
            self.spanish
            or len(plain) != 10
            or self.rng.random() > 0.3
            or re.search("[a-zA-Z]", old)
        ):
            return new
        a, b, c = plain[:3], plain[3:6], plain[6:]
        forms = (
            f"({a}) {b}-{c}", f"{a}-{b}-{c}", f"{a}.{b}.{c}", f"{a} {b} {c}", f"{a}/{b}-{c}",
            f"{a}{b}{c}", f"({a}){b}-{c}", f"1-{a}-{b}-{c}", f"+1 {a} {b} {c}", f"{a} {b}-{c}",
        )  # fmt: skip
        return self.rng.choice(forms)

    def age(self, old: str, label: str) -> str:
        """Ages in digits, in their own class (90 and over or under)."""
        low, high = (90, 107) if label == "AGE" else (1, 89)

        def fresh(match: re.Match[str]) -> str:
            if len(match[0]) == 1 or (label != "AGE" and int(match[0]) < 10):
                return str(self.rng.randint(1, 9))
            return str(self.rng.randint(max(low, 10), high))

        return re.sub(r"(?<![\d.,])\d{1,3}(?![\d.,])", fresh, old, count=1)

    def calendar(self, old: str, label: str) -> str:
        """Dates, years, clock times and weekdays."""
        return calendar.redraw(self.rng, old, label, day_first=self.spanish)

    # -- places and organisations --------------------------------------------------------
    def city(self, old: str, label: str) -> str:
        """A town; Spanish postcodes stand under the same label and go by digits."""
        if any(c.isdigit() for c in old):
            return self.digits(old, label)
        tail = re.search(
            r"\s+(?:county|co\.?|parish|twp\.?|township|borough|city)$", old, re.IGNORECASE
        )
        if len(old) <= 3:
            return old
        if self.spanish:
            source = self.lists.latin_cities
        else:
            abroad = self.rng.random() < 0.12
            source = self.lists.world_cities if abroad else self.lists.us_cities
        new = source.draw(self.rng)
        return in_case(old, new + (tail[0] if tail else ""))

    def state(self, old: str, label: str) -> str:
        """US states, abbreviated or in full."""
        if old.upper() in lists.US_STATES and len(old) == 2:
            return in_case(old, self.rng.choice(list(lists.US_STATES)))
        names = list(lists.US_STATES.values())
        if old.title() in names:
            return in_case(old, self.rng.choice(names))
        return self._same(old, label)

    def country(self, old: str, label: str) -> str:
        """A country."""
        if any(c.isdigit() for c in old) or len(old) <= 3 or self.rng.random() < 0.4:
            return old
        return in_case(old, self.rng.choice(lists.PAISES if label == "PAIS" else lists.COUNTRIES))

    def street(self, old: str, label: str) -> str:
        """House numbers by digits; the street's name from others."""
        new = self.digits(old, label)
        words = list(WORD.finditer(new))
        heads = [m for m in words if m[0].lower() not in STREET_WORDS and len(m[0]) > 2]
        if not heads or self.rng.random() < 0.15:
            return new
        name = self._place_word() if self.spanish else self.rng.choice(self.lists.streets)
        if name.lower() in STREET_WORDS:
            return new
        start, end = heads[0].start(), heads[-1].end()
        if any(c.isdigit() for c in new[start:end]):
            end = heads[0].end()
        return new[:start] + in_case(new[start:end], name) + new[end:]

    def _place_word(self) -> str:
        if self.spanish:
            pick = self.rng.random()
            if pick < 0.5:
                first = self.rng.choice(lists.NOMBRES[self.rng.choice("FM")])
                return f"{first} {self.rng.choice(lists.APELLIDOS)}"
            if pick < 0.75:
                return self.rng.choice(lists.APELLIDOS)
            return self.lists.latin_cities.draw(self.rng)
        pick = self.rng.random()
        if pick < 0.4:
            return proper(self.lists.surnames[self._origin].draw(self.rng), self.rng)
        if pick < 0.7:
            return self.lists.us_cities.draw(self.rng)
        return self.rng.choice(self.lists.streets)

    def organisation(self, old: str, label: str) -> str:
        """Another note's value, or this one with its proper-noun head replaced."""
        pool = self.pool.get(label, ())
        if pool and self.rng.random() < 0.5:
            near = [self.rng.choice(pool) for _ in range(6)]
            near.sort(key=lambda v: abs(len(v.split()) - len(old.split())))
            return near[0] if not old.isupper() else near[0].upper()
        new = self.digits(old, label)
        common = self.common.get(label, frozenset())
        heads = [
            m for m in WORD.finditer(new)
            if m[0].lower() not in common and m[0].lower() not in PARTICLES and len(m[0]) > 3
        ]  # fmt: skip
        if not heads:
            return new
        head = heads[0]
        return new[: head.start()] + in_case(head[0], self._place_word()) + new[head.end() :]

    def place(self, old: str, label: str) -> str:
        """Rooms and beds by digits and letters, landmarks as organisations."""
        if any(c.isdigit() for c in old):
            return self.code(old, label)
        if len(old) == 1 and old.isalpha():
            return in_case(old, self.rng.choice("ABCDEFGH"))
        return self.organisation(old, label)

    def profession(self, old: str, label: str) -> str:
        """Another noun for a job, where the old one reads like a noun."""
        if self.spanish or len(old.split()) > 3 or old.split(maxsplit=1)[0].endswith("s"):
            return old
        if self.rng.random() < 0.5:
            return in_case(old, self.rng.choice(self.pool.get(label) or lists.PROFESSIONS))
        return in_case(old, self.rng.choice(lists.PROFESSIONS))

    # -- addresses on the net ------------------------------------------------------------
    def account(self, old: str, label: str) -> str:
        """User names, e-mail and web addresses: names and heads inside them anew."""
        new = self.digits(old, label) if label != "URL" else self.code(old, label)
        return re.sub(r"[A-Za-z]{4,}", lambda m: self._handle(m[0]), new)

    def _handle(self, run: str) -> str:
        lower = run.lower()
        if lower in _NET_WORDS:
            return run
        for cut in (0, 1, 2):
            known = self._names.get(lower[cut:])
            if known and len(lower) - cut >= 3:
                head = "".join(self._initial(c) for c in lower[:cut])
                return in_case(run, head + re.sub(r"\W", "", known).lower())
        if self.rng.random() < 0.4:
            return run
        fresh = re.sub(r"\W", "", self._place_word()).lower()
        if len(lower) < 9:
            fresh = lower[0] + fresh[: self.rng.randint(4, 7)]
        return in_case(run, fresh)


_NET_WORDS = _LISTS.words("net_words")

_How = Callable[[Redraw, str, str], str]
_GROUPS: tuple[tuple[_How, str], ...] = (
    (Redraw.person, ("PATIENT DOCTOR NOMBRE_SUJETO_ASISTENCIA NOMBRE_PERSONAL_SANITARIO "
     "FAMILIARES_SUJETO_ASISTENCIA")),
    (Redraw.digits, "ZIP SSN IPADDR DIREC_PROT_INTERNET ID_ASEGURAMIENTO"),
    (Redraw.phone, "PHONE FAX PAGER NUMERO_TELEFONO NUMERO_FAX"),
    (Redraw.code, ("MEDICALRECORD HEALTHPLAN ACCOUNT LICENSE VEHICLE DEVICE BIOID IDNUM "
     "ID_SUJETO_ASISTENCIA ID_CONTACTO_ASISTENCIAL ID_TITULACION_PERSONAL_SANITARIO "
     "NUMERO_BENEF_PLAN_SALUD IDENTIF_VEHICULOS_NRSERIE_PLACAS IDENTIF_DISPOSITIVOS_NRSERIE "
     "IDENTIF_BIOMETRICOS OTRO_NUMERO_IDENTIF")),
    (Redraw.age, "AGE AGE_U90 EDAD_SUJETO_ASISTENCIA"),
    (Redraw.calendar, "DATE FECHAS YEAR TIME WEEKDAY"),
    (Redraw.city, "CITY TERRITORIO"), (Redraw.state, "STATE"), (Redraw.country, "COUNTRY PAIS"),
    (Redraw.street, "STREET CALLE"),
    (Redraw.organisation, "HOSPITAL ORGANIZATION CENTRO_SALUD INSTITUCION"),
    (Redraw.place, "LOCATION_OTHER"), (Redraw.profession, "PROFESSION"),
    (Redraw.account, "EMAIL URL USERNAME CORREO_ELECTRONICO URL_WEB ID_EMPLEO_PERSONAL_SANITARIO"),
)  # fmt: skip
_HOW: Mapping[str, _How] = {label: how for how, labels in _GROUPS for label in labels.split()}
