"""Numbers behind a label, Spanish: identity documents, records, insurance, licences, devices.

dni  = 8 digits check letter            the letter is checked, unless a label stands before it
nie  = [XYZ] 7 digits check letter
curp = 4 letters 6 digits 6 letters 2   Mexico
rfc  = 4 letters 6 digits 3             Mexico
rut  = 7 or 8 digits "-" check digit    Chile (modulo 11)
cuit = 2 digits 8 digits 1              Argentina
others by label, as in `labelled`
"""

from __future__ import annotations

from functools import partial

from stream_deid.detect.patterns.base import Context, Hit, Pattern, whole
from stream_deid.detect.patterns.ids.forms import code, long_number
from stream_deid.detect.patterns.ids.labelled import LOT, label, labelled
from stream_deid.detect.patterns.ids.social_security import ssn
from stream_deid.detect.patterns.ids.values import last_figures
from stream_deid.labels import PhiType
from stream_deid.lists.numbers import TEN_TO_TWENTY_ES, TENS_ES, TWO_TO_NINE_ES
from stream_deid.lists.vocabulary import Vocabulary
from stream_deid.text import check_digits

_WORDS = Vocabulary("ids_es")
_SHORT_ROOMS = _WORDS.words("short_rooms")
_NO_USERS = _WORDS.words("no_users")

T = PhiType
_SEP = (
    rf"(?:[ \t]*(?:(?i:{_WORDS['label_joints']})\b\.?"
    r"|[:#.=\-|>(]|\"|'))*[ \t]*\n?[ \t]*"
)


_label = partial(label, sep=_SEP)


def dni(hit: Hit) -> bool:
    """Eight digits and the letter that they give modulo 23 (Real Decreto 1553/2005)."""
    value = "".join(c for c in hit.value.upper() if c.isalnum())
    return whole(hit) and value[:8].isdecimal() and check_digits.nif(value) == value


def nie(hit: Hit) -> bool:
    value = "".join(c for c in hit.value.upper() if c.isalnum())
    return (
        whole(hit)
        and value[1:8].isdecimal()
        and (check_digits.nif(value) == value or "ie" in hit.before(8).lower())
    )


def rut(hit: Hit) -> bool:
    """Chile's modulo 11 check digit, or a label before it."""
    value = "".join(c for c in hit.value.upper() if c.isalnum())
    return whole(hit) and (check_digits.rut(value) == value or "ru" in hit.before(8).lower())


def licence(hit: Hit) -> bool | int:
    """A number behind the label of a licence; behind a number "cm" is a unit ("128 cm (p50)")."""
    return not _UNIT_LABEL.search(hit.before(12)) and labelled(4)(hit)


_UNIT_LABEL = Context(r"(?i)\d[ ]?(?:cm|mb|rm)[ .:=(#-]*$")


_PERSON = rf"{_WORDS['persons']}"
_INSURE = rf"{_WORDS['insured']}"
_PLAN = rf"{_WORDS['plans']}"
_VISIT = rf"{_WORDS['visits']}"
_LICENCE = rf"{_WORDS['licences']}"
_JOB = rf"{_WORDS['staff']}"
_DEVICE = rf"{_WORDS['devices']}"
_VEHICLE = rf"{_WORDS['vehicles']}"
_CASE = rf"{_WORDS['cases']}"
_BIOMETRIC = (
    rf"(?:{_WORDS['scans']})[ ](?:de[ ](?:la[ ])?)?(?:{_WORDS['bodies']})|{_WORDS['biometrics']}"
)
_ROOM = rf"(?:{_WORDS['rooms']})"
_ID, _ASEG, _BEN = "ID_SUJETO_ASISTENCIA", "ID_ASEGURAMIENTO", "NUMERO_BENEF_PLAN_SALUD"
_TIT, _EMP, _OTRO = (
    "ID_TITULACION_PERSONAL_SANITARIO",
    "ID_EMPLEO_PERSONAL_SANITARIO",
    "OTRO_NUMERO_IDENTIF",
)
_BIO = "IDENTIF_BIOMETRICOS"
_DEV, _VEH = "IDENTIF_DISPOSITIVOS_NRSERIE", "IDENTIF_VEHICULOS_NRSERIE_PLACAS"
_DOTTED = r"(?P<v>[A-Za-z]{0,2}-?\d{1,3}(?:[. ]\d{3}){1,3}(?:-[0-9A-Za-z])?)"


def bare_plate(hit: Hit) -> bool:
    """A plate by its form; no year or value beside an abbreviation ("2010 TVP")."""
    return whole(hit) and not (" " in hit.value and hit.value[-3:].lower() in _NO_PLATE)


