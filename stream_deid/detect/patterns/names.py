"""Names after strong cues only: titles, labels, signature lines, dictation initials, log-ins.

    titled   = ("Dr." | "Mrs." | ...) Name{1,3}            the title stays outside
    labelled = ("Patient:" | "Attending:" | ...) name      "LAST, FIRST M" or "First M. Last"
    signed   = "Electronically signed by" name
    initials = "D:" date? initials "T:" initials | INI "/" ini    at the end of dictations
    login    = ("user" | "login" | "username") word

A name is capitalised words with particles; words of the vocabulary of medicine and eponyms are
none unless a title stands before them.
"""

# Regular expressions stay on one line, beside their grammar; tables of words stay words.
# ruff: noqa: E501, SIM905

from __future__ import annotations

from stream_deid.detect.patterns.base import Context, Hit, Pattern, whole
from stream_deid.detect.patterns.names_spoken import FOLLOWS
from stream_deid.detect.patterns.names_words import (
    ABBREVIATED,
    IMAGED,
    KEYS,
    OFFICES,
    ORGANS,
    STATUS,
    WEEKDAYS,
)
from stream_deid.labels import PhiType
from stream_deid.lists.terms import mistaken

T = PhiType
_CAP = r"(?:[A-Z][A-Za-z']*\p{L}(?:-[A-Z][A-Za-z]+)*\b|[A-Z]\.)"
_PART = r"(?:(?i:de|del|la|las|los|van|von|der|den|di|da|dos|du|le|bin|ibn|al|el|st\.?|y|i)[ ]+)"
FULLNAME = (
    r"(?:" + _PART + r"){0,3}" + _CAP + r"(?:[ \t]+(?:(?:" + _PART + r"){0,2})" + _CAP + r"){0,3}"
)
_CAPS = r"[A-Z][A-Z'-]+"
REVERSED = (
    r"(?:"
    + _CAPS
    + r"(?:[ \t]"
    + _CAPS
    + r"){0,2}|[A-Z][A-Za-z'-]+(?:[ \t][A-Z][A-Za-z'-]+)?)[ \t]?,[ \t]?[A-Z][A-Za-z'-]*(?:[ \t][A-Z][A-Za-z'-]*\.?){0,2}"
)

_STOP = frozenset(
    "the this that patient pt none unknown see per and or for with from not no yes history exam date time mr mrs ms dr md rn phone fax "
    "address age sex gender dob mrn room admit admitted discharge service department dept hospital clinic center centre medical medicine "
    "surgery unit ward emergency cardiology oncology internal family note report signature print printed name attending resident nurse "
    "physician provider doctor consult referring primary care pcp self same n/a na tbd pending on call team staff office services day night "
    "shift chief complaint diagnosis allergies medications plan assessment mother father wife husband son daughter sister brother spouse "
    "parent caregiver friend guardian relationship contact social worker therapist pharmacist he she they it his her i we you in at by to of "
    "el la los las paciente nombre apellidos fecha edad sexo médico medico doctor servicio hospital centro unidad dirección domicilio teléfono "
    "telefono historia ingreso alta motivo remitido don doña señor señora de del colegiado nº número episodio firma fdo urgencias consulta".split()
)


