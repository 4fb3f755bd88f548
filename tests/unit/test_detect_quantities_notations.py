"""Notations that a whole line explains are no identifiers; the same form elsewhere is."""

import pytest
from marked_spans import place

from stream_deid.detect.quantities.clinical import harmless
from stream_deid.detect.quantities.scanned import as_digits
from stream_deid.labels import PhiType as T

CLINICAL = [
    ("EFW 7/10 lb. [G3P1011]. Partner", T.DEVICE), ("Strength 4/5 and [3/5]", T.DATE),
    ("go to [seven fifty] q twenty four", T.IDNUM), ("to [seven] fifty milligrams", T.PHONE),
    ("take [monday wednesday friday two] and a half", T.DATE),
    ("no falls. mrs [3]. x", T.LOCATION_OTHER),
    ("SNOMED M-85003, [T-04030].", T.IDNUM), ("MCG [S-5750]. Chair", T.IDNUM),
    ("Toxicología [915] 620 420.", T.PHONE), ("Toxicología 915 [620] 420", T.PHONE),
    ("42 CFR [422.584])", T.IDNUM), ("call [nine one one] your", T.PHONE),
    ("OD [20]/30-2, OS", T.DATE), ("OS [20/80] PH", T.DATE),
    ("[3/7] cough", T.DATE), ("c/o [3/7] h/o productive cough, SOB", T.DATE),
    ("[3/7] cough, 1/7 fever", T.DATE), ("Completed [5/7] course of abx", T.DATE),
    ("[3/12] weight loss. 2/52 night sweats", T.DATE), ("[10/7] loose stools", T.DATE),
    ("Mix [11/2] cups with water", T.DATE), ("add [21/4] tsp of salt", T.DATE),
    ("takes [21/2] tablets", T.DATE), ("toma [11/2] comprimidos", T.DATE),
    ("VSS [4/13], scar pliable", T.DATE), ("R: [12/9/8] L: 11/10, follicles", T.DATE),
    ("follicles [14/12] on the left", T.DATE), ("foliculos OD [12/10/9], OI 8", T.DATE),
    ("SBT on [5/5] for 30 min", T.DATE), ("NMES 50 Hz [10/30]", T.DATE),
    ("with a [1/6] apical PSM", T.DATE), ("watch [1/6] -> 3/6 apical m.", T.DATE),
    ("MLH1/MSH2 intact ([4/4])", T.DATE), ("slides [12/12] returned", T.DATE),
    ("UA: LE 2+, WBC [10]-20/hpf", T.DATE), ("WBC [5-10] per hpf", T.DATE),
    ("leucos [10-12]/campo", T.DATE), ("TAT [10-14] d", T.DATE), ("audiogram [10-15] dB", T.DATE),
    ("O2 at home [90-91] (base 93-94)", T.LOCATION_OTHER), ("93-94 on [2L])", T.LOCATION_OTHER),
    ("brought by police on [5150] from the station", T.LOCATION_OTHER),
    ("OBX|2|NM|HGB||7.9|g/dL|[12-16]|L", T.DATE), ("pH [7.27/52] K 4", T.DATE),
    ("Child-Pugh B [8/15].", T.DATE), ("Leech [11/15], plan", T.DATE),
    ("RPE [11-13/20] on walk", T.DATE), ("pain [4-6/10] at rest", T.DATE),
    ("Snellen:[20/40OD20/25]OSMono", T.DATE), ("VA [20]/40OD 20/25OS", T.DATE),
    ("DLQI [12/30]", T.DATE), ("POEM [11/28]", T.DATE),
    ("Cuadro de [9] dias", T.AGE),
    ("Water intake [11/2] - 3 cups daily", T.DATE), ("[1/2] - 1 tab", T.DATE),
    ("FAST neg [4/4]. Pelvis stable", T.DATE), ("Ht [5/4] Wt 160", T.DATE),
    ("iron sat [10/12], TIBC 420", T.DATE), ("Goal 2 [11/15], Goal 3 7/10", T.DATE),
    ("Progress [8/12].", T.DATE), ("TVUS: R [14/12], 13/11", T.DATE),
    ("TVUS: R 14/12, [13/11]", T.DATE), ("P.[01/02] FROM: FAX", T.DATE),
    ("P.[0l/02] FROM: FAX", T.DATE), ("Caries on [2/15], 12/13.", T.DATE),
    ("Caries on 2/15, [12/13].", T.DATE), ("decay [2/15], 12/13, watch 30", T.DATE),
    ("Tacrolimus 9.8 (goal [10-12])", T.DATE), ("tac 7.4, [10-12] goal", T.DATE),
    ("FVL het, PT [G20210A] neg", T.IDNUM), ("teeth #[12-14] FPD", T.DATE),
    ("by [U-500] syringe", T.LOCATION_OTHER), ("IMRT then [9/5] boost", T.DATE),
    ("BRAF [V600E], EGFR wt", T.IDNUM), ("HFE C282Y/H63D, MTHFR [C677T]", T.IDNUM),
    ("HFE H63D/[C282Y]", T.IDNUM), ("FII [20210A] -", T.IDNUM),
    ("NM_[000410.4]:c.845G>A", T.MEDICALRECORD),
    ("NM_000410.4:[c.845G]>A", T.MEDICALRECORD), ("GU [G4] P2 C1 A0", T.IDNUM),
    ("GU G4 [P2] C1", T.IDNUM), ("Repeat labs in [20], then", T.LOCATION_OTHER),
    ("risk 1 in [25]", T.LOCATION_OTHER), ("Ratio 1/10-1/12-[1/9]. ISF", T.DATE),
    ("Se informa del [016] y", T.IDNUM), ("aware of [988] and 911", T.LOCATION_OTHER),
    ("Dose 1/2 tab [M W F].", T.DOCTOR), ("HD on T, [Th], Sa at 6", T.PATIENT),
    ("G1P0 at [20 2/7]. Quad", T.DATE), ("IUP at 20 [2/7], FHT 150", T.DATE),
    ("RUL nodule (series [3/24]).", T.DATE), ("(image [4/12], arrow)", T.DATE),
]  # fmt: skip
IDENTIFIERS = [
    ("Strength 4/5. Therapy saw her [11/5] alone", T.DATE),
    ("strength 4/5. Seen by Dr. Ashby [4/5] and 5/1;", T.DATE),
    ("MRC 4/5. Valorado por Dra. Ibarrola [4/5] y 1/6", T.DATE),
    ("CPT 99213, 42 CFR 422.584. Peer to peer: [570-555-0177], ask", T.PHONE),
    ("ICD C50.912; block [A5-10442]. CPT 88307", T.IDNUM), ("CPT 88307 acc [S24-10442]", T.IDNUM),
    ("visit [10-20]/24 and labs", T.DATE), ("seen [10-20] / fieldtrip", T.DATE),
    ("[3/7] cough, 3/9 fever", T.DATE), ("[3/7] cough started", T.DATE),
    ("Seen [3/7] cough resolved", T.DATE), ("Admitted 3/5. [3/7] fever 39", T.DATE),
    ("on [3/7] cough", T.DATE), ("[3/8] cough", T.DATE), ("[3/12] cough clinic", T.DATE),
    ("[3/7] tos", T.DATE),
    ("seen [11/2] with cups", T.DATE), ("Cups on [11/2] were given", T.DATE),
    ("VSS [4/13] per RN", T.DATE), ("Seen [12/9] for a cough", T.DATE),
    ("SBT [5/5] was done by RT", T.AGE), ("due [10-14] days after", T.DATE),
    ("moved to [90-91] today", T.LOCATION_OTHER), ("went to [2L] at noon", T.LOCATION_OTHER),
    ("MRN [5150] is his", T.IDNUM),
    ("Goal reached on [11/15]", T.DATE), ("seen Sat [10/12] by", T.DATE),
    ("seen [11/2] - 3 weeks", T.DATE),
    ("Caries filled on [2/15], home", T.DATE), ("Caries. Seen [2/15], 3/1", T.DATE),
    ("goal visit on [10-12]", T.DATE), ("visit [11-13/20] at noon", T.DATE),
    ("Bx [2/2] showed adenoca", T.DATE),
    ("seen [9/5] then a boost", T.DATE), ("moved to [U-512] today", T.LOCATION_OTHER),
    ("locker [V600E] is his", T.IDNUM), ("file [000410.4] sent", T.MEDICALRECORD),
    ("moved to [G4] after", T.LOCATION_OTHER), ("pt in [20] asks", T.LOCATION_OTHER),
    ("seen 1/10-[1/12] at home", T.DATE), ("bed [016] is empty", T.LOCATION_OTHER),
    ("seen by [M W Fox]", T.DOCTOR), ("signed [F M T]", T.DOCTOR), ("d/w [M W]", T.DOCTOR),
    ("seen at [20 2/7]. Quad", T.DATE), ("G1P0, EDD [8/2]. Quad", T.DATE),
    ("(abdominal series [3/24])", T.DATE), ("(series [3/24] neg)", T.DATE),
    ("Se cambio la sonda [1/4], sin", T.DATE),
]  # fmt: skip


