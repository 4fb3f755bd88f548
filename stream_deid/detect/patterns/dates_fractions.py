"""Words around a pair of numbers that say fraction, score, grade or setting instead of date.

scored  = (measure | scale | place in a row) [":" | "of" | ...] n "/" n     "GCS 3/15", "page 2/4"
counted = n "/" n (unit | what is counted)                                  "1/2 tab", "3/17 LN"
"""

# Regular expressions stay on one line, beside their grammar; tables of words stay words.
# ruff: noqa: E501

from __future__ import annotations

from stream_deid.detect.patterns.base import Context

_MEASURES = (
    r"strength|motor|power|h/h|hgb/hct|bun/cr|ast/alt|alt/ast|pt/inr|na/k|na/cl|ca/p(?:hos)?|t/d bili|cd4/cd8|fev1/fvc|l/s|t/f|e/a|p/f|a/g|c/d|pupil[s]?|pupilas|sizes?|ferritin|albumin|creatinine|potassium|sodium|platelets|score[ds]?|scale|pain|dolor|pulses?|reflex(?:es)?|dtrs?|grade|bp|b/p|ta|pa|tas|ratio|fraction|vision|va|acuity|od|os|ou|stage|sips?|eyes?|ojos?"
    r"|nodes?|ganglios|flexion|extension|quads|delts?|grip|pinch|biceps|triceps|ehl|df|pf|murmur|soplo|fuerza|i/e|i:e|bi-?pap(?:[ ]s/?t)?|cpap|bpap|epap|ipap|avaps"
    r"|ps|pressure support|peep|simv|tof|train of four|recall|needles?|sponges?|counts?|instr|rate|ps/cpap|nppv|niv|vni|sbt|vent(?:ilator)?|nippv|settings"
    r"|monofilament|naming|dorsiflexion|pressure|abd|bundle|neuro|group|token test|words|clock|vibration|fl|fp|wean(?:ed)?|at rest|commands|positive|cores?|sites?|[a-z]+ 20"
    r"|cravings?|urges?|mood|anxiety|energy|fatigue|discomfort|soreness|tolerance|intensity|intensidad|severity|itch|pruritus|nausea|dyspn[eo]ea|disnea|thermometer|termometro"
    r"|subtalar|rom|eversion|inversion|teach-?back|crackles|ph|pinhole|ucva|bcva|mar|spt|prick|histamine|occlu(?:ded|sion)|stenosis"
    r"|supra-?spinatus|infra-?spinatus|psoas|iliopsoas|gastroc(?:nemius)?|peronei|quadriceps|cuadriceps|hamstrings?|isquiotibiales|opponens|deltoids?|deltoides|intrinsics|psa"
)
_SCALES = (
    r"acer?|aces|acq|act|aims|aldrete|allred|alsfrs(?:-r)?|amt|amts|aofas|apache|apfel|apgars?|ashworth|asia|asq|asra|asrs|audit(?:-c)?|ballard|barthel|basdai|beighton|berg|bims|bishop|bode|bnt|boston(?: naming)?|borg|bpp|bps|braden"
    r"|brix|cage|cam-icu|caprini|cars|cas|cat|cdai|cdr|centor|cfs|child-pugh|ciwa|clox|columbia|c-ssrs|constant|cormack|cows|cpot|crb-?65|cries|curb-?65|dash|dast(?:-10)?|das28|dgi|dhi|dn4|eat-10|ecog|edinburgh|edimburgo|edss"
    r"|epds|epworth|eq-?5d|ess|eva|evn|faces|fac|fagerstrom|fast|ferriman(?:-gallwey)?|fga|fim|fist|four|flacc|fois|frail|frax|gad-?[27]|gcs|gds|gds-?(?:4|5|15|30|yesavage)|ghent|gijon|glasgow|gleason|gmfcs|gose?|grace|ham-?[ad]|hads?|has-?bled"
    r"|hendrich|hit-6|hoehn|hrr|humpty dumpty|hvlt(?:-r)?|iadls?|adls?|avds?|iief|ipss|irani|isi|ishihara|kapandji|karnofsky|katz|kps|lace|lansky|latch|lawton|levine|ludwig|lsns|m-?chat(?:-r)?|madrs|mallampati|mbsimp|mcisaac|mds-updrs|meds"
    r"|mews|mfs|mini-?cog|mini-?mental|mmrc|mmse|mec|moca|morisky(?:-green)?|morse|mrc|mrs|mst|must|mna|naranjo|news2?|nihss|nips|norton|nose|nottingham|npi|nrs|odi|oab|oass?|oxford|oswestry|painad|pas|pasat|pc-ptsd|pcl|penn|perc|pews"
    r"|pfeiffer|phq-?(?:2|9|a)|possum|pss|qids|qsofa|quickdash|rankin|rass|rcri|rotterdam|rpe|saps|sara|semmes(?:-weinstein)?|shim|silverman|sledai|slums|snap|snot|sofa|sppb|spmsq|ssq|steinberg|stop-?bang|strongkids|suds|sga|tanner|tardieu|timi"
    r"|tinetti|trails?|tug|updrs|vas|vhi|waddell|wagner|waterlow|wells|westmead|wong-?baker|y-?bocs|yesavage|ymrs|zarit|zung"
)
_PLACES = r"pg|pag|page|pagina|pp?\.?|hoja|sheet|day|dia|days|semana|sess(?:ion)?|sesion|cycle|ciclo|step|paso|item|tube|tubo|vial|part|parte|copy|copia|fraction|orden|slice|image|class|module|modulo"
_LINK = r"(?:[ \t]+(?:of|was|is|at|a|to|de|en|about|now|today|hoy|down to|only|still|just|un|una|score|total|item|items|pts))*[ \t:=\-#(]{0,4}"
_SCORED = Context(
    r"(?i)(?:\b(?:"
    + _MEASURES
    + "|"
    + _SCALES
    + ")"
    + _LINK
    + r"(?:\d{1,2}[+-]?/\d{1,2}[,;]?[ \t]+(?:and |y |to |- )?){0,3}"
    r"|\b(?:"
    + _PLACES
    + r")[ \t:#(]{0,2}|(?:T[0-4x](?:is)?[a-d]?|\b[cpy]{0,2})N[0-3][a-c]?(?:mi)?[ \t]?\(?|\b[cdtl][1-9](?:-[1-9])?[ \t]{1,3}|[<>*#][ \t]?|1:|\bx[ \t]?)$"
)
_COUNTED = Context(
    r"(?i)^[ \t]?(?:-?(?:strength|murmur|tabs?\b|tablets?|pills?|caps?\b|cup|cc\b|ml\b|mg|mcg|g\b"
    r"|gm?\b|cm|mm\b|inch|in\b\.?[ \t]?(?:all|the|both|ue|le|b/?l)|oz|lb|kg|pack|ppd|ns\b|normal saline"
    r"|doses?\b|strong|power|motor|pain|reflex|pulses?|dtr|sem\b|systolic|diastolic|holosystolic|hsm"
    r"|of\b|the way|way|full|teaspoon|tsp|tbsp|hours?|hr|h\b|min|sec|y/?o\b|years?|yrs?"
    r"|months?\b|mos?\b|weeks?\b|wks?\b|days?\b|d\b|nodes?|cores?|bottles?|sets?\b|criteria|points?|pts?\b|lns?\b"
    r"|throughout|bilat|b/l\b|symmetric|%|weakness|life|comp|comprimidos?|soplo|ganglios|fuerza|semanas"
    r"|meses|d[ií]as|horas|amp|unit|iu\b|visits?|sessions?|sticks|loss|deaf|stable|thickness|sites?|residents?"
    r"|nodos|positivos|bombillas|lit(?:er|re|ro)s?|l/min|lpm|l\b|people|times|x\b|on[ \t](?:the|a)[ \t](?:scale|right|left)"
    r"|UE|LE|bilaterally|flexion|extension|correct|objects|words|recall|at (?:rest|5)|pulse|fio2|40 ?%|hs\b|qhs|taken|muffin|at toes|brisk|sluggish|reactiv\w*"
    r"|pint|pinta|gal\b|gallon|jug|cans?/d|quart|mile|vaso|taza|litro|ampollas?|vials?|turns?\b|vueltas?|equal|teeth|limbs|extremit\w*|vessels?|espesor|urge|occlu\w*|strength))"
)
_PARTS = Context(
    r"(?i)^[ \t]?(?:lns?\b|(?:lymph )?nodes?|gangli\w+|nodos|glomerul\w+|cores?\b|cilindros|fields|campos|frascos|botellas|bottles|sets\b|taper|fx\b|fractions|joints?\b|tender|swollen|reps\b|meals|treatments|cycles|ciclos|surgeries|courses|rounds|infusions|injections|quadrants|inch(?:es)?\b|steps?\b|pasos|trials?\b|intentos|groups?\b|sessions?|sesiones|nights?\b|noches"
    r"|positiv\w+|rate\b|correct\w*|words|palabras|objects|objetos|items?\b|questions|preguntas|criteri\w+|pts\b|points|puntos|blocks|bloques|slides|biops\w+|residents|responses|respuestas|food charts|meals|doses)"
)


_CULTURES = Context(r"(?i)^[ \t]?(?:gpcs?|gnrs?|cons|mrsa|mssa|gram[ -]?(?:pos|neg)\w*)\b")
_BOTTLES = 4
_PRESSURE = Context(r"(?i)^[ \t]?(?:mm[ ]?hg|cm[ ]?h2o|torr)\b")


def scored(before: str) -> bool:
    """Whether a pair after `before` is a score, a grade, a setting or a place in a row."""
    return _SCORED.search(before)


def measured(after: str) -> bool:
    """Whether a unit stands behind a pair."""
    return _COUNTED.match(after)


def counted(first: int, second: int, after: str) -> bool:
    """Whether what stands behind a pair is counted by it ("1/2 tab", "12/24 fields")."""
    if _PRESSURE.match(after) or (first <= second <= _BOTTLES and _CULTURES.match(after)):
        return True
    common = first <= second <= 10 or second in (12, 15, 18, 20, 24, 30)
    return (common and measured(after)) or (first <= second and _PARTS.match(after))
