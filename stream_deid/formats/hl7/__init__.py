"""HL7 v2 in its encoding ER7: parse to a `Note`, render with edits, byte for byte else."""
