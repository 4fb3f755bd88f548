"""HL7 v2.5.1 messages of the demo feed: ORU reports and results, MDM documents, ADT visits."""

from __future__ import annotations

import random
from collections.abc import Iterable
from datetime import date, timedelta

from stream_deid.rig.synthetic.people import FeedPerson, Scene, ascii_lower, digits

_ESCAPES = str.maketrans({"\\": "\\E\\", "|": "\\F\\", "^": "\\S\\", "&": "\\T\\", "~": "\\R\\"})
_RESULTS = (
    ("2345-7", "Glucose", "mg/dL", "70-99", 70, 240),
    ("2160-0", "Creatinine", "mg/dL", "0.6-1.2", 1, 3),
    ("718-7", "Hemoglobin", "g/dL", "12.0-16.0", 8, 17),
    ("2951-2", "Sodium", "mmol/L", "136-145", 129, 148),
)


def report(kind: str, scene: Scene, text: str, control: str, rng: random.Random) -> bytes:
    """A text report, one line an OBX: `kind` is `ORU^R01` or `MDM^T02`."""
    lines = text.split("\n")
    value_type = rng.choice(("TX", "FT"))
    loinc = "11506-3^Progress note^LN"
    head = [
        _msh(kind, scene, control),
        _pid(scene.patient, scene),
        _pv1(scene),
    ]
    if kind.startswith("MDM"):
        head.insert(1, f"EVN|T02|{_stamp(scene.day)}")
        document = scene.numbers["accession"]
        middle = f"TXA|1|PN|TX|{_stamp(scene.day)}|{_xcn(scene.doctor)}|||||||{document}|||||AU||AV"
    else:
        middle = (
            f"OBR|1|{scene.numbers['account']}^EHR|{scene.numbers['accession']}^LAB|{loinc}|||"
            f"{_stamp(scene.day)}|||||||||{_xcn(scene.doctor2)}||||||{_stamp(scene.day)}||TRX|F"
        )
    body = [
        f"OBX|{n}|{value_type}|{loinc}||{line.translate(_ESCAPES)}||||||F"
        for n, line in enumerate(lines, 1)
    ]
    return _message((*head, middle, *body))


def results(scene: Scene, comment: str, control: str, rng: random.Random) -> bytes:
    """Laboratory results with a free-text comment."""
    obx = []
    for n, (code, name, unit, normal, low, high) in enumerate(_RESULTS, 1):
        value = rng.randrange(low, high)
        flag = rng.choice(("N", "H", "L"))
        obx.append(
            f"OBX|{n}|NM|{code}^{name}^LN||{value}|{unit}|{normal}|{flag}|||F|||"
            f"{_stamp(scene.day)}||{_xcn(scene.doctor)}"
        )
    order = f"{scene.numbers['account']}^EHR|{scene.numbers['accession']}^LAB"
    return _message(
        (
            _msh("ORU^R01", scene, control),
            _pid(scene.patient, scene),
            _pv1(scene),
            f"ORC|RE|{order}|||CM||||{_stamp(scene.day)}|||{_xcn(scene.doctor2)}",
            (
                f"OBR|1|{order}|24323-8^Comprehensive metabolic panel^LN|||{_stamp(scene.day)}|||||"
                f"||||{_xcn(scene.doctor2)}||||||{_stamp(scene.day)}||CH|F"
            ),
            *obx,
            *(
                f"NTE|{n}|L|{line.translate(_ESCAPES)}"
                for n, line in enumerate(comment.split("\n"), 1)
            ),
        )
    )


def visit(event: str, scene: Scene, control: str) -> bytes:
    """An admission (`A01`), discharge (`A03`) or update (`A08`) with family and insurance."""
    kin = scene.kin
    return _message(
        (
            _msh(f"ADT^{event}", scene, control),
            f"EVN|{event}|{_stamp(scene.day)}|||{_xcn(scene.doctor2)}",
            _pid(scene.patient, scene),
            f"NK1|1|{_name(kin)}|{scene.relation.upper()[:3]}|{_address(kin)}|{kin.phone}",
            _pv1(scene),
            f"DG1|1||R07.9^Chest pain, unspecified^I10||{_day(scene.day)}|A",
            _in1(scene),
            f"ZVT|1|{scene.patient.name}|site-local note",
        )
    )


def _in1(scene: Scene) -> str:
    plan = scene.numbers["plan"]
    return (
        f"IN1|1|PPO|{plan[:3]}|Tamarack Mutual||||GRP{scene.numbers['pager']}||||"
        f"{_day(scene.day - timedelta(400))}||||{_name(scene.patient)}|SEL|"
        f"{_day(scene.patient.born)}|{_address(scene.patient)}" + "|" * 17 + plan
    )


def identifiers(scene: Scene) -> list[str]:
    """What every message of a scene says of its patient."""
    patient = scene.patient
    return [
        patient.family, patient.given, patient.mrn, patient.ssn, patient.phone, patient.street,
        patient.city, scene.numbers["account"], scene.doctor.family,
    ]  # fmt: skip


def control_id(rng: random.Random) -> str:
    return digits(rng, "MSG########")


def _message(segments: Iterable[str]) -> bytes:
    return "".join(f"{segment}\r" for segment in segments).encode()


def _msh(kind: str, scene: Scene, control: str) -> str:
    language = scene.patient.language
    return (
        f"MSH|^~\\&|EHR|{scene.hospital.translate(_ESCAPES)}|DEID|RESEARCH|{_stamp(scene.day)}||"
        f"{kind}|{control}|P|2.5.1||||||UNICODE UTF-8|{language}"
    )


def _pid(patient: FeedPerson, scene: Scene) -> str:
    return (
        f"PID|1||{patient.mrn}^^^EHR^MR||{_name(patient)}||{_day(patient.born)}|{patient.sex}|||"
        f"{_address(patient)}||{patient.phone}^PRN^PH|||||{scene.numbers['account']}|{patient.ssn}"
    )


def _pv1(scene: Scene) -> str:
    ward = f"4W^{scene.numbers['pager'][:3]}^A^{scene.hospital.translate(_ESCAPES)}"
    return (
        f"PV1|1|I|{ward}||||{_xcn(scene.doctor)}|{_xcn(scene.doctor2)}||MED|||||||"
        f"{_xcn(scene.doctor)}||{scene.numbers['account']}" + "|" * 25 + _stamp(scene.day)
    )


def _name(person: FeedPerson) -> str:
    return f"{person.family.translate(_ESCAPES)}^{person.given}"


def _xcn(person: FeedPerson) -> str:
    number = str(10_000 + sum(map(ord, ascii_lower(person.name))) * 7)
    return f"{number}^{_name(person)}^^^^MD"


def _address(person: FeedPerson) -> str:
    country = "USA" if person.language == "en" else "ESP"
    return f"{person.street}^^{person.city}^{person.state}^{person.zip}^{country}"


def _day(day: date) -> str:
    return day.strftime("%Y%m%d")


def _stamp(day: date) -> str:
    return f"{_day(day)}0930"
