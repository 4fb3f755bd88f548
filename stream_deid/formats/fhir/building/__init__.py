"""From a message to a note and back: what the walk collects, lone words, rendering."""
