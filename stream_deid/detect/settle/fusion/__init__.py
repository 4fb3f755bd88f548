"""Votes to disjoint findings: what unites, who takes precedence, who owns which characters."""