_CUT = frozenset(
    "both that he she they we i you has have had was were is are be been will would does did do not no per to at of for in on from with by and or but so as if when "
    "her his its their our my your this these those who which what because about after before since until during while again also then there here out up off over back down "
    "tolerated paged called seated followed written notified aware orders ordered states stated says said saw seen sees asked came comes wants wanted see sent gave given returned advised recommended "
    "agrees agreed reviewed reports reported requests requested denies present presented accepted room dated signed dictated please pls scheduled receiving via re cc dob mrn age sex "
    "md do rn np pa phd lpn cna msw lcsw pharmd cpht rph dpt mph facs facc ms dds crna "
    "aprn arnp fnp dnp lvn bsn cnm psyd emt rrt lmsw licsw mbbs dpm "
    "monday tuesday wednesday thursday friday saturday sunday mon tue tues wed thu thur thurs fri sat sun january february march april june july august september october november december "
    "jan feb mar apr jun jul aug sep sept oct nov dec hospital clinic medical center centre office department dept service health care family surgery medicine cardiology oncology "
    "el la los las de del que se su con por para en al un una es fue no refiere niega acude presenta paciente fecha edad sexo dni nhc hospital servicio centro urgencias consulta calle tel fax "
    "nocol ncol col colegiado nass correo correos email e-mail instituto paseo apartado avda av avenida plaza carretera ctra departament departamento direccion complejo clinica "
    "fundacion universidad unidad seccion oncologia urologia pediatria cirugia medica medicina nefrologia neurologia cardiologia patologica domicilio "
    "residente facultad asociacion institut departament mds upin npi mp mn mb mat jvpm jvpe mpps cjp rne rp cmp cmh cop rpm reg ced cedula exequatur matricula rut rfc nie "
    "instrumentista protocolo prevision seguro profesion".split()
)
_NO_NAME = frozenset(
    "mri ct mra thoracic lumbar cervical spine brain abdomen pelvis chest head neck clean sched angiogram angio cholangiogram enterography urogram cabg dm htn cad copd rass ciwa ebl gpr re fw fwd "
    "mhls summary anyone employer high savary rev sure yes no ok okay well yeah thanks hello hi how can then before is my only seen examined examinee pharmacy radiology pathology laboratory lab anesthesia neurology nephrology urology pulmonary psychiatry orthopedics neurosurgery mental claimant prescription request refill lungs that's i'll i'm he's she's it's you're we're they're don't didn't what why when where who "
    "desconocido desconocida enfermeria consciente estable tranquilo tranquila continuar revisar dieta sanitario derecha derecho izquierda izquierdo libre exploracion guardia responsable varon mujer hombre nino nina en prof gral esp enf obst sst ts cop lic adal se suspender pasa taco dra nocol ncol bioq tel cipa licencia asesor notificador direccion right left new old good unknown see general normal positive negative active chronic acute".split()
)


def name_like(hit: Hit) -> bool | int:
    """How much of the value is a name: it ends before a word that no name holds.

    Nothing, where its first word is one that forms and sentences put there. A run of capitals
    counts two words at most, as in a note that is all in capitals. Another column of a form
    isn't part of it.
    """
    if hit.start and hit.text[hit.start - 1].isalnum():
        return False
    value = _first_column(hit.value)
    words = value.replace(",", " ").split()
    first = words[0].strip(".").lower()
    if first in _STOP or first in _NO_NAME or len(value) < 2:
        return False
    comma = "," in value
    most = 3 if value.isupper() and not comma else 9
    at = 0
    for count, word in enumerate(words):
        start = value.index(word, at)
        bare = word.strip(".").lower()
        particle = bare in _PARTICLES and count + 1 < len(words)
        ends = bare in _CUT or bare in _STOP or _certified(bare) or count >= most
        if count and not particle and ends:
            return len(value[:start].rstrip(" ,.-"))
        at = start + len(word)
        if bare.endswith("'s"):
            return at - 2
    return _finished(hit, at)


def _certified(word: str) -> bool:
    """A credential with its board's letters: "pa-c", "fnp-bc", "emt-p"."""
    credential, _, board = word.partition("-")
    return board in _BOARDS and credential in _CUT


def _first_column(value: str) -> str:
    """What stands before a tab or a run of blanks."""
    ends = [at for at in (value.find("\t"), value.find("   ")) if at > 0]
    return value[: min(ends)] if ends else value


_BOARDS = frozenset("c bc cs p l b".split())
_PARTICLES = frozenset(
    "de del la las los van von der den di da dos du le bin ibn al el st y i".split()
)


def _finished(hit: Hit, length: int) -> bool | int:
    """The whole value, unless a word goes on behind it."""
    end = hit.start + length
    if end < len(hit.text) and hit.text[end].isalnum() and hit.text[end - 1].isalnum():
        return False
    return length


