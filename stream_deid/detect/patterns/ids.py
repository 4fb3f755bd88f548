"""Numbers behind a label, English: SSN, record, plan, account, licence, device, vehicle and case.

    labelled = label [qualifier] sep* value
    sep      = ":" | "#" | "." | "=" | "-" | blank | line break (at most one)
    value    = a token with at least one digit; groups joined by "-", "/", "." or one blank

The labels are written as people type them: with or without full stops, "no.", "#", "ID"; an
OCR'd zero or one counts as a digit. A value with too few digits, a unit behind it, or a decimal
point is none.
"""

# Regular expressions stay on one line, beside their grammar; tables of words stay words.
# ruff: noqa: E501, SIM905

from __future__ import annotations

from stream_deid.detect.patterns.base import Check, Context, Hit, Pattern, numbers, whole
from stream_deid.labels import PhiType

T = PhiType
_SEP = r"(?:[ \t]*(?:(?i:tin|sn|s/n|is|was|are|ends(?:[ \t]in)?|ending(?:[ \t]in)?|no\.?|nos\.?|nbr|num(?:ber)?s?|n[o]|id|code|ref)\b\.?|[:#.=\->(]|\"|'))*[ \t]*\n?[ \t]*"
_WORD = r"[A-Za-z0-9]"
_TAIL = r"(?P<tail>(?:[ ](?:[0-9][0-9-]*[0-9A-Z]|[0-9]))*)"
VALUE = (
    r"(?P<v>" + _WORD + r"*[0-9]" + _WORD + r"*(?:[-/._]" + _WORD + r"+)*" + _TAIL
    + r"|[A-Z]{1,6}[-/ ][A-Z]{0,4}[-/ ]?[0-9]" + _WORD + r"*(?:[-/ ][A-Z]?[0-9][0-9A-Z]*)*(?:-[A-Z0-9]+)*)"
)  # fmt: skip
_UNIT = Context(
    r"(?i)^[ \t]?(?:mg|mcg|ml|cc\b|cm|mm\b|%|days?\b|wks?\b|weeks?\b|months?|years?|yrs?|y/?o|hrs?\b|hours?|min\b|units?\b|lbs?\b|kg|bpm|/10\b|am\b|pm\b|a\.m|p\.m|x\b|times|points|ppd|c?gy\b|inch|feet\b|degrees|mhz|hz\b|ohms?\b|joules?|kcal|rpm|mmhg|cells|copies|ng\b|pg\b|mmol|meq|o'clock|pages?\b|pgs?\b|of[ \t]\d|x[ ]?\d)"
)
_CLOCK = Context(r"^\d{1,2}:\d\d(?::\d\d)?$")
_SLASHED = Context(r"^\d{1,2}/\d{1,2}(?:/(?:19|20)?\d\d)?(?:[ ]|$)")
_MEASURED = Context(
    r"^(?:\d{1,3}\.\d{1,2}(?:[-/]\d{1,3}(?:\.\d{1,2})?)*|\d{1,3}(?:/\d{1,3}){1,2}|\d{1,2}-0|[A-TV-Z]\d\d\.\d{1,2})(?:[ ]|$)"
)
_HEAD = frozenset(
    "ETDRS SPO2 SpO2 SaO2 FIO2 FiO2 NOTE TA FC FR PA TP FE AU LCF SO SAT BP HR RR TEMP WT HT BMI JAN FEB MAR APR MAY JUN JUL AUG SEP OCT NOV DEC POSIT ICD CPT DRG PO IV IM SC QTY NDC PT DOB ON AT IN OF AND TO BY".split()
)


def _date_like(value: str) -> bool:
    """A date or a time of day, or beginning with one."""
    if _CLOCK.match(value) or _SLASHED.match(value):
        return True
    parts = numbers(value)
    if any(c.isalpha() for c in value) or len(parts) < 2:
        return len(value) == 4 and value.isdecimal() and 1900 <= int(value) <= 2040
    year = len(parts[0]) == 4 and 1900 <= int(parts[0]) <= 2040
    if len(parts) >= 3 and year:
        return 1 <= int(parts[1]) <= 12 and 1 <= int(parts[2]) <= 31
    short = (len(parts) == 3 and max(len(p) for p in parts) <= 2) or (
        len(parts) == 3 and len(parts[2]) == 4
    )
    return bool(short) and 1 <= int(parts[0]) <= 12 and 1 <= int(parts[1]) <= 31


