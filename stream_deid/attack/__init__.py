"""Attacks on the surrogates: what somebody who holds released notes can find out, in figures."""
