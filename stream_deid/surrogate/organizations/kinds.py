"""What organisations are: the words that say it, and words that say the same.

Words of kind (hospital, pharmacy, centro de salud) and those between them name nobody and stay.
A name of such words only gets a name among them; so that it isn't still there as it was, a word
that tells least is left out, or the noun becomes another one of the same kind.
"""

from __future__ import annotations

from collections.abc import Sequence
from types import MappingProxyType

from stream_deid.text.canonical import Word, listed

KIND_WORDS = frozenset(
    listed(
        """
    hospital hospitals medical center centre clinic clinics pharmacy drug drugs store lab labs
    laboratory laboratories health healthcare care system systems network nursing home homes
    hospice rehab rehabilitation institute regional general community memorial university
    college school elementary middle high academy church ministries family practice medicine
    internal pediatric pediatrics surgical surgery surgeons cardiology oncology cancer heart
    dialysis imaging radiology orthopedic orthopedics dental eye associates group services
    service physicians physician county state city national ambulance ems fire department dept
    police sheriff unit units ward wing pavilion tower building hall house manor village living
    assisted senior adult day treatment recovery behavioral mental psychiatric children childrens
    women womens men mens veterans va army navy air force base company co inc llc corp
    corporation insurance bank foods trucking construction foundation society club team lodge
    union local district public library prison jail correctional facility detention shelter
    agency urgent emergency room dept of the and at for in on de del la las los el y e en para
    clinica clinico centro salud consultorio hospitalario complejo universitario universitaria
    universidad general regional provincial comarcal nacional infantil materno maternidad
    instituto fundacion farmacia laboratorio laboratorios ambulatorio residencia mayores geriatrico
    servicio unidad urgencias colegio escuela instituto ies ceip sanatorio policlinica policlinico
    mutua seguros empresa sociedad cooperativa ayuntamiento consejeria ministerio departamento area
    planta sala pabellon torre edificio asociacion iglesia parroquia sl sa
    north south east west northern southern eastern western central norte sur este oeste
    court juvenile superior circuit district development child justice station corps pd fd hs er
    icu nicu picu ccu micu sicu pacu snf alf tech labor workers federation council bureau office
    main campus park lake river lodge bar grill restaurant inn hotel camp bridge square plaza
    parque lago rio puente mercado bar restaurante
    plan plans supply supplies visiting nurse nurses oxygen equipment foot joint bone kidney renal
    sleep pain partners alliance network networks road rd avenue ave blvd drive lane peds scan mri
    cesfam caps eap suap umf modulo puesto consultorios mutualista obra social comunitaria
    comunitario hosp gral barrio hotel cs cap
    research dentistry dentist dermatology neurology urology gastroenterology ophthalmology
    pulmonology nephrology rheumatology endocrinology hematology obstetrics gynecology ob gyn obgyn
    podiatry chiropractic therapy physical occupational speech diagnostic diagnostics anesthesia
    pathology psychology psychiatry counseling wellness vascular spine primary outpatient inpatient
    ambulatory infusion birthing preschool daycare kindergarten optical vision hearing
    especialidades especialidad cardiologia pediatria oncologia traumatologia rehabilitacion mental
    optica diagnostico dentales odontologia odontologica ginecologia neurologia psiquiatria
    botica assoc pllc llp plc ltd bn plt"""
    )
)
"""Folded words of an organisation's name that name nobody."""

SPANISH_KIND_WORDS = KIND_WORDS | frozenset(
    listed(
        """
    medicina medico medica medicos medicas cirugia quirurgico quirurgica enfermeria fisioterapia
    psicologia farmaceutica farmaceutico farmacologia oftalmologia oftalmologico oftalmologica
    veterinaria biologia quimica quimicas microbiologia epidemiologia ciencias derecho facultad
    facultades catedra decanato rectorado universitari hospitalari hospitalaria hospitalarios
    hopital complexo fundacio consorcio consorci consell agencia servei institut univ
    politecnica autonoma autonomo catolica europea docente asistencial asistenciales militar
    civil defensa justicia juzgado juzgados audiencia tribunal fiscalia palacio penitenciario
    penitenciaria comisaria guardia policia legal forense forenses toxicologia genetica
    investigacion investigaciones oncologicas oncologico oncologica psicosocial transfusion
    sanguinea hemodialisis publica publico sanidad sanitario sanitaria sociales gobierno
    secretaria direccion delegacion gerencia atencion primaria especializada especializado alta
    resolucion paraplejicos mujer obstetricia radiologia radiodiagnostico dermatologia alergia
    alergologia hematologia nefrologia neumologia endocrinologia reumatologia geriatria
    gerontologico anestesiologia anatomia patologica digestivo aparato interna infecciosas
    intensivos cuidados paliativos medicamento medicamentos deporte deportivo deportes laboral
    trabajo empleo educacion cultura interior economia hacienda agricultura industria fomento
    asuntos estatal federal metropolitano metropolitana municipal oficial analisis referencia
    dia ninos i per h nac reg prov mpal clin inst fund zonal distrital cantonal departamental
    apoyo pediatrica pediatrico cardiovascular cardiologico cardiaco cardiologica obstetrico
    traumatologico trauma respiratorio nivel cardiologia infectologia ambulancias ambulancia
    dispensario bienestar proteccion bomberos voluntarios mutual patronal seguro seguridad
    prevision caja hogar funeraria agricola transportes consultori drogueria farmacias mutua
    rural urbano urbana tipo retina patologia imagenes sangre banco asistencia asoc cons ps pac
    ebais csr ucsf cdt cmf eps ars ips hgz hgr hgsz sapu cecosf posta posgrado postgrado
    estudios superiores secretariado distrito coop cia roja"""
    )
)
"""The same for Spanish names, with subjects, offices and words of law that English may hold."""