def labelled(least: int = 3, *, dates: bool = False) -> Check:
    """A check: whole, at least so many digits, no measure, no unit, and no date unless `dates`."""

    def check(hit: Hit) -> bool:
        value = hit.value
        after = hit.after(2)
        if not whole(hit) or sum(c.isdecimal() for c in value) < least:
            return False
        if _UNIT.match(hit.after(12)) or (
            after[:1] in (".", ",", ":", "/") and after[1:].isdecimal()
        ):
            return False
        if value.split()[0] in _HEAD or value == "911" or _MEASURED.match(value):
            return False
        if _NO_CODE.match(value):
            return False
        return not _date_like(value) or (dates and "-" in value)

    return check


def _label(words: str, value: str = VALUE) -> str:
    return r"(?:^|[^A-Za-z0-9])(?i:" + words + r")" + _SEP + value


def numbered(hit: Hit) -> bool:
    """Three digits or more behind "badge", "site"; no time of day behind "protocol"."""
    clock = len(hit.value) == 4 and hit.value < "2400" and hit.value.isdecimal()
    timed = clock and hit.before(10).lower().rstrip().endswith(("protocol", "band", "log"))
    return bool(labelled(3)(hit)) and not timed


def machine(hit: Hit) -> bool:
    """A number of four digits or more behind a machine; "2008K" is a model for dialysis."""
    return bool(labelled(4)(hit)) and not _MODEL.match(hit.value)


_MODEL = Context(r"^(?:2008[A-Z]\b|4008|5008|[A-Z]{2,3}-?[A-Z]{0,2}\d{3}[A-Z]{0,2}$)")


def npi(hit: Hit) -> bool:
    return whole(hit)


def ssn(hit: Hit) -> bool:
    """AAA-GG-SSSS with separators: no area 000, 666 or 9xx, no zero group."""
    area, group, serial = (hit.value[:3], hit.value[4:6], hit.value[7:])
    if not whole(hit) or hit.before(1) in ("-", "/", "#", ".") or hit.after(1) in ("-", "/"):
        return False
    return area not in ("000", "666") and area[0] != "9" and group != "00" and serial != "0000"


