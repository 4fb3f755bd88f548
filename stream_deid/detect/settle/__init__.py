"""From overlapping votes to disjoint, typed findings."""
