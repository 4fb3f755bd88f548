"""Street addresses: numbers and names change; kind of street, floor, door, unit and layout stay.

English and Spanish addresses are read the same way: words of the trade (street, calle, apt, piso)
stay, floors and doors (`3º dcha`, `1ºA`, `2nd Fl`) change their figures and letters only, house
numbers change by pattern, numbered streets keep the ending that fits the new number, and what is
left is the name of a street or place, which becomes another one.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import re2

from stream_deid.surrogate import number_words
from stream_deid.surrogate.canonical import Word, fold, like_case, listed, without_accents, words
from stream_deid.surrogate.derive import Scope
from stream_deid.surrogate.lexicon import load_list
from stream_deid.surrogate.numbers import scramble

STREET_WORDS = frozenset(
    listed(
        """
    street st avenue ave av road rd drive dr lane ln boulevard blvd bl court ct circle cir place pl
    plaza terrace ter way parkway pkwy highway hwy route rte rt rr trail trl loop square sq alley
    pike turnpike tpke path row run cove crossing xing crescent heights hts manor county state us
    interstate fm cr sr hc north south east west n s e w ne nw se sw apt apartment unit suite ste
    floor flr fl bldg building box po p o lot no num number space trailer rural mile near off and
    of the at on in lives corner between by outside rear front upper lower basement bsmt rm room
    comma post office camp
    calle c cl avenida avda avd av paseo pso plaza plza pza pl camino cno carretera ctra carr ronda
    travesia trav callejon calzada blvd bv bulevar via glorieta pasaje psje pje psj urbanizacion urb
    colonia col barrio bo bº sector manzana mz mza mzna lote lt casa piso planta puerta pta escalera
    esc portal bloque bl edificio edif dpto depto departamento apto of oficina local km pk kilometro
    numero nro num izq izqda izda lzda lzqda izquierda dcha dcho der derecha bajo bajos baix bjo
    atico ent entlo entresuelo entresol principal pral pb int interior ext exterior esquina esq
    entre y e i de del dels d la las el els los lo en al a por con s n sn sin bis zona parcela parc
    rambla rbla carrer camí cami avinguda placa plaça passeig travessera rua praza estrada lugar
    kalea kale etorbidea plaza plazaren auzoa behea ezk ezkerra esk eskuina priv privada cda cerrada
    fracc fraccionamiento res residencial conjunto torre villa vereda paraje senda finca poligono
    pol autopista autovia ruta cra carrera cr circunvalacion diagonal transversal dg tv poblacion
    pob reparto parroquia caserio aldea rancho ejido grupo zona nivel niv piso altos frente junto
    atras detras abajo arriba lado ote pte nte oriente poniente norte sur este oeste conocido
    escuela iglesia fuente pila puente lago rio mercado surtidor gasolinera cementerio lavadero
    tienda farmacia ferreteria taller madera verde azul roja rojo blanca amarilla celeste doble
    lugar cerca cruce entronque autovia tramo caseta colmado cuadra cuadras numero
    pueblo barriada urbanizacion partida mas masia mts m metros nave tramo puesto primera segunda"""
    )
)
"""Folded words of an address that tell nothing: kinds of street, floors, doors, directions."""

_PARTICLES_BEFORE = re2.compile(r"(?i)(?:^|[^\pL\d])((?:(?:de|del|la|las|los|el)\s+)+|d['’])$")
_CARDINALS = re.compile(r"(?ai)\b\d+(?:st|nd|rd|th)\b")
_FLOOR = re.compile(
    r"(?ai)\b(\d{1,2})((?:\s?\.?\s?[ºª°]|o\b|er|ro|ra|do|da|to|ta|mo|ma|vo|va|no|na|[antr]\b))"
    r"(?:([\s,\-]*)([a-hj-n])\b)?"
)
_HOUSE = re2.compile(r"\d[\dlIOo|]*[A-Za-z]?\b|\d+")
_UNIT_LETTER = re.compile(
    r"(?ai)\b(?:suite|ste|apt|apartment|unit|bldg|building|bajo|bloque|portal|puerta|pta|escalera"
    r"|esc|escala|piso|casa|lote|manzana|mz|mzna|torre|planta|#|local)(?:\.\s?|\s|#)[#\"]?([a-hj-z])\b"
)
_OF = ("de la ", "de los ", "de las ", "del ", "de ")
_ENDINGS = frozenset(listed("st nd rd th er ro ra do da to ta mo ma vo va no na º ª"))


def street(scope: Scope, text: str, language: str) -> str:
    """The surrogate of a STREET span, in the note's `language` (`en` or `es`)."""
    runs = _runs(text, _names(text, language), language)
    if not runs and not any(c.isdecimal() for c in text):
        return _styled(text, _name(scope, fold(text), language, beside=""), language)
    pieces: list[str] = []
    last = 0
    for start, end in runs:
        name = _name(scope, fold(text[start:end]), language, beside=text[:start])
        pieces += [_figures(scope, text[last:start]), _styled(text[start:end], name, language)]
        last = end
    return "".join([*pieces, _figures(scope, text[last:])])