_MRN = (
    r"m\.?r\.?n\.?s?|e?mrn?#?|mr|m\.r\.|med(?:ical)?\.?[ \t]*rec(?:ord)?s?\.?|hosp(?:ital)?\.?[ \t]*(?:no|num(?:ber)?|#|id|record|rec)|"
    r"unit[ \t]*(?:no|num(?:ber)?|record|rec|#)|chart|cht|agency|resident|res|your|pt\.?[ \t]*(?:id|no|num(?:ber)?|#)|patient[ \t]*(?:id(?:entifier)?|no|num(?:ber)?|#)|"
    r"pid|mpi|empi|eid|ehr[ \t]*(?:id|#)|epic[ \t]*(?:id|#|mrn)|record[ \t]*(?:no|num(?:ber)?|#|id)|rec[ \t]*(?:no|#)|pat\.?[ \t]*(?:id|no|#)|"
    r"hrn|hsn|nhi|ihi|uhid|abha|bht|(?:ip|op|ip/op)[ \t]*no|urn?|u\.r\.|nhs(?:[ \t]*(?:no|number))?|chi|ur[ \t]*no|case[ \t]*record|folder|our[ \t]*(?:no|ref)|file[ \t]*(?:no|#|number)|med[ \t]*(?:no|#)|dental[ \t]*chart|"
    r"charted[ \t]+under|merged?[ \t]+(?:to|into|with|under)|client[ \t]*(?:id|ref|no|#)|resident[ \t]*(?:id|no|#)|member[ \t]*chart|cpi|dmrn|cmrn|xmrn|mrno|h(?:osp)?[ \t]?#|med[ \t]?rec[ \t]?#?"
)  # fmt: skip
_PLAN = (
    r"(?:member|subscriber|policy|policyholder|phn|phin|hcn|ramq|gms|mcp|dva|philhealth|health[ \t]card|medical[ \t]aid|group|grp|gp|plan|insured|insurance|ins|beneficiary|enrollee|cardholder|certificate|cert|contract|coverage|hic|hicn|mbi|medicaid|medicare|mcaid|mcare|medi-?cal|tricare|champus|champva|hmo|ppo|bcbs|bc/?bs|aetna|cigna|humana|uhc|anthem|kaiser|ambetter|molina|masshealth|tenncare|ahcccs|ahcip|ohip|cin|sub|subscr|mem|mbr|pol|payer|rx[ \t]?grp|rxgrp|medigap|va[ \t]claim|secondary|primary)"
    r"(?:[ \t]*(?:id(?:entification)?|no|num(?:ber)?|#|policy|group|contract|claim)\b\.?){0,2}"
)  # fmt: skip
_ACCT = (
    r"acc(?:oun)?t\.?|account|acc?t[ \t]*no|fin|f\.i\.n\.|har|csn|c\.s\.n\.|enc(?:ounter)?\.?(?:[ \t]*(?:csn|id|no|#))?|visit(?:[ \t]*(?:id|no|num(?:ber)?|#))?|billing[ \t]*(?:no|id|acct|#)|bill[ \t]*(?:no|#)|guarantor(?:[ \t]*(?:id|acct|#))?|"
    r"adm(?:ission)?[ \t]*(?:no|#|id)|episode(?:[ \t]*(?:no|id|#))?|invoice|patient[ \t]*acc(?:oun)?t|hosp(?:ital)?[ \t]*acc(?:oun)?t|pt[ \t]*acct|statement|registration[ \t]*(?:no|#)|reg[ \t]*(?:no|#)|statement[ \t]*(?:no|#)|contact[ \t]*serial|ledger"
)  # fmt: skip
_LICENCE = (
    r"npi|n\.p\.i\.|dea|d\.e\.a\.|clia|upin|ncpdp|nabp|lic(?:en[sc]e)?s?|lic\.|driver'?s?[ \t]+lic(?:en[sc]e)?|dl|d\.l\.|dl\#|(?:md|rn|pa|np|do|state|pharmacy|medical|med|nursing|professional|prof)[ \t]+lic(?:en[sc]e)?|cert(?:ificate|ification)?[ \t]*(?:no|#)|gmc|nmc|gphc|hcpc|gdc|mcr|kmc|mdcn|scfhs|hpcsa|pmdc|bmdc|ptr|cpbc|ahpra|cpso|provider[ \t]*(?:id|no|#)|medicare[ \t]+provider[ \t]*(?:no|#)?|prescriber[ \t]*(?:id|no|#)|prov[ \t]*(?:id|no|#)|passport|taxonomy|tin|ein|x-?dea|nadean|ptan|reg(?:istration)?[ \t]*(?:no|#)|pin"
)  # fmt: skip
_DEVICE = (
    r"serial|serials|ser|s/?n|sn|lot|lots|batch|udi|ref[ \t]*/[ \t]*lot|asset(?:[ \t]*tag)?|imei|imsi|model[ \t]*(?:/[ \t]*serial|serial)|device[ \t]*(?:id|no|#)|unit[ \t]*(?:serial|s/?n)|pump[ \t]*(?:id|no|#)|generator|gen\.?[ \t]*sn|lead[ \t]*s/?n|s\.n\.|lot[ \t]*/[ \t]*exp|equip(?:ment)?[ \t]*(?:id|no|#)|bme|biomed(?:[ \t]*tag)?"
)  # fmt: skip
_MACHINE = r"tag|mac|ws|workstation|hub|scope|machine|concentrator|meter|monitor"
"""Things that a number stands behind, a serial or not: it needs more digits than after a label."""
_VEHICLE = r"vin|v\.i\.n\.|plates?|lic(?:en[sc]e)?[ \t]*plates?|license[ \t]+tag|lp|tags?|veh(?:icle)?_?(?:[ \t]*(?:plate|tag|id|no|#|reg))?|reg(?:istration)?|rego|tail[ \t]*(?:no|num(?:ber)?|#)?|aircraft|a/c|ship"
_CASE = (
    r"acc(?:ession)?s?|accn|acn|spec(?:imen)?s?|case|cases|claim|claims|claim[ \t]*(?:no|#)|clm|ref(?:erence)?|ref\.|order|orders|ord|req(?:uisition)?|rx|rxs|script|prescription|auth(?:orization)?|prior[ \t]+auth|pa[ \t]*(?:no|#)|cert|conf(?:irmation)?|confirm|ticket|tkt|tracking|trk|fedex|ups|usps|airbill|waybill|airway[ \t]bill|"
    r"job|document|doc|dictation|dict|form|barcode|bar[ \t]*code|incident|report|rpt|run|trip|call|cad|pcr|epcr|event|complaint|docket|cause|warrant|booking|bkg|inmate|doc|idoc|tdcj|cdcr?|bop|badge|employee|emp|staff|op|operator|interp(?:reter)?|interpreter[ \t]*(?:id|no|#)|session|conv(?:ersation)?|conversation|message|msg[ \t]*(?:id|#)|trial|study|subject|subj|protocol|randomi[sz]ation|rand|participant|screening|donor|din|bag|unit|"
    r"path|pathology|cytology|surg[ \t]*path|slide|block|film|x-?ray|xr|study[ \t]*(?:id|uid)|lab|labs?[ \t]*(?:no|id|#)|sample|samples|tube|bb[ \t]*band|band|wristband|bracelet|typenex|crossmatch|xm|unos|optn|match|seal|kit|bottle|box|locker|voucher|coupon|card|permit|grievance|appeal|referral|transfer|tx|ctrl|control|seq|index|iis|registry|state[ \t]*file|cert[ \t]*no|death[ \t]*cert|birth[ \t]*cert|file|c-?file|"
    r"transaction|trans|batch[ \t]*(?:no|#)|authorization[ \t]*(?:no|#)|approval|precert|pre-?cert|notification|recall|qa|pi|rl|occurrence|safety[ \t]*event|mid|tc|tr|student[ \t]*id|school[ \t]*id|id|i\.d\.|ids|ident"
)  # fmt: skip
_NUMBERED_THING = r"badge|booking|inmate|juror|docket|census|arm[ -]?band|wrist[ -]?band|bb[ ]?band|band[ \t]*#|unos|sid|pfn|receipt|query|site|subj(?:ect)?|protocol|log|work[ \t]order|wo#|so#|a#"
"""What a short number identifies, too."""
_MUST = r"[ \t]*(?:no\.?|nos\.?|nbr\.?|num(?:ber)?s?|n[o]|id|\#|:|=|[ \t]-[ \t])"


