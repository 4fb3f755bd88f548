"""Telephones, extensions, Spanish streets, addresses of networks."""
