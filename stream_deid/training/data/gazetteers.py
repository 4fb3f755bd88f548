"""Values to draw for synthetic PHI: names by origin, places, streets, occupations.

Files (US Census 2020 names, GeoNames cities, US counties and addresses) come from a folder
given by the caller and are not part of the project. Each value belongs to the training part or
to the development part, by a hash of the value, so that development names are never trained on.
"""

# ruff: noqa: SIM905, E501 - word lists read better as running text

from __future__ import annotations

import bisect
import csv
import gzip
import hashlib
import random
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from pathlib import Path

ORIGINS = ("pctwhite", "pctblack", "pctapi", "pctaian", "pcthispanic")
ORIGIN_WEIGHTS = (0.38, 0.16, 0.18, 0.04, 0.24)
LATIN_COUNTRIES = tuple("ES MX AR CO CL PE EC BO VE GT HN SV NI CR PA CU DO PY UY PR".split())
_DEV_SHARE = 0.2


def in_training(value: str) -> bool:
    """Whether `value` belongs to the training part (four values in five)."""
    digest = hashlib.sha256(value.casefold().encode()).digest()
    return int.from_bytes(digest[:4], "big") >= _DEV_SHARE * 2**32


@dataclass(frozen=True, slots=True)
class Weighted:
    """Values with cumulative weights."""

    values: Sequence[str]
    cumulative: Sequence[float]

    @classmethod
    def of(cls, pairs: Iterable[tuple[str, float]]) -> Weighted:
        kept = [(v, w) for v, w in pairs if w > 0]
        return cls([v for v, _ in kept], list(accumulate(w for _, w in kept)))

    def draw(self, rng: random.Random) -> str:
        return self.values[bisect.bisect(self.cumulative, rng.random() * self.cumulative[-1])]


class Gazetteers:
    """The lists of one part: `training=True` or the development part."""

    def __init__(self, folder: Path, *, training: bool = True) -> None:
        self._folder = folder
        self._training = training

    def _rows(self, name: str) -> list[dict[str, str]]:
        with gzip.open(self._folder / name, "rt", encoding="utf-8", newline="") as handle:
            return list(csv.DictReader(handle))

    def _ours(self, value: str) -> bool:
        return in_training(value) is self._training

    @cached_property
    def _surname_rows(self) -> list[dict[str, str]]:
        return [r for r in self._rows("us_surnames_2020.csv.gz") if len(r["name"]) > 1]

    @cached_property
    def _first_rows(self) -> list[dict[str, str]]:
        return [r for r in self._rows("us_first_names_2020.csv.gz") if len(r["name"]) > 1]

    @cached_property
    def surnames(self) -> dict[str, Weighted]:
        """By origin; weights are square roots of counts, so that rare names are seen."""
        return {o: self._by_origin(self._surname_rows, o) for o in ORIGINS}

    @cached_property
    def given(self) -> dict[tuple[str, str], Weighted]:
        """By origin and sex ("F", "M")."""
        split = {"F": "pctfemale", "M": "pctmale"}
        return {
            (o, sex): self._by_origin([r for r in self._first_rows if _number(r[column]) >= 50], o)
            for o in ORIGINS
            for sex, column in split.items()
        }

    def _by_origin(self, rows: list[dict[str, str]], origin: str) -> Weighted:
        return Weighted.of(
            (r["name"], (_number(r["count"]) * _number(r[origin])) ** 0.5)
            for r in rows
            if self._ours(r["name"])
        )

    @cached_property
    def given_share(self) -> dict[str, tuple[float, str]]:
        """For a lower-case name: how much more it is a given name than a surname, and its sex."""
        last = {r["name"].lower(): _number(r["count"]) for r in self._surname_rows}
        return {
            r["name"].lower(): (
                _number(r["count"]) / (_number(r["count"]) + last.get(r["name"].lower(), 0) + 1),
                "F" if _number(r["pctfemale"]) >= 50 else "M",
            )
            for r in self._first_rows
        }

    @cached_property
    def _all_names(self) -> frozenset[str]:
        cities = {r["name"] for r in self._rows("cities.csv.gz") if r["country"] == "US"}
        names = {r["name"].capitalize() for r in (*self._surname_rows, *self._first_rows)}
        return frozenset(names | cities)

    def maybe_name(self, word: str, rare: bool) -> bool:
        """Whether a capitalised word may name a person or a US town, of either part.

        A word that is not `rare` in clinical text counts only as a common given name.
        """
        if rare:
            return word in self._all_names
        return word.lower() in self._common_given

    @cached_property
    def _common_given(self) -> frozenset[str]:
        share = self.given_share
        rows = (r for r in self._first_rows if _number(r["count"]) >= 20_000)
        return frozenset(n for r in rows if share[n := r["name"].lower()][0] > 0.7)

    @cached_property
    def _cities(self) -> list[tuple[str, str, str, float]]:
        return [
            (r["name"], r["country"], r["admin1"], _number(r["population"]))
            for r in self._rows("cities.csv.gz")
            if self._ours(r["name"])
        ]

    @cached_property
    def us_cities(self) -> Weighted:
        """US places, the large ones a little more often; counties' names among them."""
        counties = [r["name"].removesuffix(" County") for r in self._rows("us_counties.csv.gz")]
        return Weighted.of(
            [
                *((n, p**0.2) for n, c, _, p in self._cities if c == "US"),
                *((n, 3.0) for n in counties if self._ours(n)),
            ]
        )

    @cached_property
    def world_cities(self) -> Weighted:
        return Weighted.of((n, p**0.3) for n, c, _, p in self._cities if c != "US" and n.isascii())

    @cached_property
    def latin_cities(self) -> Weighted:
        spain = {"ES": 3.0}
        return Weighted.of(
            (n, p**0.3 * spain.get(c, 1.0)) for n, c, _, p in self._cities if c in LATIN_COUNTRIES
        )

    @cached_property
    def streets(self) -> list[str]:
        """Names of streets without number and kind."""
        out = []
        for row in self._rows("us_addresses.csv.gz"):
            words = re.sub(r"^[\d-]+\s+", "", row["address1"]).split()
            core = [w for w in words[:-1] if w.isalpha() and w.lower() not in _DIRECTIONS]
            name = " ".join(core)
            if len(name) > 2 and self._ours(name):
                out.append(name)
        return sorted(set(out))


