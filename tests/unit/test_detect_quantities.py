"""Numbers of the clinic, codes and public lines, and the same forms where they are none."""

import pytest

from stream_deid.detect.patterns import Patterns
from stream_deid.detect.quantities.clinical import founded, harmless
from stream_deid.detect.quantities.public_lines import public
from stream_deid.detect.settle.fusion.voting import vote
from stream_deid.labels import PhiType
from stream_deid.note import Detection

T = PhiType

LEFT = [  # text, the span that a model marked, its type
    ("MoCA 24/30 today", "24/30", T.DATE), ("3/14 nodes positive", "3/14", T.DATE),
    ("dura 90 días", "90 días", T.AGE), ("cada 6 meses", "6 meses", T.DATE),
    ("TOF 2/4 with fade, sugammadex, then 4/4", "4/4", T.DATE),
    ("attended 9/12 PT visits", "9/12", T.DATE), ("Entresto 49/51 bid", "49/51", T.DATE),
    ("Entresto 24/26 c/12 h", "24/26", T.DATE), ("NPH 12/0/6, hypos 2/14 mornings", "2/14", T.DATE),
    ("NPH 12/0/6", "12/0/6", T.DATE), ("Humalog 6/8/8 with meals", "6/8/8", T.DATE),
    ("VA 6/9 and 6/12 unaided", "6/12", T.DATE), ("rv in 4/52", "4/52", T.DATE),
    ("labs in 6/12, scope later", "6/12", T.DATE), ("oral 88/196/171/120", "88/196", T.IDNUM),
    ("SNOMED CT 44054006 Diabetes", "44054006", T.IDNUM), ("CPT 47562, 45380", "45380", T.IDNUM),
    ("trial NCT03036124, EF 40", "NCT03036124", T.HEALTHPLAN),
    ("NM_000059.4:c.5946del", "c.5946", T.MEDICALRECORD),
    ("PT M-W-F, OT T/Th", "M-W-F", T.DOCTOR), ("OT T/Th, then SLP", "Th", T.DOCTOR),
    ("c/8 h x 7 dias y revalorar", "7", T.AGE), ("call or text 988", "988", T.PHONE),
    ("Poison control 1-800-222-1222", "1-800-222-1222", T.PHONE),
    ("NAMI 800-950-6264 flyers", "800-950-6264", T.PHONE),
    ("ORPHA 558, MONDO:0007947", "0007947", T.IDNUM),
    ("ORPHA 558, MONDO:0007947", "558", T.LOCATION_OTHER),
    ("NANDA 00132, NIC 1400, NOC 2102", "2102", T.MEDICALRECORD),
    ("BNP 20250 pg/mL. Acct", "pg", T.DOCTOR), ("BNP 20250 pg/mL. Acct", "mL", T.DOCTOR),
    ("warfarin 2.5 TuThSaSu since 1/15", "TuThSaSu", T.DOCTOR),
    ("dialisis TIW (lu-mi-vi) por FAV", "lu", T.DATE), ("dialisis lu/mi/vi", "vi", T.DOCTOR),
    ("tac el 3er dia, lleva sng", "3", T.DATE),
    ("chrX:32.491.320 (GRCh38)", "32.491", T.MEDICALRECORD),
    ("quit line 1-800-QUIT-NOW", "1-800-QUIT-NOW", T.PHONE),
    ("SLR OK 5/5. Lachman", "5", T.DATE), ("PAIN 9 TO 4/10. TDAP", "4", T.DATE),
    ("bladder scan was 612", "612", T.LOCATION_OTHER), ("globo vesical 612", "612", T.IDNUM),
    ("sugar 267 this am", "267", T.LOCATION_OTHER), ("ciwa 14->8", "14", T.DATE),
    ("29 yo G4P1112 @ 38w4d", "G", T.LOCATION_OTHER), ("FDS 5/5 EPL 4/5", "5/5", T.DATE),
    ("total 14, delay 2/12", "2/12", T.DATE), ("safe, gave 988", "988", T.LOCATION_OTHER),
    ("ok 988 any time", "988", T.IDNUM),
    ("Bup/nal 16/4 started", "16", T.DATE), ("Path in 5/7.", "5", T.DATE),
    ("hold x1 then 5/2.5 alternating", "5", T.DATE), ("RTC 12/12, MRI then", "12/12", T.DATE),
    ("cues 6/20 (30%) up", "6/20", T.DATE), ("Coughs in 2/5 efforts", "2/5", T.DATE),
    ("5 mg Mon Wed Fri, 2.5 mg else", "Mon Wed Fri", T.DATE),
    ("vanc Monday Wednesday Friday", "Monday", T.DATE), ("HD Mon/Wed, then", "Wed", T.DATE),
    ("lunes, miércoles y viernes", "lunes", T.DATE), ("dialysis Tues & Thurs", "Tues", T.DATE),
    ("lunes 3/4, martes 1/2, jueves 3/4", "1/2", T.DATE),
    ("lunes 3/4, martes 1/2, jueves 3/4", "jueves 3/4", T.DATE),
    ("TSH 0.27-4.20 mIU/L", "0.27-4", T.DATE), ("K 3.5-5.1", "3.5-5.1", T.DATE),
    ("Sintrom 4 mg: 3/4 lunes, 1/2 martes, 1/4 miércoles", "1/2", T.DATE),
    ("Sintrom 4 mg (3/4-1/2)", "3/4-1/2", T.DATE), ("Sinemet 1/2-0-1/2", "1/2", T.DATE),
    ("Sinemet 1/2-1/2-1/2-1/2", "1/2-1/2", T.DATE),
    ("Sinemet 1/2 - 1/2 - 1/2", "1/2 - 1/2", T.DATE),
    ("ACE-III: memory 11/26, fluency 6/14, attn 9/18", "6/14", T.DATE),
    ("Ticagrelor 90 c/12", "12", T.DATE), ("TBQ (20/d) activo", "20", T.DATE),
    ("Cord pH 7.24/7.31", "7.24", T.DATE), ("POD 5 Hartmann's", "5", T.DATE),
    ("Quiñones RN 0700-1930", "0700-1930", T.PHONE), ("shift 1900 - 0730", "1900 - 0730", T.IDNUM),
    ("TEACHING 1952-1988", "1952-1988", T.IDNUM),
    ("(eco 12+3)", "12", T.DATE), ("PSR 3/2/3//3/2/4", "3/2/3//3/2/4", T.DATE),
    ("NV: seat #14", "14", T.LOCATION_OTHER), ("ESRD 2/2 IgAN", "2/2", T.DATE),
    ("hit 2/2 in 2017", "2/2", T.DATE), ("treated rifinah 3/12", "3/12", T.DATE),
    ("Vuelve en 3/12", "3/12", T.DATE), ("hep B 2/3 given", "2/3", T.DATE),
    ("ER 8/8, PR 7/8, HER2 1+", "8/8", T.DATE), ("ER 8/8, PR 7/8, HER2 1+", "7/8", T.DATE),
    ("IDC, ER pos 5/8", "5/8", T.DATE), ("ER 8/8, PR 7/8. Grade 2", "7/8", T.DATE),
    ("radioterapia con boost 9/5.", "9/5", T.DATE),
    ("boost 9/5, cape", "9/5", T.DATE), ("jaula 12/8", "12/8", T.DATE),
    ("WBC 7.2>10.1/31.4<233", "10.1/31", T.DATE), ("dara wk 9/24", "9/24", T.DATE),
    ("Tc-99m sestamibi", "Tc-99m", T.LOCATION_OTHER), ("near J3 OU", "J3 OU", T.LOCATION_OTHER),
    ("Jones at 5th MT base", "5th MT base", T.LOCATION_OTHER),
    ("988 press 1", "988", T.LOCATION_OTHER), ("brazo post.; 70 s", "70 s", T.AGE),
    ("Edinburgh 12/30 with item 10", "12/30", T.DATE),
    ("NANDA 00132, NIC 1400; 00085", "00085", T.MEDICALRECORD),
    ("curva 88-176-151-99", "88-176-151-99", T.PHONE),
    ("Perio: PSR 3/2/3//3/2/4. PD", "3/2/3//3/2/4", T.DATE), ("NV: seat #14.", "14", T.IDNUM),
    ("Cord pH 7.24/7.31. Placenta", "7", T.DATE), ("POD 5 Hartmann's", "5", T.HOSPITAL),
    ("colonoscopy (BBPS 9).", "9", T.LOCATION_OTHER), ("cPRA 97", "97", T.LOCATION_OTHER),
    ("TBQ (20/d, dejó en mayo)", "20/d", T.DATE), ("Endo 11 (2010)", "11", T.DATE),
    ("hip flexors 8/8.4 N", "8/8.4", T.DATE), ("ratio 12.5/6.3", "12.5/6.3", T.DATE),
    ("Augmentin 875/125 bid", "875/125", T.DATE), ("PaO2/FiO2 80/50, then 12,5/6,3", "5/6", T.DATE),
    ("PAIN 8/1O today", "8/1O", T.DATE), ("q6-12/12 prn", "q6-12/12", T.DATE),
    ("LOS 5d, home", "5d", T.AGE),
    ("thank you &#128591; bye", "128591", T.IDNUM), ("Hand surg Dr&nbsp;Ekstrom", "nbsp", T.DOCTOR),
]  # fmt: skip
KEPT = [
    ("seen in ER 8/8 for pain", "8/8", T.DATE), ("ER 8/8 for CP", "8/8", T.DATE),
    ("went to ER 7/8, known IDC", "7/8", T.DATE),
    ("visto 1/2 lunes, control 3/4 martes", "1/2", T.DATE),
    ("seen 1/2 Mon and 3/4 Tue", "3/4", T.DATE), ("drawn 1/2-1/4", "1/2", T.DATE),
    ("seen 3/14 by Dr. Lee", "3/14", T.DATE), ("Going to Poland 6/12-7/3!", "6/12", T.DATE),
    ("cert period 10/22-01/19", "10/22", T.DATE), ("f/u PT/INR 12/26 w/ Dr. M", "12/26", T.DATE),
    ("iStent OD 4/9 @ Ozark ASC", "4/9", T.DATE), ("Rep July 23/19", "July 23/19", T.DATE),
    ("implanted 6/12", "6/12", T.DATE), ("DOB 3/2/20", "3/2/20", T.DATE),
    ("case 44054006 of the court", "44054006", T.IDNUM), ("call 419-555-0132", "132", T.PHONE),
    ("room 988", "988", T.LOCATION_OTHER), ("MRN 911", "911", T.MEDICALRECORD),
    ("Dr. May saw him", "May", T.DOCTOR), ("a man of 7", "7", T.AGE),
    ("cita lunes 3/4 con su medico", "lunes 3/4", T.DATE), ("seen Mon 3/4", "Mon 3/4", T.DATE),
    ("on Monday sat with her", "Monday", T.DATE), ("seen Monday and 3/4", "Monday", T.DATE),
    ("PT Mon 1/2, Wed 1/4", "Wed 1/4", T.DATE),
    ("ingreso 03.12-15.12", "03.12-15.12", T.DATE),
    ("dict 3/9 / lh", "3", T.DATE), ("seen 3/9", "9", T.DATE),
    ("cx from 2/2 grew GPC", "2/2", T.DATE), ("placed by Holter 2/1", "2/1", T.DATE),
    ("F/u De Bakker 3/12 1:15", "3/12", T.DATE), ("abx 8/1 -> 10/24", "10/24", T.DATE),
    ("cell 617-555-01-43", "617-555-01-43", T.PHONE), ("a 600-55-01-43", "600-55-01-43", T.PHONE),
    ("Tel. 55-12-34-56-78", "55-12-34-56-78", T.PHONE), ("bed 5, moved to 5th", "5", T.DATE),
    ("parked on level P2", "P2", T.LOCATION_OTHER),
    ("Smith&Jones; LLP", "Jones", T.DOCTOR), ("bed #9, pain 3", "9", T.LOCATION_OTHER),
    ("Bus #18 driver", "18", T.LOCATION_OTHER), ("moved to 9", "9", T.LOCATION_OTHER),
    ("|Fast 3|", "3", T.LOCATION_OTHER),
    ("AT&Long; and", "Long", T.PATIENT),
    ("visits 3/4,5/6,7/8", "5/6", T.DATE), ("seen 12/2019", "12/2019", T.DATE),
    ("seen 3/I4 by Dr. Lee", "3/I4", T.DATE), ("DOB 8/8.", "8/8", T.DATE),
    ("Edad: 5 meses Sexo: H", "5 meses", T.AGE), ("niña de 18 meses que", "18 meses", T.AGE),
    ("Edad: 13 días", "13 días", T.AGE), ("a los tres meses de edad", "tres meses", T.AGE),
]  # fmt: skip


