"""What can be set of messages."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from stream_deid.config.declare import setting
from stream_deid.errors import Halt


@dataclass(frozen=True, slots=True)
class Formats:
    """What messages may look like."""

    accept: tuple[str, ...] = setting(
        ("json", "hl7v2", "fhir"),
        "Formats that are taken; others become dead letters.",
        choices=("json", "hl7v2", "fhir"),
    )
    language: str = setting(
        "auto",
        "Language of messages that name none, one of `[models]`; `auto`: the text is looked at.",
        kind="text",
    )
    safe_fields: tuple[str, ...] = setting((), "JSON fields that go out as they came.", kind="text")
    json_maps: tuple[str, ...] = setting(
        (),
        "Files with maps of JSON messages that have another form (docs/json.md).",
        kind="file",
    )
    hl7_pass_segments: tuple[str, ...] = setting(
        (),
        "HL7 segments outside of the field map that are examined instead of withheld.",
        kind="text",
    )
    hl7_maps: tuple[str, ...] = setting(
        (),
        "Files with the site's own HL7 maps, by interface (docs/interfaces.md).",
        kind="file",
    )
    fhir_rules: dict[str, str] = setting(
        {},
        "FHIR rules by path, before the project's own (docs/fhir.md).",
        kind="text",
    )
    authorities: dict[str, str] = setting(
        {},
        "What who gives patients their numbers is called here: assigning authorities of HL7 and "
        "systems of FHIR identifiers. The empty text: the site's own, whose numbers stand alone.",
        kind="text",
    )
    fhir_patient: str = setting(
        "identifier",
        "Whether a patient is known by `identifier` or by `id`.",
        choices=("identifier", "id"),
    )
    unreadable: str = setting(
        "withhold",
        "Documents inside messages that can't be examined: `withhold` them, or `reject` the "
        "message.",
        choices=("withhold", "reject"),
    )
    max_chars: int = setting(
        2_000_000, "Longest note, in characters.", least=100, most=1_000_000_000
    )

    @property
    def hl7_map_texts(self) -> dict[str, str]:
        """The site's HL7 maps by file name. Raises `Halt("hl7.map")` where one can't be read."""
        return texts(self.hl7_maps, "hl7.map")

    @property
    def json_map_texts(self) -> dict[str, str]:
        """The site's JSON maps by file name. Raises `Halt("json.map")` where one can't be read."""
        return texts(self.json_maps, "json.map")


def texts(names: tuple[str, ...], code: str) -> dict[str, str]:
    """The files that a setting names, by name. Raises `Halt(code)` where one can't be read."""
    try:
        return {name: Path(name).read_text("utf-8-sig") for name in names}
    except (OSError, UnicodeDecodeError) as error:
        raise Halt(code, f"{', '.join(names)}: {error}") from None
