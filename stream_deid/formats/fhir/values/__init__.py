"""Values without elements of their own: strings, dates, codes, numbers, documents."""
