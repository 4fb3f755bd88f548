"""Words that names may be, nicknames, particles and titles, English and Spanish, unaccented."""

# Tables of words stay words.
# ruff: noqa: SIM905

from __future__ import annotations

COMMON = frozenset(
    """
    able acute adams age air alan alba alegre alma alta amor angel ann april arm armas art ash
    august autumn axe bad bain baker ball banks barber barrios bass bay bean bear bell best
    better bill bird bishop black blanco blood bloom blue bold bond bonita booth born bosque
    bowman boy brady branch brave bravo bright brook brooks brown buck bueno burn burns bush
    butcher butler cabeza calle calvo camp campo campos cane cano caro carrier carter casa case
    cash castillo center chance chase cherry chest child cielo clay clear cliff close coffee
    cold cole common con constant cook cooper corona cortes costa cotton cox crane cross cruz
    cuesta cure curry cuts dale day days dean dear delgado diamond diet dolores dose drew drop
    duke early earl east echo elder ellis end esperanza estrella even ever fair faith fall falls
    farmer faster feliz fell field fields fierro fish fisher flood flora flores flower floyd
    forest fortune foster fox franco frank free french fresh friend frost fuente fuentes fuller
    gales gallo game gates gay gentle gil glass glory gold good grace grand grant grass gray
    green grey gross ground grove guardian guerra guerrero guide hall ham hammer hand hands
    happy hard hardy harm harper hart haven hay hazel head heath held help hermoso hernia
    hidalgo high hill hogar hold holiday holly home hook hope hopes house hoyos hunt hunter
    iglesia iris iron ivy jade jack jasmine jewel jordan joy judge june justice justo key king
    knight knox lake lamb lance land lane large last law lay leal leaf lee leon libre lily line
    list little llave llanos lobo london long lopes lord love low lowe luck luna luz mace major
    man manzano mar mark marks marin marina marsh martes mason master mata matthew max may mayo
    mayor meadow means merced mercedes mercy merry mesa mia mild mill miller mills mina mint
    miracle miranda misty monday monte moon mora moral moreno morning moss mount mercado murphy
    naranjo nave navarro near needle nieves nino noble noche norm north novena nunez oak off old
    olive olmo only orange orto padilla page pain palacios palma palmer palomo pan paris park
    parks parra part past pastor pat patience paul paz pearl peace pena perez perla pie piedra
    pilar pino pitt plata plaza poole poor pope porter potter pound powers pray present price
    prieto prince prior prudence puente puerta purple queen rain ramos ray read real redondo
    reed reid reina rey reyes rice rich rico rings rio rios rivas river rivera rivers road rock
    rod roman root rojo romero ropes rosa rosario rosas rose rosa rowe rubio ruby rush sage
    salas salud santiago santo santos saint salt sand sandy santa savage saw scales sea season
    see segura self seller serrano shade sharp shell shepherd short sierra silva silver sister
    sky small smart smith snow sol solo son soledad song soto south sparks speed spring star
    stark start steel stern still stone storm street strange strong suerte sugar summer summers
    sun sunday sunny swan sweet swift tab tail tan tapia tate taylor temple terry than this time
    toro torre torres tower town trinidad true tucker turner tyler union valle vale vega vera
    verde verdad vida vidal viera villa violet virgen vista wade wagner walk walker wall walls
    ward warm warren washington water waters watch way weaver webb weeks wells welsh west
    wheeler white wild wiley will wills winter winters wise wolf wood woods word work worth
    wright yates young zapata zorro the and for with was had has her his she him not are but you
    all any can one out patient general history normal right left medical doctor nurse hospital
    family mother father brother
    """.split()
)
"""Names that are words, and words a typo away from names."""

