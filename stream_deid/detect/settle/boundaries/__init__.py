"""Where a span begins and ends: what models read over the edge of a name is cut off."""