_NO_PLATE = _WORDS.words("no_plate")


def plate(hit: Hit) -> bool:
    """A plate behind a word for a vehicle; no platelets, no range of a sliding scale."""
    head = hit.before(24).lower()
    platelets = "placas" in head and hit.value.isdecimal()
    vitamin = "unidad" in head and _VITAMIN.match(hit.value)
    return whole(hit) and not (platelets or vitamin or _SLIDING.search(head))


def labelled_plate(hit: Hit) -> bool | int:
    """What stands behind the label of a plate."""
    return plate(hit) and labelled(3)(hit)


_SLIDING = Context(r"\b(?:pauta|escala|insulina)[ ]movil\b[ :,(]*$")


def room(hit: Hit) -> bool:
    if (
        not whole(hit)
        or hit.after(1) in (":", "%")
        or (hit.after(1) == ")" and "(" not in hit.before(12))  # "Piezas: 1) colon; 2) borde"
        or (hit.after(1) in ",." and hit.after(2)[1:].isdecimal())
    ):
        return False
    label = hit.groups["label"].lower()
    if _SPAN.match(hit.after(8)) or (label == "pieza" and _TOOTH.match(hit.value)):
        return False
    if label == "cuna" and _WEDGE.search(hit.before(40)):
        return False
    if label.startswith("unidad") and _VITAMIN.match(hit.value):
        return False
    if hit.value.isalpha():
        return (
            len(hit.value) == 1
            and hit.value.isupper()
            and label.startswith(("box", "cama", "sala", "cuarto", "hab"))
        )
    return label not in _SHORT_ROOMS or hit.value[-1:].isalpha() or len(hit.value) > 2


_SPAN = Context(r"(?i)^[ ]?(?:d|dias?|ui|u|h|hs|horas?|sem|semanas|meses)\b")
_WEDGE = Context(r"(?i)\b(?:swan|ganz|pcp|pap|pcap|pvc|enclavamiento|pulmonar|cm)\b")
"""Beside a pressure ("cuña"), which a view writes like a crib ("cuna")."""
_VITAMIN = Context(r"^[BD]\d{1,2}$")
_TOOTH = Context(r"^[1-8][1-8]$")
"""A tooth as dentists number it (ISO 3950)."""


def login(hit: Hit) -> bool:
    value = hit.value
    return (
        whole(hit)
        and (
            any(c.isdecimal() or c in "._" for c in value)
            or value.isupper()
            or (value.islower() and len(value) > 5 and hit.before(2).strip() in (":", "="))
        )
        and value.lower() not in _NO_USERS
    )


def serial(hit: Hit) -> bool:
    """A serial after "s/n", which in an address says that the house has no number."""
    return (
        whole(hit)
        and any(c.isalpha() for c in hit.value)
        and any(c.isdecimal() for c in hit.value)
        and hit.value[:2] != "E-"
    )


def device(hit: Hit) -> bool | int:
    """A number behind the label of a device, and no model before its own ("5008S nº serie 4VC")."""
    return not _SERIAL_AFTER.match(hit.after(20)) and labelled(3)(hit)


_SERIAL_AFTER = Context(
    r"(?i)^[ \t,;(]{1,3}(?:(?:con[ ])?(?:n\.?o?|num(?:ero)?\.?)?[ ]?(?:de[ ])?serie|n/s|s/n|sn)\b"
)


def numbered(hit: Hit) -> bool:
    """A number behind the label of a case; no range of reference ("referencia: 89-215"), no date
    behind a letter for the night ("Turno N 12-08-24").
    """
    dated = hit.value[:2].upper() == "N " and _DATED.match(hit.value) is not None
    return bool(labelled(4)(hit)) and not dated and not _REFERENCE.search(hit.before(48))


_DATED = Context(r"(?i)^n (?:0?[1-9]|[12]\d|3[01])[-/](?:0?[1-9]|1[0-2])[-/](?:20)?\d\d$")
_REFERENCE = Context(
    r"(?i)\b(?:intervalos?|rangos?|valor(?:es)?|cifras|limites?)[ ](?:normal(?:es)?[ ])?de[ ]ref"
    r"(?:erencia)?\.?[ \t:=(]*$"
)


_SAID = (
    rf"(?:(?:cero|un[oa]?|{TWO_TO_NINE_ES}|{TEN_TO_TWENTY_ES}|veinti[a-z]{{2,6}}|{TENS_ES}"
    rf"|{_WORDS['hundreds']})\b)"
)

