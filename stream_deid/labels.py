"""PHI types, their groups and priorities, and their names in published guidelines.

The types are those of the i2b2/UTHealth 2014 guideline (Stubbs & Uzuner 2015), with RELATIVE,
SEX and OTHER added for the MEDDOCAN guideline (Marimon et al. 2019). Groups A, B and C are
those of table 1 of the nference paper (Murugadoss et al. 2021).
"""

from __future__ import annotations

from enum import StrEnum
from types import MappingProxyType


class PhiType(StrEnum):
    """What kind of identifier a span is."""

    PATIENT = "PATIENT"
    DOCTOR = "DOCTOR"
    USERNAME = "USERNAME"
    PROFESSION = "PROFESSION"
    HOSPITAL = "HOSPITAL"
    ORGANIZATION = "ORGANIZATION"
    STREET = "STREET"
    CITY = "CITY"
    STATE = "STATE"
    COUNTRY = "COUNTRY"
    ZIP = "ZIP"
    LOCATION_OTHER = "LOCATION_OTHER"
    AGE = "AGE"
    DATE = "DATE"
    PHONE = "PHONE"
    FAX = "FAX"
    EMAIL = "EMAIL"
    URL = "URL"
    IPADDR = "IPADDR"
    SSN = "SSN"
    MEDICALRECORD = "MEDICALRECORD"
    HEALTHPLAN = "HEALTHPLAN"
    ACCOUNT = "ACCOUNT"
    LICENSE = "LICENSE"
    VEHICLE = "VEHICLE"
    DEVICE = "DEVICE"
    BIOID = "BIOID"
    IDNUM = "IDNUM"
    RELATIVE = "RELATIVE"
    SEX = "SEX"
    OTHER = "OTHER"


T = PhiType

PERSONS = frozenset({T.PATIENT, T.DOCTOR})
PLACES = frozenset({T.STREET, T.CITY, T.STATE, T.COUNTRY, T.ZIP, T.LOCATION_OTHER})
CALLED = frozenset({T.PHONE, T.FAX})
ORGANIZATIONS = frozenset({T.HOSPITAL, T.ORGANIZATION})
NUMBERS = frozenset(
    {
        T.PHONE, T.FAX, T.SSN, T.MEDICALRECORD, T.HEALTHPLAN, T.ACCOUNT, T.LICENSE, T.VEHICLE,
        T.DEVICE, T.BIOID, T.IDNUM,
    }
)  # fmt: skip

GROUP_A = frozenset(
    {
        T.PATIENT, T.AGE, T.DATE, T.PHONE, T.FAX, T.EMAIL, T.URL, T.IPADDR, T.SSN,
        T.MEDICALRECORD, T.HEALTHPLAN, T.ACCOUNT, T.LICENSE, T.VEHICLE, T.DEVICE, T.BIOID,
        T.IDNUM, T.STREET, T.CITY, T.ZIP, T.LOCATION_OTHER, T.ORGANIZATION,
    }
)  # fmt: skip
GROUP_B = GROUP_A | {T.DOCTOR, T.USERNAME}
GROUP_C = GROUP_B | {T.HOSPITAL, T.COUNTRY, T.STATE}

PRIORITY: tuple[PhiType, ...] = (
    T.EMAIL, T.URL, T.IPADDR, T.SSN, T.PHONE, T.FAX, T.MEDICALRECORD, T.HEALTHPLAN, T.ACCOUNT,
    T.LICENSE, T.VEHICLE, T.DEVICE, T.BIOID, T.IDNUM, T.USERNAME,
    T.PATIENT, T.DOCTOR, T.RELATIVE,
    T.STREET, T.ZIP, T.CITY, T.STATE, T.COUNTRY, T.LOCATION_OTHER,
    T.DATE, T.AGE, T.HOSPITAL, T.ORGANIZATION, T.PROFESSION, T.SEX, T.OTHER,
)  # fmt: skip
"""Who wins where votes for the same stretch disagree: first come identifiers of fixed form, then
the order of supplementary table 1 of the nference paper (name, location, age, organisation)."""

MEDDOCAN: MappingProxyType[str, PhiType] = MappingProxyType(
    {
        "NOMBRE_SUJETO_ASISTENCIA": T.PATIENT,
        "NOMBRE_PERSONAL_SANITARIO": T.DOCTOR,
        "FAMILIARES_SUJETO_ASISTENCIA": T.RELATIVE,
        "EDAD_SUJETO_ASISTENCIA": T.AGE,
        "SEXO_SUJETO_ASISTENCIA": T.SEX,
        "OTROS_SUJETO_ASISTENCIA": T.OTHER,
        "FECHAS": T.DATE,
        "PROFESION": T.PROFESSION,
        "HOSPITAL": T.HOSPITAL,
        "CENTRO_SALUD": T.HOSPITAL,
        "INSTITUCION": T.ORGANIZATION,
        "CALLE": T.STREET,
        "TERRITORIO": T.CITY,
        "PAIS": T.COUNTRY,
        "NUMERO_TELEFONO": T.PHONE,
        "NUMERO_FAX": T.FAX,
        "CORREO_ELECTRONICO": T.EMAIL,
        "URL_WEB": T.URL,
        "DIREC_PROT_INTERNET": T.IPADDR,
        "ID_SUJETO_ASISTENCIA": T.MEDICALRECORD,
        "ID_CONTACTO_ASISTENCIAL": T.ACCOUNT,
        "ID_ASEGURAMIENTO": T.HEALTHPLAN,
        "NUMERO_BENEF_PLAN_SALUD": T.HEALTHPLAN,
        "ID_TITULACION_PERSONAL_SANITARIO": T.LICENSE,
        "ID_EMPLEO_PERSONAL_SANITARIO": T.USERNAME,
        "IDENTIF_VEHICULOS_NRSERIE_PLACAS": T.VEHICLE,
        "IDENTIF_DISPOSITIVOS_NRSERIE": T.DEVICE,
        "IDENTF_BIOMETRICOS": T.BIOID,
        "IDENTIF_BIOMETRICOS": T.BIOID,
        "OTRO_NUMERO_IDENTIF": T.IDNUM,
    }
)
"""MEDDOCAN's labels, in the project's types. Several map to one (a health centre is a HOSPITAL),
so detections carry the original in `Detection.label`."""

AUTHORED: MappingProxyType[str, PhiType | None] = MappingProxyType(
    {
        **{t.value: t for t in PhiType},
        "PAGER": T.PHONE,
        "AGE_U90": None,
        "YEAR": None,
        "TIME": None,
        "WEEKDAY": None,
    }
)
"""The English labels of `corpora/`; None: marked there, but no identifier (neutral)."""

TO_MEDDOCAN: MappingProxyType[PhiType, str] = MappingProxyType(
    {
        **{
            phi: name
            for name, phi in reversed(list(MEDDOCAN.items()))
            if name != "IDENTIF_BIOMETRICOS"
        },
        T.STATE: "TERRITORIO",
        T.ZIP: "TERRITORIO",
        T.LOCATION_OTHER: "OTRO_NUMERO_IDENTIF",
        T.SSN: "ID_ASEGURAMIENTO",
    }
)
"""The label that a detection without one of its own (a pattern's) counts as in MEDDOCAN."""


def label_type(label: str) -> PhiType | None:
    """The project's type of a model's label, or None where it is neutral.

    `label` may be any of `AUTHORED` or `MEDDOCAN`; raises `KeyError` for any other.
    """
    return AUTHORED[label] if label in AUTHORED else MEDDOCAN[label]
