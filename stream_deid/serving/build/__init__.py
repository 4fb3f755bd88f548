"""Engines and configurations of models, made from what is committed."""
