"""Where the fast paths come from: mined sentences, harvested templates, and their review."""