def label_name(hit: Hit) -> bool | int:
    """A name behind a label of a form; no disease, drug or first word of a speaker's sentence."""
    length = name_like(hit)
    if not length or _first_word(hit.value) in STATUS:
        return False
    value = hit.value[:length] if length is not True else hit.value
    if mistaken(value, 0, len(value), PhiType.PATIENT):
        return False
    after = hit.text[hit.start + len(value) : hit.start + len(value) + 3]
    single = " " not in value and "," not in value
    if single and (
        (after[:1] == " " and after[1:2].islower())
        or ("'" in value and value[-2:] in ("'s", "'m", "'t", "re", "ll"))
    ):
        return False
    return not (single and value.isupper() and len(value) < 4) and length


def login(hit: Hit) -> bool:
    """A log-in: a digit, a dot or underscore, capitals, or small letters behind a colon."""
    value = hit.value
    if not whole(hit) or value.lower() in _LOGIN_STOP:
        return False
    if _ANALYTE.match(value):
        return False
    marked = any(c.isdecimal() or c in "._" for c in value) or value.isupper()
    prose = hit.before(6).lower().endswith(("user ", "users ", "log in "))
    return len(value) >= 4 and (marked or (value.islower() and not prose))


def speaker(hit: Hit) -> bool:
    """A log-in at the start of a line; no key of a list ("member.id   4471"), no "b.i.d"."""
    parts = hit.value.replace("_", ".").split(".")
    dotted = len(parts) > 1 and (max(map(len, parts)) == 1 or not KEYS.isdisjoint(parts))
    key = dotted or _KEY_AFTER.match(hit.after(40)) or _ANALYTE.match(hit.value)
    return whole(hit) and not key


_ANALYTE = Context(
    r"(?i)^(?:[a-z]{0,3}(?:o2|co2|co3|po4|so4)|(?:phq|gad|hba1c?|cd|ca|ck|ft|il|ige?|igg|vit|vitb|cyp|abo|rh|map|fev|dlco|htn|dm|grade|stage|type|day|week|dose|cycle|level|room|bed|unit|line|lead|tube|drain|step|part|page|note|item|tier|phase|score|lot|exp|age|temp|resp|pulse|pain|site|chair|pod|bay|floor|box|kit|bag|set|trip|visit|test|plan|goal|lab|loc|ext|ste|apt|ins|sec|dept|form|fig|vol|ver|rev|seq|ser|num|ref|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|mon|tue|wed|thu|fri|sat|sun)\d+)$"
)
_KEY_AFTER = Context(r"^[ \t]*=")
_LOGIN_STOP = frozenset(
    "name login logged user users defined error access manual unknown system admin was with from and the has is id group type role on off at in to".split()
)
_TITLE_EN = r"(?:Dr|DR|Drs|Doctor|Prof|Professor)"
_TITLE_MISC = r"(?:Mr|Mrs|Ms|Miss|Mx|MR|MRS|MS|MISS|Mister|Sister|Sr|Fr|Father|Rev|Reverend|Rabbi|Imam|Deacon|Chaplain|Officer|Ofc|Deputy|Sgt|Lt|Cpt|Capt|Judge|Pastor|Madam|Mme|Monsieur|Aunt|Uncle)"
_NURSE = (
    r"(?:Nurse|NP|PA|RN|LPN|CNA|Tech|PharmD|RT|MA|SW|LCSW|CRNA|Attending|Fellow|Resident|Intern)"
)


def lower_name(hit: Hit) -> bool:
    return whole(hit) and hit.value not in _LOWER_STOP | FOLLOWS


_LOWER_STOP = frozenset(
    "who and the said says has had was will about for with office visit note appt appointment out not did wants list bills review letter rec recs rounds line told today call called aware orders order notified here may can should would please when then that this his her she they are you your our on at in to of or is it if from regarding also states asked recommended thinks".split()
)


