"""Where a walk through a message is: in the message, in the specification, and with whom."""

from __future__ import annotations

from dataclasses import dataclass, field

from stream_deid.formats.fhir.definitions.rules import FhirRule
from stream_deid.formats.fhir.resources.subjects import Resource
from stream_deid.labels import PhiType


@dataclass(frozen=True, slots=True)
class FhirPlace:
    """Where the walk is.

    `path`: in the message, with numbers (`Bundle.entry[2].resource.name[0]`); `where`: in the
    specification, from the resource (`Patient.name`); `person`, `phi`: whose facts stand here;
    `rule`: the rule of an element above that holds for all below; `asks`: see `answers`;
    `asked`: the names of what an Observation or an item asks for.
    """

    path: str
    where: str
    resource: Resource = field(repr=False)
    subject: str = field(default="", repr=False)
    person: str = field(default="", repr=False)
    phi: PhiType | None = None
    rule: FhirRule | None = None
    contained: bool = False
    asks: PhiType | None = None
    asked: str = field(default="", repr=False)

    @property
    def kind(self) -> str:
        """The type of the resource."""
        return str(self.resource["resourceType"])
