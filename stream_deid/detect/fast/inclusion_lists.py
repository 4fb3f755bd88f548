"""Plain clinical sentences without identifiers, written for this project."""

from __future__ import annotations

_ENGLISH = """
No acute distress
In no acute distress
Alert and oriented
Alert and oriented to person, place and time
Well developed, well nourished
Denies chest pain or shortness of breath
Denies chest pain
Denies shortness of breath
Denies nausea or vomiting
Denies fever or chills
No fever or chills
No known drug allergies
No known allergies
Regular rate and rhythm
Regular rate and rhythm, no murmurs, rubs or gallops
Clear to auscultation bilaterally
Lungs clear to auscultation bilaterally
Lungs are clear
Abdomen soft, nontender, nondistended
Soft, nontender, nondistended
Bowel sounds present
Normal bowel sounds
No hepatosplenomegaly
No cyanosis, clubbing or edema
No edema
No rash
Skin warm and dry
Pupils equal, round and reactive to light
Extraocular movements intact
Mucous membranes moist
Neck supple
No lymphadenopathy
No focal deficits
Cranial nerves intact
Gait normal
Mood and affect appropriate
Vital signs stable
Afebrile, vital signs stable
History of present illness
Past medical history
Past surgical history
Family history
Social history
Review of systems
Physical examination
Physical exam
Assessment and plan
Assessment
Plan
Impression
Findings
Technique
Comparison
Indication
Recommendations
Hospital course
Discharge medications
Discharge instructions
Discharge diagnosis
Allergies
Medications
Noncontributory
Non-contributory
As above
As per HPI
None
Follow up as needed
Return if symptoms worsen
Continue current medications
All other systems reviewed and are negative
All questions were answered
The patient tolerated the procedure well
There were no complications
Estimated blood loss was minimal
The patient was taken to the recovery room in stable condition
Risks, benefits and alternatives were discussed
Informed consent was obtained
Condition at discharge stable
Discharged home in stable condition
No acute cardiopulmonary process
No acute intracranial abnormality
No evidence of acute fracture
No pleural effusion or pneumothorax
The heart size is normal
Labs reviewed
Will continue to monitor
"""
_SPANISH = """
Sin alergias medicamentosas conocidas
No alergias medicamentosas conocidas
Sin hallazgos de interés
Sin antecedentes de interés
Buen estado general
Consciente y orientado
Consciente y orientada
Consciente y orientado en las tres esferas
Bien hidratado y perfundido
Normohidratado y normocoloreado
Eupneico en reposo
Afebril
Auscultación cardiopulmonar normal
Auscultación cardiaca rítmica, sin soplos
Murmullo vesicular conservado
Abdomen blando y depresible, no doloroso a la palpación
Abdomen blando, depresible, no doloroso
Sin signos de irritación peritoneal
Sin edemas
No edemas
Sin focalidad neurológica
Exploración neurológica normal
Pupilas isocóricas y normorreactivas
Motivo de consulta
Motivo de ingreso
Enfermedad actual
Antecedentes personales
Antecedentes familiares
Exploración física
Exploraciones complementarias
Pruebas complementarias
Evolución
Evolución y comentarios
Juicio clínico
Juicio diagnóstico
Diagnóstico
Diagnóstico principal
Diagnósticos
Tratamiento
Tratamiento al alta
Tratamiento y recomendaciones
Plan
Recomendaciones
Dieta normal
Control por su médico de atención primaria
Control por su médico de cabecera
Acudir a urgencias si empeoramiento
Buena evolución clínica
Se procede al alta
Evolución favorable
Sin complicaciones
Resto de exploración normal
Resto normal
No refiere fiebre
Niega dolor torácico
"""

SENTENCES = {
    "en": tuple(_ENGLISH.strip().splitlines()),
    "es": tuple(_SPANISH.strip().splitlines()),
}