def cut(marked):
    start = marked.index("[")
    text = marked.replace("[", "").replace("]", "")
    return text, start, marked.index("]") - 1


@pytest.mark.parametrize(("marked", "kind"), CLINICAL)
def test_what_the_line_explains_is_let_go(marked, kind):
    assert harmless(*cut(marked), kind)


@pytest.mark.parametrize(("marked", "kind"), IDENTIFIERS)
def test_the_same_form_elsewhere_is_not(marked, kind):
    assert not harmless(*cut(marked), kind)


@pytest.mark.parametrize("whole", range(1, 9))
@pytest.mark.parametrize("part", [2, 3, 4])
@pytest.mark.parametrize("unit", ["cups", "tsp", "tablets", "lb", "miles", "tazas", "comprimidos"])
def test_a_whole_number_and_a_fraction_without_a_blank_is_no_date(whole, part, unit):
    for count in range(1, part):
        assert harmless(*cut(f"about [{whole}{count}/{part}] {unit} more"), T.DATE)


@pytest.mark.parametrize("sizes", ["12/9", "18/16/12", "14/12/11/9", "9/8/7"])
@pytest.mark.parametrize("form", ["R: [{}] follicles", "AFC [{}]", "L ov [{}], endometrium 8"])
def test_lists_of_follicles_are_no_dates(sizes, form):
    assert harmless(*cut(form.format(sizes)), T.DATE)