def titled(hit: Hit) -> bool | int:
    """A name after a title; bare "MR", "MS", "Fr" and "Father" need more than capitals behind."""
    words = hit.before(16).split()
    first = _first_word(hit.value)
    title = (words[-1:] or [""])[0].rstrip(".")
    value = hit.value
    if (
        (title in _KIN and first in STATUS | ORGANS)
        or _BRAND.search(f"{title} {value}")
        or (title in _SIDES and first in IMAGED)
    ):
        return False
    if (
        title in ("Fr", "FR", "Sr", "Madam", "Officer")
        and (words[-2:-1] or [""])[0][-1:].isdecimal()
    ):
        return False
    if value.isupper() and not title.isupper() and len(value) <= 5:
        return False
    if title in ("MR", "MS") and not _all_capitals(hit):
        medical = value.isupper() or title == "MS" or not _PERSONAL.search(hit.before(24))
        return not medical and name_like(hit)
    return name_like(hit)


def doctor(hit: Hit) -> bool | int:
    """A name after "Dr."; no maker of shoes, bottles and drinks."""
    return not _BRAND.search("dr " + hit.value + hit.after(8)) and name_like(hit)


def _first_word(value: str) -> str:
    """The first word of a value, in small letters."""
    return value.replace(",", " ").split()[0].strip(".'").lower()


_KIN = ("Father", "Sister", "Aunt", "Uncle", "Miss")
_BRAND = Context(
    r"(?i)^(?:dr scholl|dr pepper|dr bronner|dr brown'?s? (?:preemie|bottle|nipple)|mrs dash|ms contin|fr foley|mr clean|mr coffee|sister mary joseph)\b"
)
_SIDES = ("MR", "Lt")
_PERSONAL = Context(
    r"(?i)(?:^|[\n.,:;(\x22-][ ]*|\b(?:saw|see|for|with|by|to|and|from|that|dear|called|told|as|re|regarding|is|was|when|if|while|because|but|then)[ ]+)MR\.?[ \t]*$"
)


def _all_capitals(hit: Hit) -> bool:
    """The text around is in capitals, so that "MR" is no murmur and no picture."""
    around = hit.before(40) + hit.value + hit.after(20)
    return sum(c.islower() for c in around) <= 2


def signer(hit: Hit) -> bool | int:
    """A name behind "signed by"; no office and no machine."""
    return _first_word(hit.value) not in STATUS | WEEKDAYS and name_like(hit)


def copied(hit: Hit) -> bool | int:
    """A name behind "cc:" of a letter; a chief complaint goes on in small letters or capitals."""
    length = label_name(hit)
    if "pain" in hit.value.lower().split():
        return False
    end = hit.end if length is True else hit.start + int(length)
    after = hit.text[end : end + 8]
    shouted = hit.text[hit.start : end].isupper() and after[:1] == " " and after[1:2].isalpha()
    return not shouted and not _COMPLAINT.match(after) and length


_COMPLAINT = Context(r"^ (?:for|x|since|with|on|of|after|in|s/p)\b")


def credential(hit: Hit) -> bool | int:
    """At least two words before a credential that stands after a comma or can be nothing else."""
    words = [w.strip(".").lower() for w in hit.value.replace(",", " ").split()]
    if (
        _first_column(hit.value) != hit.value
        or len(words) < 2
        or not (_STOP | _CUT | OFFICES).isdisjoint(words)
    ):
        return False
    if hit.groups.get("loose") and hit.value.isupper():
        return False
    return name_like(hit)


_PAIR_STOP = frozenset(
    "am pm mg ml kg cm mm lb lbs hr hrs min mcg wk mo yr yrs cc bid tid qid po iv im prn sc nutr res".split()
)