_COUNT = Context(
    r"(?i)(?:ndc|cpt|hcpcs|icd|snomed|loinc|rxnorm|lab code|rev code|cas|gtin|plt|wbc|copies|ed|rev|\$|form|upc|ref|model|cat|catalog|item|sku|part|bin|rxbin|grch37|chr\d+|pct|\[[x ]\]|omim|pmid|isbn|issn|rxcui|unii|gmdn|orpha(?:net|code)?|snomed(?:[ -]ct)?|snomed[ ]\w{1,8}|\bva(?:[ ]form)?)[ \t:#.]*$"
)
_MONTHS = ("JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC")


def long_number(hit: Hit) -> bool:
    """Six digits or more by themselves: no amount, date, coordinate or catalogue number."""
    value, before, after = hit.value, hit.before(12), hit.after(2)
    if not whole(hit) or (
        before[-1:] in (".", ",", "$", "-", "/", ":", "+", "=", "_")
        and before[-1:] not in (":", "=")
    ):
        return False
    if after[:1] in ("-", "/", ".", ",", "%") and after[1:].isalnum():
        return False
    if len(value) in (8, 12, 14) and _day(value[:8]):
        return False
    if len(value) == 6 and (value.endswith("000") or hit.before(1).isalpha()):
        return False
    return (
        not _COUNT.search(before) and not _UNIT.match(hit.after(12)) and not value.endswith("0000")
    )


