"""Everything about Triton: client, micro-batcher, manifests, configurations, local server."""