def initials(hit: Hit) -> bool:
    """Initials of who dictated and who typed; no two abbreviations ("PT/inr", "BUN/cr")."""
    first = hit.after(1) in ("/", ":")
    mate = hit.after(6)[1:].split()[:1] if first else hit.before(6)[:-1].split()[-1:]
    both = [hit.value.lower(), *(word.lower() for word in mate)]
    return whole(hit) and hit.value.lower() not in _PAIR_STOP and not ABBREVIATED.issuperset(both)


def typist(hit: Hit) -> bool:
    return whole(hit) and hit.value.lower() not in _PAIR_STOP | ABBREVIATED


ENGLISH = (
    Pattern("name-title", 1, T.DOCTOR, r"\b" + _TITLE_EN + r"s?(?:\.[ \t]*|[ \t]+)\n?(?P<v>" + FULLNAME + ")", doctor),
    Pattern("name-title", 1, T.DOCTOR, r"\bdr\.?[ \t]+(?P<v>[a-z]{3,})", lower_name, ("dr",), 0.6),
    Pattern("name-title", 1, T.PATIENT, r"\b" + _TITLE_MISC + r"(?:\.[ \t]*|[ \t]+)(?P<v>" + FULLNAME + ")", titled, (), 0.9),
    Pattern("name-signed", 1, T.DOCTOR, r"(?i:electronically|digitally|e-?)[ \t-]*(?i:signed|authenticated|verified|approved|reviewed|co-?signed)(?:[ \t]+(?i:and[ \t]+\w+))?(?:[ \t]*(?i:by))?[ \t]*[:/]*[ \t]*\n?[ \t]*(?:(?i:dr)\.?[ \t]+)?(?P<v>" + REVERSED + "|" + FULLNAME + ")", signer, ("sign", "verif", "authen", "approv", "review")),
    Pattern("name-signed", 1, T.DOCTOR, r"(?i:(?:signed|dictated|transcribed|authenticated|reviewed|verified|approved|read|interpreted|prepared|entered|completed|performed|ordered|collected|witnessed|edited|typed|documented|electronically signed|co-?signed|recorded|dispensed|drawn)[ \t]+by)[ \t]*[:/]?[ \t]*(?:(?i:dr)\.?[ \t]+)?(?P<v>" + REVERSED + "|" + FULLNAME + ")", signer, (" by",), 0.9),
    Pattern("name-label", 1, T.DOCTOR, r"(?i:\b(?:attending|surgeon|assistant|anesthesiologist|referring(?:[ \t]+(?:physician|provider|md|dr))?|ref(?:erring)?[ \t]+(?:md|dr|phys)|pcp|provider|physician|radiologist|pathologist|consultant|resident|fellow|intern|nurse|rn|md|author|signature|prescriber|ordering(?:[ \t]+(?:physician|provider|md))?|primary care(?:[ \t]+(?:physician|provider))?|admitting(?:[ \t]+(?:physician|md))?|attg|attn|dictating(?:[ \t]+(?:physician|md))?|therapist|interviewer|evaluator|examiner|technologist|tech|pharmacist|case manager|social worker|chaplain|interpreter|midwife))[ \t]*[:=][ \t]*(?:(?i:dr|dra|prof)\.?[ \t]+)?(?P<v>" + REVERSED + "|" + FULLNAME + ")", label_name, (":", "="), 0.9),
    Pattern("name-label", 1, T.PATIENT, r"(?i:\b(?:patient(?:[ \t]+name)?|pt(?:[ \t]+name)?|name|pat(?:ient)?[ \t]*name|pt|full[ \t]+name|last[ \t]+name|first[ \t]+name|surname|mother|father|spouse|wife|husband|guardian|guarantor|subscriber|insured|next of kin|nok|emergency contact|client|resident|caller|informant|contact|re|patient's name|son|daughter|member|partner|caregiver|responsible party|policyholder|alias|aka|maiden name))[ \t]*[:=][ \t]*(?:(?i:mr|mrs|ms|miss)\.?[ \t]+)?(?P<v>" + REVERSED + "|" + FULLNAME + ")", label_name, (":", "="), 0.8),
    Pattern("name-cc", 1, T.DOCTOR, r"(?m:^)[ \t]*(?i:cc)[ \t]*:[ \t]*(?:(?i:dr)\.?[ \t]+)?(?P<v>" + REVERSED + "|" + FULLNAME + ")", copied, ("cc",), 0.8),
    Pattern("name-credential", 1, T.DOCTOR, r"(?P<v>" + FULLNAME + r")(?:,[ ]?|[ ]{1,2})(?:M\.?D|D\.?O|R\.?N|N\.?P|PA-C|Ph\.?D|LCSW|MSW|LPN|CRNA|FNP(?:-(?:BC|C))?|APRN|ARNP|Pharm\.?D|RPh|DPT|OTR/L|CCC-SLP|RRT|DDS|DMD|MBBS|BSN|CNM|PsyD|FACS|FACC|DPM|LMSW|LISW|RDN|CNA|EMT-P|EMT|MPH|AuD|(?P<loose>PT|OT|RD|OD|RT|SW))\b", credential, (), 0.8),
    Pattern("initials", 1, T.DOCTOR, r"(?:^|[\n \t])(?P<v1>[A-Z]{2,4})[/:](?P<v2>[a-z]{2,4}\d?)(?:[ \t]*(?:$|\n|[ \t]{2,}))", initials, ("/", ":"), 0.8),
    Pattern("initials", 1, T.DOCTOR, r"\b(?:D|DD|DICT|Dict|d)[:/.][ \t]*(?:[\d/.: -]{4,22}[ \t]*)?(?P<v1>[A-Z]{2,3}|[a-z]{2,3})[ \t]+(?:T|DT|TT|TR|TRANS|Trans|t)[:/.][ \t]*(?:[\d/.: -]{4,22}[ \t]*)?(?P<v2>[A-Z]{2,3}|[a-z]{2,3})\b", typist, (), 0.8),
    Pattern("login", 1, T.USERNAME, r"(?i)\b(?:user(?:[ \t]*(?:name|id))?|username|login|log[ \t-]in|logon|userid|uid|logged[ \t]+in[ \t]+as|account[ \t]+name|network[ \t]+id|performed[ \t]+by[ \t]+user|entered[ \t]+by[ \t]+user)[ \t]*[:=]*[ \t]*(?P<v>[a-z][a-z0-9._-]{2,}[a-z0-9])", login, ("user", "log", "uid", "network", "account")),
    Pattern("login", 1, T.USERNAME, r"(?i)(?:/es/|e-?sig(?:ned|nature)?|electronically[ \t]+signed(?:[ \t]+by)?|signed[ \t]+by|printed[ \t]+by|viewed(?:[ \t]+by)?|entered(?:[ \t]+by)?|run[ \t]+by|saved[ \t]+by)[ \t:]*(?P<v>[a-z]+[._]?[a-z]*\d{1,3}|[a-z]+[._][a-z]+\d*)\b", login, (), 0.9),
    Pattern("login", 1, T.USERNAME, r"(?:^|\n|\d\d:\d\d(?::\d\d)?\)?[ap]?[ \t|]+)@?(?P<v>[a-z][a-z0-9]*[._][a-z0-9._]*[a-z0-9]|[a-z]{3,}\d{1,3})(?:[ \t]{1,2}|:)", speaker, (), 0.8),
    Pattern("login", 1, T.USERNAME, r"(?i)\b(?:by|usr|user|agent|reviewer|adjuster|acct|login|host|as|requested|drafted|signed|viewed|opened|edited)[ \t:=(]+(?P<v>[a-z]+_[a-z0-9_]+|[a-z]+\.[a-z]+\d*|[a-z]{3,}\d{1,3})\b", login, (), 0.7),
    Pattern("login", 1, T.USERNAME, r"(?:^|[\s(\[])(?P<v>@[A-Za-z][A-Za-z0-9]*[._][A-Za-z0-9._]*[A-Za-z0-9])", whole, ("@",), 0.8),
)  # fmt: skip
