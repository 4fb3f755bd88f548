"""FHIR R4 (R4B and STU3 where they are the same) in JSON: resources, Bundles, bulk export."""
