"""HL7 v2 over MLLP: a listener that writes to the input topic, and a sender of what is released."""
