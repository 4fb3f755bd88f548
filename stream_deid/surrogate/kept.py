"""What may stay under a policy that keeps its type: only words that the lists of the type hold.

The field of a message says what should stand in it; people write surnames, towns and numbers there.
"""

from __future__ import annotations

from stream_deid.labels import PhiType
from stream_deid.lists.lexicon import load_places
from stream_deid.surrogate import generalise
from stream_deid.surrogate.places import countries, states
from stream_deid.text.canonical import listed
from stream_deid.text.folding import fold

T = PhiType
_NOTHING = frozenset(
    listed("unknown unk u na n/a n.a none null other oth ot desconocido otro nd n/d nc n/c")
)
_SEXES = frozenset(listed("a n c o ot i x nb other otro ambiguous indeterminado nonbinary"))

_REGIONS = frozenset(  # beside the states that have cities of ours: territories, Canada, army post
    listed(
        """pr gu vi as mp ae ap aa fm mh pw on qc nl ns nb mb bc pe sk ab nt yt nu
    guam alberta manitoba ontario quebec saskatchewan nunavut yukon"""
    )
) | {
    "puerto rico", "virgin islands", "us virgin islands", "american samoa", "nova scotia",
    "northern mariana islands", "british columbia", "new brunswick", "prince edward island",
    "newfoundland and labrador", "newfoundland", "northwest territories",
}  # fmt: skip
_COUNTRY_CODES = frozenset(  # ISO 3166-1
    listed(
        """abw afg ago aia ala alb and are arg arm asm ata atf atg aus aut aze bdi bel ben bes bfa
    bgd bgr bhr bhs bih blm blr blz bmu bol bra brb brn btn bvt bwa caf can cck che chl chn civ cmr
    cod cog cok col com cpv cri cub cuw cxr cym cyp cze deu dji dma dnk dom dza ecu egy eri esh esp
    est eth fin fji flk fra fro fsm gab gbr geo ggy gha gib gin glp gmb gnb gnq grc grd grl gtm guf
    gum guy hkg hmd hnd hrv hti hun idn imn ind iot irl irn irq isl isr ita jam jey jor jpn kaz ken
    kgz khm kir kna kor kwt lao lbn lbr lby lca lie lka lso ltu lux lva mac maf mar mco mda mdg mdv
    mex mhl mkd mli mlt mmr mne mng mnp moz mrt msr mtq mus mwi mys myt nam ncl ner nfk nga nic niu
    nld nor npl nru nzl omn pak pan pcn per phl plw png pol pri prk prt pry pse pyf qat reu rou rus
    rwa sau sdn sen sgp sgs shn sjm slb sle slv smr som spm srb ssd stp sur svk svn swe swz sxm syc
    syr tca tcd tgo tha tjk tkl tkm tls ton tto tun tur tuv twn tza uga ukr umi ury usa uzb vat vct
    ven vgb vir vnm vut wlf wsm yem zaf zmb zwe
    ad ae af ag ai al am ao aq ar at au aw ax az ba bb bd be bf bg bh bi bj bl bm bn bo bq br bs bt
    bv bw by bz ca cc cd cf cg ch ci ck cl cm cn co cr cu cv cw cx cy cz de dj dk dm do dz ec ee eg
    eh er es et fi fj fk fo fr ga gb gd ge gf gg gh gi gl gm gn gp gq gr gs gt gw gy hk hm hn hr ht
    hu id ie il im in io iq ir is it je jm jo jp ke kg kh ki km kn kp kr kw ky kz la lb lc li lk lr
    ls lt lu lv ly ma mc md me mf mg mk ml mm mn mo mq mr ms mt mu mv mw mx my mz na nc ne nf ng ni
    no np nr nu nz om pa pf pg ph pk pl pm pn ps pt py qa re ro rs ru rw sa sb sc sd se sg sh si sj
    sk sl sm sn so sr ss st sv sx sy sz tc td tf tg th tj tk tl tm tn to tr tt tv tw tz ua ug um us
    uy uz va vc ve vg vn vu wf ws ye yt za zm zw"""
    )
)


def otherwise(phi: PhiType, text: str) -> PhiType | None:
    """The type as which a value of a kept type is hidden; None where it may stay."""
    core = " ".join(fold(text).split())
    if not core or core in _NOTHING:
        return None
    if phi in {T.STATE, T.COUNTRY}:
        return None if all(map(_is_place, text.split(","))) else T.CITY
    if phi is T.SEX:
        return None if core in _SEXES or generalise.is_sex(core) else T.OTHER
    return None


def is_city(text: str) -> bool:
    """Whether a list of towns holds a name."""
    return " ".join(fold(text).split()) in load_places().named


def _is_place(text: str) -> bool:
    core = " ".join(fold(text).split())
    listed_by_code = core in _REGIONS or core in _COUNTRY_CODES
    return not core or listed_by_code or bool(states.find_state(core) or countries.find(core))
