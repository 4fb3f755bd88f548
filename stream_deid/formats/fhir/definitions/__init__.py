"""What each element is: FHIR's own definitions, and the rule that holds for it."""
