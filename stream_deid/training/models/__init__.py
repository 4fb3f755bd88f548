"""Architectures, which know neither who trains them nor what exports them."""
