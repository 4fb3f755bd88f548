"""Surrogates of e-mail, web and network addresses and of user names."""