def test_a_scan_s_words_are_read_as_its_figures_are():
    line, start, end = as_digits("D0lor 1/1O, SALT", 6, 10)
    assert line[:6] == "Dolor "
    assert line[start:end] == "1/10"
    assert harmless("D0lor 1/1O, SALT", 6, 10, T.DATE)


@pytest.mark.parametrize("form", ["({}) ", "\n{} ", "\n{}: "])
@pytest.mark.parametrize("parts", range(2, 10))
def test_each_part_of_several_messages_is_no_date(form, parts):
    numbers = [f"{n}/{parts}" for n in range(1, parts + 1)]
    text = "".join(form.format(number) + "fever, calls back. " for number in numbers)
    for number in numbers:
        assert harmless(text, *place(text, number), T.DATE)


@pytest.mark.parametrize("text", ["(1/4) seen", "(1/4) (2/4) (4/4)", "seen (1/4), (2/4, 3/4, 4/4)"])
def test_a_date_among_others_is_no_part(text):
    assert not harmless(text, *place(text, "1/4"), T.DATE)


def test_contractions_of_ten_minutes_are_no_date():
    assert harmless(*cut("31 cm, LCF 140, DU [2/10/30]"), T.DATE)
    assert harmless(*cut("dinámica uterina: [3/10/45]"), T.DATE)
    assert not harmless(*cut("visto 31 cm, [2/10/30]"), T.DATE)
    assert not harmless(*cut("DU [2/10/24]"), T.DATE)


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("B12 | 312 | pg/ml | [187-883]", T.IDNUM),
        ("FERRITINA;88;ng/ml;[15-150]", T.IDNUM),
        ("peso [P10-25] y talla p50", T.IDNUM),
        ("8831|2023-05-19|[E11.9]|DM2", T.IDNUM),
        ("8831|2023-05-19|E[11.9]|DM2", T.DATE),
        ("COD:[J44.9];ACTIVO:S", T.IDNUM),
        ("validado. Hora [9.12].", T.DATE),
        ("a las [8.10] sin dolor", T.DATE),
        ("fin [8.55]", T.DATE),
        ("fracción de eyección del [sesenta] punto", T.DATE),
        ("el filtrado ha bajado a [treinta] punto", T.DATE),
        ("la primera [cuatro] coma dos", T.DATE),
    ],
)  # fmt: skip
def test_spanish_values_in_columns_codes_hours_and_dictation_stay(text, kind):
    assert harmless(*cut(text), kind)


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("petición | [187-883] | entregada", T.IDNUM),
        ("muestra [P10-1125]", T.IDNUM),
        ("cama [E11.9]", T.IDNUM),
        ("visto el [9.12] en consulta", T.DATE),
        ("Inicio [8.05]", T.DATE),
        ("ingresó el [quince] coma tres días después", T.DATE),
        ("operado en el [sesenta] en Soria", T.DATE),
    ],
)
def test_their_likes_with_a_reason_go(text, kind):
    assert not harmless(*cut(text), kind)
