"""Detectors: from a `Note` to disjoint `Finding`s."""
