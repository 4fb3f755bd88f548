"""Codes of vocabularies and registers, and legal sections: nobody's.

code = system ":" code     SNOMED CT, LOINC, CPT, HCPCS, ICD, ATC, RxNorm, NDC, OID, NCT
       | letter nn "." n                            ICD-10 in a column ("|E11.9|DM2")
       | sequence "_" digits, change of one      NM_000410.4, c.845G>A
       | gene change of it                       "BRAF V600E", "FII 20210A"
       | chromosome arm band                     "7q11.23"
hold = "on" (a section's number)               "on 5150"
"""

from __future__ import annotations

from stream_deid.labels import PhiType
from stream_deid.lists.vocabulary import Vocabulary
from stream_deid.text.linear import linear

_WORDS = Vocabulary("quantities")
_SYSTEM = linear(rf"(?i)\b(?:{_WORDS['systems']})\b[^\n]*$")
_CODE = linear(r"(?i)[a-z]{0,2}-?\d[\d./-]*[a-z]{0,2}\d{0,4}|nct ?\d{8}|[a-z]\d\d[a-z]{2}\d{0,2}")
_FORMS = linear(
    r"(?i)nct ?0\d{7}|ens[tgp]\d{11}|rs\d{5,10}"
    r"|[cgmnpr]\.\d{1,7}(?:[_+-]\d{1,7}){0,3}(?:(?:del|dup|ins|inv)[acgt]{0,20}|[acgt])"
)
"""Trials; genes, transcripts and variants (Ensembl, dbSNP, HGVS)."""
_VOCABULARY = linear(rf"(?i)\b(?:{_WORDS['vocabularies']})[ :]{{0,2}}$")
_SEQUENCE = linear(r"\b[NX][CGMPRTW]_$")
_ACCESSION = linear(r"\d{6,9}(?:\.\d{1,2})?")
_OF_GENE = linear(r"[ACDEFGHIKLMNPQRSTVWY]\d{1,5}[ACDEFGHIKLMNPQRSTVWYX]|\d{3,5}[ACGT]")
_CHANGES = linear(rf"(?:{_OF_GENE.pattern})(?:/(?:{_OF_GENE.pattern}))*")
_GENE = linear(rf"(?i)\b(?:{_WORDS['genes']})\b[^;\n]*$")
_ARM = linear(r"\b(?:\d{1,2}|[XY])[pq]$")
_BAND = linear(r"(?:\d{1,2}|[XY])[pq]\d{1,2}(?:\.\d{1,2})?")
_DISEASE = linear(r"[A-TV-Z]\d\d\.\d{1,2}[A-Z]?")
"""ICD-10, with its figure behind the point ("E11.9"): so is nothing else written but some rooms."""
_PLACE_BEFORE = linear(rf"(?i)\b(?:{Vocabulary('ids_es')['rooms']}|bed|room|n[o.]+)[ .:#]*$")
_HOLD = linear(r"(?:5150|5250|5585|5260|5350)")
_HELD = linear(r"(?i)\b(?:on|under|hold|placed on|a)(?: an?)?:? $")


def coded(run: str, before: str, phi_type: PhiType) -> bool:
    """Whether a run is the code of a vocabulary that stands before it, or of a known form."""
    if _DISEASE.fullmatch(run) and not _PLACE_BEFORE.search(before):
        return True
    if phi_type is PhiType.DATE:
        return _BAND.fullmatch(run) is not None or _ARM.search(before) is not None
    if _FORMS.fullmatch(run) or _of_a_gene(run, before):
        return True
    if _CODE.fullmatch(run) is None or _TELEPHONE.fullmatch(run):
        return False
    system = _SYSTEM.search(before)
    told = system is not None and _ANOTHERS.search(system[0]) is None
    return told or _VOCABULARY.search(before) is not None


_TELEPHONE = linear(r"(?:1[-.])?\d{3}[-.]\d{3}[-.]\d{4}")
_ANOTHERS = linear(rf"[.?!] +\p{{Lu}}|(?i:\b(?:{_WORDS['no_codes']})\b)")
"""Between a system and a number further on its line: a sentence ends, or a label stands."""


def _of_a_gene(run: str, before: str) -> bool:
    """Whether a run is a sequence's accession or a change of a gene ("BRAF V600E")."""
    if _ACCESSION.fullmatch(run):
        return _SEQUENCE.search(before) is not None
    return _CHANGES.fullmatch(run) is not None and _GENE.search(before) is not None


def held(run: str, before: str, phi_type: PhiType) -> bool:
    """Whether somebody is held under a section of the law by its number."""
    if phi_type not in (PhiType.LOCATION_OTHER, PhiType.IDNUM):
        return False
    return _HOLD.fullmatch(run) is not None and _HELD.search(before) is not None
