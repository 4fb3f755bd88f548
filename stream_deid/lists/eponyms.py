"""Names that medicine uses as words: eponyms, devices, drugs; unaccented, lower-case."""

# Tables of words stay words.
# ruff: noqa: SIM905

from __future__ import annotations

EPONYMS = frozenset(
    """
    abbe achilles adams addison adie allen alport alzheimer angelman apgar argyll asperger auer
    austin babinski baker balint barlow barre barrett barthel bartholin barton beck becker
    behcet bell bence bennett berger bernard billroth binet binswanger bishop blalock blount
    boerhaave borg bouchard boyd braden brandt breslow broca brock brodmann brown bruce
    brudzinski brugada budd buerger burkitt burch bush caldwell campbell charcot chadwick chiari
    child christmas clark coombs cooley cooper corrigan costen cotton coudray couvelaire
    creutzfeldt crohn cullen cushing dandy darier dercum devic dix down doppler douglas dressler
    dubin duchenne duke dupuytren durkan ebstein eaton ehlers eisenmenger epley epstein erb
    evans ewing fabry fallot fanconi felty finkelstein fitz flint foley fontan forrest fowler
    frank frey friedreich fuchs gardner gaucher giemsa gilbert gilles gillespie glasgow gleason
    golgi goodpasture gordon gottron gower gram graves grey groshong guillain guthrie guyon
    hallpike hamilton harris hartmann hashimoto hawkins heberden heimlich heller hemovac henle
    henoch hickman hill hirschsprung hodgkin hoffmann hoffman holter homans horner horton howell
    hoyer huntington hurler hurthle hutchinson jackson jacob jakob janeway jefferson johnson
    jones jewett kaposi karnofsky kartagener katz kawasaki kayser kelly kernig kerley killip
    kirschner klinefelter koch kocher koplik korotkoff korsakoff krukenberg kupffer kussmaul
    lachman lambert langerhans langhans lasegue lawton leydig lewy lhermitte libman lisfranc
    little lynch ludwig luschka lyme macintosh mallampati mallory marcus marfan marshall mayo
    mcburney mcgill mcmurray meckel meige meniere merkel michaelis miller mohs moire montgomery
    morton moses mullerian munchausen murphy murray neer nikolsky nissen noonan norton norwood
    ogilvie ortolani osgood osler ottawa paget pancoast papanicolaou parkinson parks patrick
    pavlik penrose perthes peutz peyer peyronie phalen pick pierre plummer potter pott prader
    prinzmetal purkinje quincke ramsay ransom ranson rankin raynaud reed reinke reiter reye
    reynolds riedel rinne robertson robin robinson rolando romberg rorschach rosenthal ross roth
    rovsing roux rutherford salter sanders scarpa schatzki schilling schlatter schlemm schmidt
    schober schonlein schwann scott sengstaken sertoli shaver sheehan shirodkar simmonds sims
    sipple sjogren skene smith snellen speed spurling starling still stokes strauss sturge
    sudeck swan swanson sydenham syme takayasu tanner tay thomas thompson thomsen tietze timothy
    tinel tinetti todd tourette trendelenburg trousseau truvada turner valsalva vater verner
    virchow volkmann wada waldenstrom wallenberg warthin waterhouse weber wegener weil weiss
    wells wenckebach werner wernicke west whipple white wilkins willebrand williams willis wilms
    wilson winter wolff wong wright yates yankauer yergason zenker ziehl zollinger allegra aleve
    ativan alli asacol boniva celebrex chantix clarinex depo eliquis evista januvia jardiance
    latuda lasix loryna lyrica mirena nexium otezla plavix premarin seroquel skyla stelara
    trulicity tysabri valium vicodin xanax yasmin yaz zocor zoloft jackson-pratt mahurkar
    permcath portacath bard tesio shiley bivona bovie adson allis babcock balfour bakes deaver
    debakey kelly kerrison kocher metzenbaum richardson weitlaner yasargil steri vicryl prolene
    silastic
    """.split()
)

_NOUNS = (
    """
    disease syndrome sign signs test reflex phenomenon maneuver manoeuvre criteria score scale
    index classification grade stage bodies body palsy sarcoma lymphoma tumor tumour fracture
    contracture ring esophagus oesophagus procedure operation incision catheter tube drain cyst
    duct gland node nodes nodule point triangle tendon position ulcer law stain agar cells cell
    thyroiditis dementia disorder chorea ataxia aphasia encephalopathy anemia anaemia angina
    arteritis cardiomyopathy granulomatosis purpura phlebitis block murmur tetralogy anomaly
    malformation hernia diverticulum repair fundoplication bypass shunt clamp forceps retractor
    scissors brace boot splint frame bed chair monitor scan study doppler protocol formula
    equation method rule level levels lines line disk disc canal ligament node hemoglobin
    protein virus type phase mask cannula blade laryngoscope airway collar traction pin wire
    wires nail plate screw prosthesis valve graft patch gangrene abscess space pouch fascia
    muscle nerve plexus fever facies gait pupil crisis attack neuroma deformity esophagitis
    colitis nephropathy enfermedad sindrome signo escala test prueba reflejo maniobra criterios
    sonda indice tubo
    """
).split()
EPONYM_NOUNS = frozenset(_NOUNS)
"""What stands after an eponym ("Parkinson's disease")."""