def _day(value: str) -> bool:
    """yyyymmdd; the patterns for dates have it."""
    return (
        "1900" <= value[:4] <= "2099" and "01" <= value[4:6] <= "12" and "01" <= value[6:] <= "31"
    )


def code(hit: Hit) -> bool:
    """Capitals and digits with hyphens as identifiers have them; no gene, product or ICD code."""
    before, after = hit.before(12), hit.after(2)
    if (
        not whole(hit)
        or before[-1:] in ("-", "/", ".", "_", "@")
        or (after[:1] in ("-", "/", "_") and after[1:].isalnum())
    ):
        return False
    if _date_like(hit.value) or _COUNT.search(before) or _UNIT.match(hit.after(12)):
        return False
    if _DRUG_AFTER.match(hit.after(40)) or _DRUG_BEFORE.search(hit.before(24)):
        return False
    if any(month in hit.value for month in _MONTHS) or _series(hit):
        return False
    return not _NO_CODE.match(hit.value)


_DRUG_AFTER = Context(
    r"(?i)^[ ]?(?:\([^)]{0,24}\)[ ]?)?(?:\d+(?:\.\d+)?[ ]?(?:mg|mcg|ml)\b|placebo|arm\b|cohort|infusion|inhibitor|antibody|tablets?\b|capsules?\b)|^[ ]?\(anti-"
)
_DRUG_BEFORE = Context(
    r"(?i)\b(?:drug|agent|compound|antibody|inhibitor|software|firmware|version|model|section|regulation|standard|rule)[ :]+$"
)
_NO_CODE = Context(
    r"^(?i:covid|cyp\d|hla-(?:[abc]|d[rpq]b?1?)-?\d{1,5}$|nrs-?2002|(?:cms|hcfa|omb|astm|nct|dsm|icd|ensg|enst|cosm|chembl|snomed)-?\d)|^(?:DD|SF|OF|DS|DOH|SSA|OSHA|WH|OWCP|NAVMED|DWC)-\d{3,4}(?:-[A-Z0-9]{1,2})?$|^(?:RBC|WBC|PLT|HGB|TSH|BNP|LDH|CPK|HCG|PSA|AFP|CEA)\d"
)
"""Tests, genes, registries of trials, forms and standards; a reading behind its name."""


def _series(hit: Hit) -> bool:
    """Three readings in a row ("212-187-164"): as long, none twice another (five times where all are rounded), behind no label."""
    parts = hit.value.split("-")
    alike = len(parts) == 3 and "".join(parts).isdecimal() and len({len(p) for p in parts}) == 1
    if not alike or any(p[0] == "0" for p in parts):
        return False
    readings = [int(p) for p in parts]
    most = 5 if not any(r % 5 for r in readings) else 2
    return max(readings) <= most * min(readings) and not _NUMBERED.search(hit.before(20))


_NUMBERED = Context(
    r"(?i)(?:#|\b(?:no|num(?:ber)?|nr|id|mrn?|charts?|unit|acc(?:oun)?t|hosp|record|rec|ssn?|file|case|hrn|pf|nhc|hc|exp)\b\.?)[ \t:#.]*$"
)


def dea(hit: Hit) -> bool:
    """Two letters, seven digits and their checksum (21 CFR 1301, the DEA's published rule)."""
    if not whole(hit):
        return False
    d = [int(c) for c in hit.value[2:]]
    return (d[0] + d[2] + d[4] + 2 * (d[1] + d[3] + d[5])) % 10 == d[6]


