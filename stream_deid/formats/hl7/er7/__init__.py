"""HL7's encoding ER7: delimiters, segments, fields, escapes, and where each value lies."""
