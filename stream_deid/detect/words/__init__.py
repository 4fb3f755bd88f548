"""Words that name nobody, one file a subject, and what stands around them."""