def at(text: str, marked: str) -> tuple[int, int]:
    start = text.rindex(marked)
    return start, start + len(marked)


@pytest.mark.parametrize(("text", "marked", "phi"), LEFT)
def test_what_means_something_clinical_or_public_is_let_go(text, marked, phi):
    assert harmless(text, *at(text, marked), phi)


@pytest.mark.parametrize(("text", "marked", "phi"), KEPT)
def test_the_same_forms_with_a_reason_stay(text, marked, phi):
    assert not harmless(text, *at(text, marked), phi)


def test_only_patterns_without_a_label_are_judged():
    text = "Poison control 1-800-222-1222"
    start, end = at(text, "1-800-222-1222")
    assert public(text, start, end)
    assert not founded(text, Detection(start, end, T.PHONE, "phone@1"))
    assert founded(text, Detection(start, end, T.PHONE, "known@1"))
    assert founded(text, Detection(start, end, T.MEDICALRECORD, "mrn@1"))


def test_a_run_without_end_is_no_quantity():
    """Found by `fuzz`: each of a thousand spans of it went through all of it."""
    chain = "1/2/3/4/" * 100
    assert harmless(chain[:31], 0, 1, T.DATE)
    assert not harmless(chain, 400, 401, T.DATE)


@pytest.mark.parametrize(
    "text",
    [
        "Rx 50000 IU vitamin D weekly", "Infant born 1850 g at 32 weeks", "flush Q4 30 mL",
        "Keep HR60-100, MAP65-100", "Patient is 94 on RA", "Temp 98 F, then 101 F",
        "98 F", "febrile to 101 F overnight", "spiked to 103 F",
        "group A 100000 CFU", "Report 2500 steps daily", "SS 5000 units heparin",
    ],
)  # fmt: skip
def test_a_number_with_its_unit_is_nobodys(text):
    assert vote(text, Patterns("en").detect(text)) == ()


@pytest.mark.parametrize("text", ["Rx 5000017, IU", "Born 1950, 80 kg", "on June 3 Mg was 1.9"])
def test_a_unit_further_on_says_nothing_of_it(text):
    assert vote(text, Patterns("en").detect(text))