_DIRECTIONS = frozenset(
    "north south east west northeast northwest southeast southwest n s e w".split()
)


def _number(value: str) -> float:
    try:
        return float(value)
    except ValueError:
        return 0.0


def proper(name: str, rng: random.Random) -> str:
    """A census name (capitals, letters only) as people write it: "MCBRIDE" as "McBride"."""
    lower = name.lower()
    if lower.startswith("mc") and len(lower) > 4:
        return "Mc" + lower[2:].capitalize()
    if lower[0] == "o" and len(lower) > 4 and lower[1:] in _IRISH and rng.random() < 0.6:
        return "O'" + lower[1:].capitalize()
    for prefix, written in _PARTICLES:
        rest = lower.removeprefix(prefix)
        if rest != lower and len(rest) > 3 and rng.random() < 0.4:
            return written + rest.capitalize()
    return lower.capitalize()


_IRISH = frozenset(
    """brien connor neill neal reilly donnell hara malley leary keefe rourke sullivan grady shea
    toole dwyer callaghan dell meara gorman farrell hare driscoll quinn donovan""".split()
)
_PARTICLES = (
    ("dela", "De La "), ("delos", "De Los "), ("vander", "Vander "), ("saint", "St. "),
    ("mac", "Mac"), ("fitz", "Fitz"), ("van", "Van "), ("la", "La"), ("de", "De"), ("di", "Di"),
)  # fmt: skip

US_STATES = dict(
    pair.split(":")
    for pair in """AL:Alabama AK:Alaska AZ:Arizona AR:Arkansas CA:California CO:Colorado
    CT:Connecticut DE:Delaware FL:Florida GA:Georgia HI:Hawaii ID:Idaho IL:Illinois IN:Indiana
    IA:Iowa KS:Kansas KY:Kentucky LA:Louisiana ME:Maine MD:Maryland MA:Massachusetts MI:Michigan
    MN:Minnesota MS:Mississippi MO:Missouri MT:Montana NE:Nebraska NV:Nevada NH:New_Hampshire
    NJ:New_Jersey NM:New_Mexico NY:New_York NC:North_Carolina ND:North_Dakota OH:Ohio OK:Oklahoma
    OR:Oregon PA:Pennsylvania RI:Rhode_Island SC:South_Carolina SD:South_Dakota TN:Tennessee
    TX:Texas UT:Utah VT:Vermont VA:Virginia WA:Washington WV:West_Virginia WI:Wisconsin
    WY:Wyoming""".replace("\n", " ").split()
)
US_STATES = {k: v.replace("_", " ") for k, v in US_STATES.items()}