def vin(hit: Hit) -> bool:
    """17 letters and digits, both present, with ISO 3779's check digit or a word before it."""
    value = hit.value
    if not whole(hit) or value.isdecimal() or sum(c.isdecimal() for c in value) < 5:
        return False
    table = dict(zip("ABCDEFGHJKLMNPRSTUVWXYZ", "12345678123457923456789", strict=True))
    weights = (8, 7, 6, 5, 4, 3, 2, 10, 0, 9, 8, 7, 6, 5, 4, 3, 2)
    rest = sum(w * int(table.get(c, c)) for c, w in zip(value, weights, strict=True)) % 11
    return value[8] == "0123456789X"[rest] or "vin" in hit.before(12).lower()


LOT = r"(?i)\b(?:lotes?|lots?|batch)[ .:#]{1,3}(?-i:(?P<v>[A-Z]{1,6}\d[A-Z0-9]*(?:-[A-Z0-9]{2,})?|\d{1,4}[A-Z]{1,3}\d?[A-Z0-9]{1,}(?:-[A-Z0-9]{2,})?|[A-Z]{2,6}-[A-Z]?\d[A-Z0-9]*))\b"
"""A lot or batch, however few its digits ("UP023AB")."""

IDS = (
    Pattern("ssn", 1, T.SSN, r"(?P<v>\d{3}-\d{2}-\d{4}|\d{3} \d{2} \d{4})", ssn),
    Pattern(
        "ssn-label", 1, T.SSN,
        r"(?i)(?:^|[^A-Za-z0-9])(?:ss[ \t]?[n#]|s\.s\.n?\.?|ssn|ss|soc(?:ial)?(?:[ \t]*\.?[ \t]*sec(?:urity)?)?\.?|social[ \t]+security)[ \t]*(?:no\.?|num(?:ber)?|\#|card|is|ends(?:[ \t]+in)?|ending(?:[ \t]+in)?|card[ \t]+ending|last[ \t]*(?:4|four)|\(?last[ \t]*(?:4|four)\)?|l4|[:#.=*])*[ \t]*"
        r"(?:[x*#.*_-]{3}[-/ ]?[x*#.*_-]{2}[-/ ]?|[x*#.*-]{1,9})?[ \t]*(?P<v>[0-9OlI]{3}[- ]?[0-9OlI]{2}[- ]?[0-9OlI]{4}|\d(?:[ ]?[- ]?[ ]?\d){8}|\d{4})", whole, ("ss", "soc"),
    ),
    Pattern("ssn-masked", 1, T.SSN, r"(?i)(?:[x*#*]{3}[-/]?[x*#*]{2}[-/]?|[x*#*]{4,9}-?)(?P<v>\d{4})", whole, ("xx", "**", "##"), 0.9),
    Pattern("ssn-last4", 1, T.SSN, r"(?i)last[ \t]*(?:4|four)(?:[ \t]*(?:of)?[ \t]*(?:the[ \t]+)?(?:ssn?|social(?:'s)?|soc|sec|\#|is|are|vrfd|verified|of))*[ \t]*[:#=,]*[ \t]*(?P<v>\d{4}|(?:(?:oh|zero|one|two|three|four|five|six|seven|eight|nine)[ ]?){4})", whole, ("last 4", "last four", "last4"), 0.8),
    Pattern("mrn", 1, T.MEDICALRECORD, _label(_MRN), labelled(4, dates=True)),
    Pattern("plan-id", 1, T.HEALTHPLAN, _label(_PLAN), labelled(5)),
    Pattern("account", 1, T.ACCOUNT, _label(_ACCT), labelled(5)),
    Pattern("licence", 1, T.LICENSE, _label(_LICENCE), labelled(4)),
    Pattern("npi", 1, T.LICENSE, r"(?i)\bnpi[ \t:#]*(?P<v>\d{10})", npi, ("npi",)),
    Pattern("dea", 1, T.LICENSE, r"(?P<v>[ABFGMPR][A-Z9]\d{7})", dea),
    Pattern("device", 1, T.DEVICE, r"(?:^|[^A-Za-z0-9-])(?i:" + _DEVICE + r")" + _SEP + VALUE, labelled(3)),
    Pattern("device", 1, T.DEVICE, _label(_MACHINE), machine),
    Pattern("lot", 1, T.DEVICE, LOT, whole, ("lot", "batch")),
    Pattern("udi", 1, T.DEVICE, r"(?P<v>\(01\)\d{14}(?:\(\d{2}\)[A-Za-z0-9]+)*)", whole, ("(01)",)),
    Pattern("vehicle", 1, T.VEHICLE, _label(_VEHICLE), labelled(3)),
    Pattern("vin", 1, T.VEHICLE, r"(?P<v>[A-HJ-NPR-Z0-9]{17})", vin),
    Pattern("tail-number", 1, T.VEHICLE, r"(?P<v>N[1-9]\d{1,3}[A-HJ-NP-Z]{1,2}|N[1-9]\d{2,4})", whole, ("n",), 0.4),
    Pattern("case-number", 1, T.IDNUM, _label(_CASE), labelled(5)),
    Pattern("case-number", 1, T.IDNUM, r"(?:^|[^A-Za-z0-9])(?i:" + _CASE + r")" + _MUST + r"[ \t:#.=]*\n?[ \t]*" + VALUE, labelled(3)),
    Pattern("case-number", 1, T.IDNUM, _label(_NUMBERED_THING), numbered),
    Pattern("number-ends", 1, T.IDNUM, r"(?i)\b(?:ids?|card|number|mrn|acct|account|rx|lic|npi|policy|case|claim)\b[^.\n0-9]{0,14}\bend(?:s|ing)\b(?:[ ](?:in|with))?[ ]+(?P<v>\d{3,5})\b", whole, (" end",), 0.9),
    Pattern("certified-mail", 1, T.IDNUM, r"(?P<v>7\d{3}(?:[ ]\d{4}){4})", whole, (), 1.0),
    Pattern("blood-unit", 1, T.IDNUM, r"(?P<v>[A-Z]\d{4}[ ]\d{2}[ ]\d{6}|W\d{12,13})", whole, (), 0.9),
    Pattern("hash-number", 1, T.IDNUM, r"(?:^|[^A-Za-z0-9&])\#[ \t]?(?P<v>[A-Z]{0,3}-?[0-9][0-9-]{3,}[0-9A-Z](?:-[0-9A-Z]+)*)", labelled(5, dates=True), ("#",), 0.6),
    Pattern("long-number", 1, T.IDNUM, r"(?P<v>\d{6,14}(?:-\d{1,3})?)", long_number, (), 0.4),
    Pattern("code", 1, T.IDNUM, r"(?P<v>[A-Z]{1,5}\d{5,12}|[A-Z]{1,5}-\d{4,10}(?:-[A-Z0-9]{1,4})?|[A-Z]{1,5}\d{0,2}-\d{2,4}-\d{3,7}(?:-[A-Z0-9]{1,4})?|\d{2}-\d{4,7}|\d{2,4}-[A-Z]{1,3}-\d{3,6}|\d{2,3}-\d{2,3}-\d{2,4})", code, (), 0.4),
    Pattern("specimen", 1, T.IDNUM, r"(?P<v>[A-Z]{1,3}\d{2}-\d{3,8}(?:-\d{1,3})?)", whole, ("-",), 0.6),
    Pattern("medicare", 1, T.HEALTHPLAN, r"(?P<v>[1-9][AC-HJKMNP-RT-Y][AC-HJKMNP-RT-Y0-9]\d-?[AC-HJKMNP-RT-Y][AC-HJKMNP-RT-Y0-9]\d-?[AC-HJKMNP-RT-Y]{2}\d{2})", whole, (), 0.9),
    Pattern("medicare", 1, T.HEALTHPLAN, r"(?P<v>\d{3}-\d{2}-\d{4}[A-DTM]\d?)", whole, ("-",), 0.9),
)  # fmt: skip