IDS = (
    Pattern(
        "serie", 1, T.DEVICE,
        r"\bs/n[ :]{1,3}(?P<v>[A-Z0-9][A-Z0-9-]{4,})",
        serial, ("s/n",), 0.9, "IDENTIF_DISPOSITIVOS_NRSERIE",
    ),
    Pattern(
        "dni", 1, T.MEDICALRECORD,
        r"(?P<v>\d{8}[ -]?[A-Za-z]|\d{2}\.\d{3}\.\d{3}[ -]?[A-Za-z])",
        dni, label=_ID,
    ),
    Pattern("nie", 1, T.MEDICALRECORD, r"(?P<v>[XYZxyz][ -]?\d{7}[ -]?[A-Za-z])", nie, label=_ID),
    Pattern(
        "curp", 1, T.MEDICALRECORD,
        r"(?P<v>[A-Z]{4}\d{6}[HMX][A-Z]{5}[A-Z0-9]\d)",
        whole, label=_ID,
    ),
    Pattern(
        "rfc", 1, T.MEDICALRECORD,
        r"(?P<v>[A-Z]{4}-?\d{6}-?(?:[A-Z0-9]{3}|/\d[A-Z0-9]?))",
        whole, (), 0.7, _ID,
    ),
    Pattern(
        "rut", 1, T.MEDICALRECORD,
        r"(?P<v>\d{1,2}\.\d{3}\.\d{3}-[0-9Kk]|\d{7,8}-[0-9Kk])",
        rut, ("-",), label=_ID,
    ),
    Pattern("documento", 1, T.MEDICALRECORD, _label(_PERSON, _DOTTED), labelled(4), label=_ID),
    Pattern("documento", 1, T.MEDICALRECORD, _label(_PERSON), labelled(4), label=_ID),
    Pattern(
        "documento-hablado", 1, T.MEDICALRECORD,
        rf"(?i)\b(?:{_WORDS['spoken_labels']})(?:[ ,:]+(?:{_WORDS['before_spoken']}))*[ ,:]+"
        rf"(?P<v>{_SAID}(?:,?[ ]+(?:(?:{_WORDS['signs']})[ ]+)?{_SAID}){{3,}}"
        rf"(?:,?[ ]+(?:{_WORDS['signs']}|letra)[ ]+(?:[a-z]\b|{_SAID}))?)",
        whole, (), 0.9, _ID,
    ),
    Pattern("nuhsa", 1, T.MEDICALRECORD, r"(?P<v>AN\d{10})", whole, ("an",), label=_ID),
    Pattern(
        "curp-rh", 1, T.MEDICALRECORD,
        r"(?P<v>\d{4}[ -]?\d{5}[ -]?\d{4})",
        lambda h: whole(h) and "-" + h.value[-5:-4] != "", (), 0.4, _ID,
    ),
    Pattern(
        "ssn-masked", 1, T.SSN,
        r"(?i)(?:[x*#]{3}-?[x*#]{2}-)(?P<v>\d{4})",
        whole, ("xx", "**", "##"), 0.9, _ASEG,
    ),
    Pattern("ssn", 1, T.SSN, r"(?P<v>\d{3}-\d{2}-\d{4})", ssn, ("-",), 0.9, _ASEG),
    Pattern("seguro", 1, T.HEALTHPLAN, _label(_INSURE), labelled(6), label=_ASEG),
    Pattern(
        "naf", 1, T.HEALTHPLAN,
        r"(?P<v>\d{2}[/ -]\d{7,8}[/ -]\d{2}|\d{2}/\d{10})",
        whole, ("/", " ", "-"), 0.9, _ASEG,
    ),
    Pattern("poliza", 1, T.HEALTHPLAN, _label(_PLAN), labelled(5), label=_BEN),
    Pattern("episodio", 1, T.ACCOUNT, _label(_VISIT), labelled(4), label="ID_CONTACTO_ASISTENCIAL"),
    Pattern("colegiado", 1, T.LICENSE, _label(_LICENCE), licence, (), 1.0, _TIT),
    Pattern(
        "colegiado", 1, T.LICENSE,
        _label(
            _LICENCE,
            r"(?P<v>\d{2}[ /-]?\d{2}[ /-]?\d{4,5}|\d{2}/\d{1,2}[. ]?\d{3,5}"
            r"|\d{1,3}\.\d{3}(?:/\d)?)",
        ),
        whole, (), 1.0, _TIT,
    ),
    Pattern(
        "usuario", 1, T.USERNAME,
        rf"(?i)\b(?:{_JOB})[ \t]*[:=]?[ \t]*(?P<v>[a-z][a-z0-9._-]{{2,}}[a-z0-9])",
        login, ("usu", "user", "login", "cod", "emp"), 0.9, _EMP,
    ),
    Pattern("usuario", 1, T.USERNAME, _label(_JOB), labelled(3), (), 0.8, _EMP),
    Pattern("serie", 1, T.DEVICE, _label(_DEVICE), device, label=_DEV),
    Pattern("lote", 1, T.DEVICE, LOT, whole, ("lot",), label=_DEV),
    Pattern("matricula", 1, T.VEHICLE, _label(_VEHICLE), labelled_plate, label=_VEH),
    Pattern(
        "matricula", 1, T.VEHICLE,
        r"(?P<v>\d{4}[ -]?[BCDFGHJKLMNPRSTVWXYZ]{3}|[A-Z]{1,2}-\d{4}-[A-Z]{1,2})",
        bare_plate, (), 0.8, _VEH,
    ),
    Pattern(
        "matricula", 1, T.VEHICLE,
        rf"(?i:{_WORDS['plates']})(?:[ ](?:[a-z]{{3,}}|\())?[ (:,]{{1,3}}"
        r"(?P<v>[A-Z]{1,4}[- ]?\d{2,4}(?:[- ]?[A-Z]{1,3})?(?:-\d{2,3})?|\d{2,4}[- ]?[A-Z]{1,3}"
        r"|[A-Z]{3}\d{2}[A-Z]|[A-Z]{1,2}[- ]\d{4}[- ][A-Z]{1,3}|N\d{2,3}[A-Z]{2})",
        plate, (), 0.8, _VEH,
    ),
    Pattern("biometria", 1, T.BIOID, _label(_BIOMETRIC), labelled(3), (), 1.0, _BIO),
    Pattern("numero", 1, T.IDNUM, _label(_CASE), numbered, (), 0.9, _OTRO),
    Pattern(
        "habitacion", 1, T.IDNUM,
        rf"(?:^|[^A-Za-z0-9])(?i:(?P<label>{_ROOM})s?)"
        r"(?:[ \t]*(?:n\.?o\.?|num\.?|nro\.?|\#|[:.=]))*[ \t]*"
        r"(?P<v>\d{1,4}(?:[ .-]?[A-Z](?:-?\d)?\b|-\d{1,3}[A-Z]?)?|[A-Z]{1,2}-?\d{1,3}[A-Z]?"
        r"|[A-Z]\b)",
        room, (), 0.8, _OTRO,
    ),
    Pattern(
        "numero-final", 1, T.IDNUM,
        rf"(?i)\b(?:{_WORDS['ends_in']})[ ]*:?[ ]+(?P<v>\d{{3,6}})", last_figures, (), 0.9, _OTRO,
    ),
    Pattern(
        "numero-final", 1, T.IDNUM,
        rf"(?i)\b(?:{_WORDS['numbered']})\b[^.\n0-9]{{0,14}}\b(?:{_WORDS['ends_in']})[ ]*:?[ ]+"
        r"(?P<v>\d\d)", last_figures, (), 0.9, _OTRO,
    ),
    Pattern(
        "numero-final", 1, T.IDNUM,
        rf"(?i)\b(?:{_WORDS['last_two']})(?:[ ](?:son|del?[ ]\w{{2,12}}))?[ ]*:?[ ]+(?P<v>\d\d)",
        last_figures, ("ltim",), 0.9, _OTRO,
    ),
    Pattern(
        "numero-suelto", 1, T.IDNUM,
        r"(?P<v>\d{6,14}(?:-\d{1,3})?)",
        long_number, (), 0.4, _OTRO,
    ),
    Pattern(
        "codigo", 1, T.IDNUM,
        r"(?P<v>[A-Z]{1,5}\d{5,12}|[A-Z]{1,5}-\d{4,10}(?:-[A-Z0-9]{1,4})?"
        r"|[A-Z]{1,5}\d{0,2}-\d{2,4}-\d{3,7}(?:-[A-Z0-9]{1,4})?|\d{2}-\d{4,7}|\d{2,4}-[A-Z]{1,3}"
        r"-\d{3,6})",
        code, (), 0.4, _OTRO,
    ),
    Pattern(
        "muestra", 1, T.IDNUM,
        r"(?P<v>[A-Z]{1,4}\d{2}[-/]\d{4,6}(?:-\d{1,3})?)",
        whole, ("-", "/"), 0.6, _OTRO,
    ),
)  # fmt: skip