COUNTRIES = [
    c.replace("_", " ")
    for c in """Mexico Canada Guatemala Honduras Haiti Jamaica Cuba Brazil Peru Colombia Ecuador
    Chile Argentina Bolivia Venezuela Ireland England Scotland France Germany Italy Spain Portugal
    Greece Poland Ukraine Russia Romania Serbia Albania Bosnia Turkey Syria Iraq Iran Egypt Morocco
    Algeria Nigeria Ghana Senegal Kenya Ethiopia Eritrea Somalia Sudan Congo Uganda Rwanda Angola
    South_Africa India Pakistan Bangladesh Nepal Sri_Lanka Burma Thailand Laos Cambodia Vietnam
    Philippines Indonesia Malaysia China Taiwan Japan South_Korea Australia New_Zealand Samoa
    Fiji Tonga El_Salvador Nicaragua Panama Costa_Rica Norway Sweden Denmark Finland Netherlands
    Belgium Austria Switzerland Hungary Israel Jordan Lebanon Yemen Afghanistan""".split()
]
PAISES = [
    c.replace("_", " ")
    for c in """España México Argentina Colombia Perú Chile Ecuador Bolivia Venezuela Uruguay
    Paraguay Guatemala Honduras Nicaragua Panamá Costa_Rica Cuba República_Dominicana El_Salvador
    Francia Portugal Italia Alemania Inglaterra Irlanda Bélgica Holanda Suiza Polonia Rumanía
    Bulgaria Ucrania Rusia Marruecos Argelia Senegal Malí Nigeria Ghana Guinea_Ecuatorial China
    Japón Filipinas India Pakistán Estados_Unidos Canadá Brasil Turquía Siria""".split()
]
NOMBRES = {
    "F": """María Carmen Ana Isabel Laura Marta Cristina Lucía Paula Elena Sara Raquel Pilar
    Dolores Rosa Teresa Josefa Antonia Francisca Mercedes Julia Irene Beatriz Patricia Silvia Nuria
    Rocío Alicia Amparo Inmaculada Concepción Encarnación Montserrat Eva Sonia Susana Yolanda
    Consuelo Esperanza Soledad Ángeles Begoña Itziar Nerea Ainhoa Leire Maite Meritxell Núria
    Xiomara Yesenia Guadalupe Ximena Valentina Camila Daniela Gabriela Fernanda Mariana Luz Marina
    Graciela Norma Mirta Noemí Lidia Celia Fátima Aurora Remedios Milagros Socorro Trinidad Nieves
    Blanca Victoria Claudia Andrea Natalia Verónica Lorena Carolina Noelia Miriam Esther Gloria
    Emilia Herminia Eulalia Fermina Casilda Petronila Eusebia Purificación Visitación Yamila Brenda
    Maricela Yadira Araceli Rosario Asunción Manuela Olga Inés Catalina Jimena Renata Abril Zoe
    Martina Vega Candela Adriana Alba Ariadna Carla Olivia""".split(),
    "M": """José Antonio Manuel Francisco Juan David Javier Daniel Carlos Jesús Alejandro Miguel
    Rafael Pedro Pablo Ángel Sergio Fernando Jorge Luis Alberto Álvaro Diego Adrián Raúl Enrique
    Ramón Vicente Iván Rubén Óscar Andrés Joaquín Santiago Eduardo Víctor Roberto Jaime Mario
    Ignacio Alfonso Salvador Ricardo Marcos Jordi Emilio Julián Guillermo Gabriel Tomás Agustín
    Gonzalo Hugo Félix Julio Nicolás Mariano Ismael Domingo Martín Lorenzo Gregorio Aitor Iker
    Unai Gorka Xavier Josep Arnau Bernat Pau Oriol Breogán Xoán Brais Esteban Mauricio Wilmer
    Yeison Brayan Cristóbal Ezequiel Facundo Matías Lautaro Gerardo Arturo Ernesto Eusebio Abel
    Baltasar Casimiro Demetrio Eleuterio Fermín Genaro Hilario Isidro Jacinto Leandro Macario
    Nemesio Onofre Plácido Rodrigo Saturnino Teófilo Ulises Valentín Wenceslao Efraín Heriberto
    Rigoberto Osvaldo Omar Yahir Moisés Samuel Leonardo""".split(),
}
APELLIDOS = """García Rodríguez González Fernández López Martínez Sánchez Pérez Gómez Martín Jiménez
Ruiz Hernández Díaz Moreno Muñoz Álvarez Romero Alonso Gutiérrez Navarro Torres Domínguez Vázquez
Ramos Gil Ramírez Serrano Blanco Molina Morales Suárez Ortega Delgado Castro Ortiz Rubio Marín Sanz
Núñez Iglesias Medina Garrido Cortés Castillo Santos Lozano Guerrero Cano Prieto Méndez Cruz Calvo
Gallego Herrera Márquez León Vidal Peña Flores Cabrera Campos Vega Fuentes Carrasco Diez Reyes
Caballero Nieto Aguilar Pascual Santana Herrero Montero Lorenzo Hidalgo Giménez Ibáñez Ferrer Durán
Santiago Benítez Mora Vicente Vargas Arias Carmona Crespo Román Pastor Soto Sáez Velasco Moya Soler
Parra Esteban Bravo Gallardo Rojas Pardo Merino Franco Espinosa Izquierdo Lara Rivas Silva Rivera
Casado Arroyo Redondo Camacho Rey Vera Otero Luque Galán Montes Ríos Sierra Segura Carrillo Marcos
Marti Soriano Mendoza Robles Bernal Vila Valero Palacios Exposito Benito Andrés Guerra Varela Macías
Pacheco Heredia Bueno Villar Contreras Miranda Mateo Escudero Guillén Roldán Aguirre Beltrán Menéndez
Salazar Villanueva Acosta Padilla Trujillo Bermúdez Estévez Quintero Abad Zamora Gracia Rueda Conde
Manzano Quintana Cuesta Blázquez Lázaro Tapia Plaza Ávila Sosa Escobar Cárdenas Echeverría Etxeberria
Goikoetxea Zubizarreta Arrizabalaga Iturralde Urrutia Mendizábal Elizondo Puig Bosch Ferrer Casals
Llorens Fabregat Queralt Vilanova Castiñeira Seijas Pazos Lema Outeiriño Quispe Mamani Condori Huanca
Choque Yupanqui Huamán Ccori Tzoc Ajanel Chávez Cuéllar Zambrano Montoya Restrepo Ospina Cifuentes
Jaramillo Arango Betancur Urdaneta Ledezma Peralta Ponce Barrios Vallejos Sepúlveda Riquelme Oyarzún
Farías Cáceres Godoy Benavides Olivares Tello Zúñiga Arévalo Palomino Villafañe""".split()
PROFESSIONS = [
    p.replace("_", " ")
    for p in """roofer electrician school_bus_driver seamstress welder paralegal bartender baker
    kindergarten_teacher long-haul_trucker retired_machinist postal_worker farmhand line_cook
    nail_technician security_guard grocery_clerk dental_hygienist librarian plumber HVAC_installer
    forklift_operator software_engineer accountant real_estate_agent barber carpenter fisherman
    coal_miner pastor janitor crane_operator social_studies_teacher warehouse_picker cashier
    hotel_housekeeper retired_nurse graphic_designer house_painter butcher bank_teller tailor
    firefighter police_dispatcher mechanic truck_driver landscaper professor_of_history cellist
    beekeeper stonemason flight_attendant court_reporter deckhand oil_rig_worker insurance_adjuster
    dairy_farmer taxi_driver tutor fitness_instructor florist locksmith upholsterer surveyor
    journalist union_organizer bricklayer day_laborer childcare_worker waitress rancher logger
    """.split()
]