def _names(text: str, language: str) -> list[Word]:
    """The words of an address that are part of a name."""
    return [
        w
        for w in words(text)
        if w.key not in STREET_WORDS and len(w.key) > 1 and not _in_a_code(text, w)
        and not (language == "es" and w.key in _ENDINGS)
    ]  # fmt: skip


def _in_a_code(text: str, word: Word) -> bool:
    """Whether a word is the ending of a number before it, or the letters of a road (`CM-2105`)."""
    if word.start > 0 and text[word.start - 1].isdigit() and len(word.key) <= 3:
        return True
    after = text[word.end : word.end + 2]
    return len(word.key) <= 3 and word.text.isupper() and after[:1] == "-" and after[1:].isdigit()


def _runs(text: str, names: Sequence[Word], language: str) -> list[tuple[int, int]]:
    """Neighbouring words of names joined, over spaces, hyphens and Spanish particles."""
    runs: list[tuple[int, int]] = []
    for word in names:
        start = word.start if language == "en" else _with_particles(text, word.start)
        between = text[runs[-1][1] : word.start] if runs else ""
        if runs and "\n" not in between and _joined(between):
            runs[-1] = (runs[-1][0], word.end)
        else:
            runs.append((start, word.end))
    return runs


def _with_particles(text: str, start: int) -> int:
    """Where a name begins with the `de la`, `del`, `los` before it."""
    match = _PARTICLES_BEFORE.search(text[:start])
    return match.start(1) if match else start


def _joined(between: str) -> bool:
    inside = fold(between).replace("-", " ").replace("'", " ").replace("’", " ").split()
    return all(w in {"de", "del", "la", "las", "los", "el", "y", "d", "l"} for w in inside)


def _name(scope: Scope, key: str, language: str, *, beside: str) -> str:
    """Another name of a street; without its own `de` after one that stays."""
    names = load_list("words")["street.es" if language == "es" else "street.en"]
    at = scope.integer(len(names), "street", key)
    turned = (*names[at:], *names[:at])
    name = next((n for n in turned if fold(n) not in key and key not in fold(n)), names[at])
    if language != "es":
        return name
    before = fold(beside).rstrip()
    alone = not before or (not before[-1].isalnum() and before[-1] not in "./º")
    if alone or before.split()[-1] in {"a", "al", "en", "y", "e", "con", "entre", "de"}:
        bare = next((p for p in _OF if name.startswith(p)), "")
        name = name[len(bare) :]
    return name


def _styled(model: str, value: str, language: str) -> str:
    if model.isascii() and (language == "en" or model.isupper()):
        value = without_accents(value)
    return like_case(model, value)


def _figures(scope: Scope, text: str) -> str:
    """Numbers, floors, doors and unit letters of a stretch without names."""
    if not any(c.isalnum() for c in text):
        return text
    spans: list[tuple[int, int, str]] = []
    for pattern, kind in ((_CARDINALS, "ordinal"), (_FLOOR, "floor"), (_UNIT_LETTER, "letter"),
                          (_HOUSE, "house")):  # fmt: skip
        for match in pattern.finditer(text):
            start, end = match.span(1) if kind == "letter" else match.span()
            if all(end <= s or e <= start for s, e, _ in spans):
                spans.append((start, end, kind))
    pieces: list[str] = []
    last = 0
    for start, end, kind in sorted(spans):
        pieces += [text[last:start], _figure(scope, text[start:end], kind)]
        last = end
    return "".join([*pieces, text[last:]])


def _figure(scope: Scope, raw: str, kind: str) -> str:
    if kind == "floor":
        return _floor(scope, raw)
    if kind == "letter":
        return _door_letter(scope, raw)
    made = scramble(scope.sub("house"), raw)
    if kind == "house":
        return made
    digits = scramble(scope.sub("house"), raw[:-2])
    return digits + like_case(raw[-2:], number_words.ordinal_ending(int(digits)))


def _floor(scope: Scope, raw: str) -> str:
    """Floor and door: another floor of a house of the same height, another door; marks stay."""
    match = _FLOOR.fullmatch(raw)
    assert match is not None
    digits, mark, gap, door = match.groups(default="")
    low, size = (1, 9) if len(digits) == 1 else (10, 90)
    value = scope.sub("floor").cycle(size, (int(digits) - low) % size) + low
    mark = number_words.ordinal_mark(value, mark)
    return f"{value}{mark}{gap}{_door_letter(scope, door) if door else ''}"


def _door_letter(scope: Scope, raw: str) -> str:
    letters = "abcdefgh" if raw.lower() in "abcdefgh" else "abcdefghijklmnopqrstuvwxyz"
    if raw.lower() not in letters:
        return raw
    at = scope.sub("door").cycle(len(letters), letters.index(raw.lower()))
    return like_case(raw, letters[at]) if raw.islower() else letters[at].upper()
