"""Words that stand where names and log-ins stand, and are none. Unaccented, lower-case."""

# Tables of words stay words.
# ruff: noqa: E501, SIM905

from __future__ import annotations

STATUS = frozenset(
    "supportive stable mom dad great system verify labs voice proxy committee tele barcode protocol fda phlebotomy computer baptized schizophrenia dementia lupus seizures obesity "
    "alert awake asleep oriented confused sedated intubated given done discussed notified precautions isolation droplet airborne standard ge siemens philips toshiba canon hologic medtronic abbott sigma agree agreed agrees concur please says pending refused declined "
    "deceased died dead living alive healthy well unknown unaware unavailable present bedside stroke diabetes diabetic cancer alcohol alcoholism depression anxiety bipolar asthma none negative "
    "mouth tumor tumour venipuncture fingerstick ems mail adequate endocrinology rheumatoid breast male female retired reliable unreliable hemoglobin anemia leukemia lymphoma migraine migraines glaucoma hx arthritis "
    "abdominal knee chest "
    "hypertension cva chf copd ckd esrd lives living works worked reports states denies called aware updated informed agrees at in is was has had and with of".split()
)
"""What forms hold where a name could stand: a state, a disease, an office, a maker."""
ORGANS = frozenset(
    "breast breasts colon colorectal prostate lung lungs heart ovarian cervical uterine pancreatic gastric thyroid kidney liver bladder skin brain blood bone throat mi ca dm".split()
)
"""Behind "Father" and "Aunt" in a family's history ("Aunt Breast CA")."""
IMAGED = frozenset(
    "angiogram angiography venogram venography arthrogram enterogram elastography spectroscopy urography perfusion guided safe conditional compatible contrast protocol study exam scan images imaging "
    "brain head orbits face neck chest breast breasts cardiac heart abdomen liver pelvis pelvic prostate hip hips knee knees shoulder shoulders elbow wrist hand hands finger fingers thumb foot feet ankle ankles toe toes leg legs arm arms thigh calf femur tibia humerus "
    "cervical thoracic lumbar lumbosacral spine sacrum si pituitary iac tmj kidney kidneys renal adrenal pancreas mrcp ear eye eyes flank groin inguinal upper lower lateral side sided ventricle ventricular atrial".split()
)
"""Behind "MR" and "Lt": what a picture shows, and on which side."""
WEEKDAYS = frozenset("monday tuesday wednesday thursday friday saturday sunday".split())
OFFICES = frozenset(
    "training mobility acuity rehab foot gait therapy management control physical occupational speech wound infection charge shift lab draw pain palliative home health nursing right left".split()
)
"""Words of departments and posts ("Wound Care, RN")."""
ABBREVIATED = frozenset(
    "pt ot st inr ptt bun cr creat ast alt tb na cl hco bp rr sob cp cbc bmp cmp ua ucx bcx od os ou sl neb abx ekg ecg echo cxr mri us ccu icu nl wnl neg pos hx dx tx rx sx fx pmh fh sh ros "
    "pe heent cv resp gi gu gyn msk neuro psych ext abd labs meds wt ht bmi temp sat spo fio peep tv vt map cvp void bm oob amb adl fall diet npo reg ivf drip gtt pca foley skin wound dsg dc fu vs uop loc gcs".split()
)
"""Abbreviations that stand in pairs like initials ("PT/inr")."""
KEYS = frozenset(
    "patient name date time id type code status dose route freq site weight height age sex dob dx note notes total count result results ref range flag value units test order visit admit disch primary secondary allergy allergies "
    "meds labs vital vitals bp hr temp insurance plan group member payer address phone fax email contact employer provider facility request drug qty days refill reason start end last first middle street city state zip pain resp pdf doc docx tif jpg png txt xml csv dcm wav".split()
)
"""Parts of the keys of exported lists ("member.id"), and endings of files."""
