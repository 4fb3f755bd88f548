"""Ages: a number and its years, without them, told otherwise."""