LEAST = frozenset(
    listed(
        """
    general regional community memorial county city state national local public central main the
    family center centre centers service services unit units system systems north south east west
    northern southern eastern western provincial comarcal nacional universitario universitaria
    clinico complejo servicio unidad departamento area norte sur este oeste"""
    )
)
"""Words of kind that a name may lose and be of the same kind still."""

SAME_KIND = MappingProxyType(
    {
        "en": {
            "hospital": "medical center", "hospitals": "medical centers", "clinic": "practice",
            "clinics": "practices", "practice": "clinic", "pharmacy": "drugstore",
            "drugstore": "pharmacy", "store": "shop", "school": "academy", "academy": "school",
            "college": "institute", "institute": "college", "university": "college",
            "home": "residence", "church": "chapel", "lab": "diagnostics", "labs": "diagnostics",
            "laboratory": "diagnostics", "center": "clinic", "centre": "clinic",
            "office": "practice", "department": "unit", "dept": "unit", "er": "acute unit",
            "va": "veterans center", "icu": "intensive care unit", "bank": "credit union",
            "jail": "prison", "prison": "jail", "shelter": "refuge", "court": "tribunal",
        },
        "es": {
            "hospital": "sanatorio", "sanatorio": "hospital", "clinica": "consultorio",
            "policlinica": "consultorio", "policlinico": "sanatorio", "farmacia": "botica",
            "botica": "farmacia", "laboratorio": "centro de análisis", "colegio": "escuela",
            "escuela": "colegio", "instituto": "colegio", "universidad": "facultad",
            "iglesia": "parroquia", "parroquia": "iglesia", "residencia": "hogar",
            "ambulatorio": "consultorio", "consultorio": "ambulatorio", "urgencias": "guardia",
            "juzgado": "tribunal", "tribunal": "juzgado", "facultad": "escuela",
            "centro": "consultorio", "centro de salud": "consultorio",
        },
    }
)  # fmt: skip
"""By language, for a noun of kind (or a phrase) another one that does not hold it."""

_JOINTS = frozenset(listed("of the and for de la del y en"))


def same_kind(text: str, tokens: Sequence[Word], language: str) -> str:
    """The kind that `text` (words of kind only, `tokens`) states, in other words.

    A phrase becomes another one, else a word that tells least is left out, else the noun (last in
    English, first in Spanish) becomes another one.
    """
    others = SAME_KIND[language]
    phrase = others.get(" ".join(word.key for word in tokens))
    if phrase is not None:
        return _styled(text.strip(), phrase, language)
    if len(tokens) < 2:
        return _styled(text.strip(), "centro" if language == "es" else "center", language)
    inner = _inner(tokens)
    rest = _without_least(text, inner)
    if rest:
        return rest
    first, last = inner[0], inner[-1]
    noun = first if language == "es" else last
    other = others.get(noun.key)
    if other is None:
        return text[: first.end] if language == "es" else text[last.start :]
    return text[first.start : noun.start] + _styled(noun.text, other, language) + text[noun.end :]


def opening_phrase(tokens: Sequence[Word], language: str) -> int:
    """How many words of a listed phrase of kind (`centro de salud`) a longer name begins with."""
    keys = [word.key for word in tokens]
    sizes = [len(phrase.split()) for phrase in SAME_KIND[language] if " " in phrase
             and phrase.split() == keys[: len(phrase.split())]]  # fmt: skip
    return max((size for size in sizes if size < len(keys)), default=0)


def _inner(tokens: Sequence[Word]) -> Sequence[Word]:
    """The words without joints at the edges; all of them where there are only joints."""
    kept = [i for i, word in enumerate(tokens) if word.key not in _JOINTS]
    return tokens[kept[0] : kept[-1] + 1] if kept else tokens


def _without_least(text: str, tokens: Sequence[Word]) -> str:
    """`text` without the first of its words that tells least, or nothing where all or none tell."""
    least = next((i for i, word in enumerate(tokens) if word.key in LEAST), -1)
    telling = any(w.key not in LEAST and w.key not in _JOINTS for w in tokens)
    if least < 0 or not telling:
        return ""
    if least == len(tokens) - 1:
        return text[tokens[0].start : tokens[least - 1].end]
    if least == 0:
        after = _inner(tokens[1:])
        return text[after[0].start : after[-1].end]
    return text[tokens[0].start : tokens[least].start] + text[tokens[least + 1].start :].rstrip()


def _styled(model: str, value: str, language: str) -> str:
    """`value` in the case of `model`: all capitals, capitals at the beginning of words, or none."""
    if model.isupper():
        return value.upper()
    if not model[:1].isupper():
        return value
    if language == "es":
        return value[:1].upper() + value[1:]
    return " ".join(word.capitalize() for word in value.split())
