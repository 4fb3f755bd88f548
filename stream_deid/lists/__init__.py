"""Every word list once, as data with its source: names, places, terms, eponyms, titles."""