_FAMILIES = (
    "robert rob bob bobby robbie bert",
    "william will bill billy willie liam",
    "richard rick dick rich ricky",
    "john johnny jack jon",
    "james jim jimmy jamie",
    "joseph joe joey",
    "thomas tom tommy",
    "charles charlie chuck chas",
    "michael mike mikey mick",
    "edward ed eddie ted teddy ned",
    "theodore ted teddy theo",
    "david dave davey",
    "daniel dan danny",
    "christopher chris kit",
    "christine chris chrissy tina",
    "christina chris tina",
    "anthony tony",
    "antonio tony tono",
    "andrew andy drew",
    "alexander alex al xander sandy",
    "alexandra alex sandra lexi",
    "benjamin ben benny benji",
    "samuel sam sammy",
    "samantha sam sammy",
    "matthew matt",
    "nicholas nick nicky",
    "patrick pat paddy",
    "patricia pat patty trish tricia patsy",
    "peter pete",
    "philip phil",
    "phillip phil",
    "raymond ray",
    "ronald ron ronnie",
    "donald don donnie",
    "kenneth ken kenny",
    "lawrence larry",
    "laurence larry",
    "leonard len lenny leo",
    "gerald gerry jerry",
    "jerome jerry",
    "gregory greg",
    "stephen steve",
    "steven steve",
    "timothy tim timmy",
    "walter walt wally",
    "henry hank harry",
    "harold hal harry",
    "francis frank fran",
    "franklin frank",
    "frederick fred freddy",
    "albert al bert",
    "alfred al fred alfie",
    "arthur art artie",
    "eugene gene",
    "jeffrey jeff",
    "joshua josh",
    "jonathan jon",
    "nathaniel nate nat",
    "nathan nate",
    "zachary zach zack",
    "vincent vince vinny",
    "victoria vicky vicki tori",
    "elizabeth liz beth betty betsy lizzie eliza libby",
    "margaret maggie peggy meg marge margie greta",
    "katherine kathy kate katie kay kit",
    "catherine cathy kate cat katie",
    "kathleen kathy kate",
    "jennifer jen jenny",
    "jessica jess jessie",
    "rebecca becky becca",
    "susan sue susie",
    "suzanne sue suzy",
    "deborah deb debbie",
    "debra deb debbie",
    "barbara barb babs",
    "dorothy dot dottie dolly",
    "judith judy",
    "virginia ginny ginger",
    "pamela pam",
    "cynthia cindy",
    "sandra sandy",
    "jacqueline jackie",
    "theresa terry tess",
    "teresa terry tess tere",
    "florence flo",
    "frances fran frannie",
    "gertrude trudy gert",
    "abigail abby gail",
    "amanda mandy",
    "melissa missy",
    "kimberly kim",
    "stephanie steph",
    "valerie val",
    "veronica ronnie vero",
    "josephine jo josie",
    "eleanor ellie nell nora",
    "helen nell",
    "mary molly polly",
    "martha marty patsy",
    "francisco paco pancho curro fran kiko",
    "jose pepe chepe",
    "josefa pepa",
    "manuel manolo lolo",
    "ignacio nacho",
    "enrique quique kike",
    "jesus chucho chuy suso",
    "guadalupe lupe lupita",
    "dolores lola",
    "concepcion concha conchi",
    "mercedes merche",
    "rosario charo",
    "pilar pili",
    "consuelo chelo",
    "isabel isa chabela",
    "alejandro alex ale jandro",
    "alejandra ale alex",
    "roberto beto",
    "alberto beto",
    "guillermo memo guille",
    "eduardo lalo edu",
    "gregorio goyo",
    "rafael rafa",
    "santiago santi chago",
    "sebastian seba sebas",
    "vicente chente",
    "luis lucho",
    "fernando nando fer",
    "gabriel gabi gabo",
    "gabriela gabi gaby",
    "graciela chela",
    "esperanza pera",
    "milagros mila",
    "montserrat montse",
    "beatriz bea",
    "refugio cuca cuco",
    "socorro coco",
)


def _nicknames() -> dict[str, tuple[str, ...]]:
    table: dict[str, tuple[str, ...]] = {}
    for row in _FAMILIES:
        first, *others = row.split()
        table[first] = (*table.get(first, ()), *others)
    return table


NICKNAMES = _nicknames()
"""A given name to its short forms."""

PARTICLES = frozenset(
    "de del la las los el van von der den di da dos das du le y i e san bin ibn al".split()
)
TITLES = frozenset(
    (
        "mr mrs ms miss mx dr drs prof sr sra srta don dona dna dra dro lic md "
        "do rn phd jr ii iii iv esq"
    ).split()
)
