"""Two numbers with a stroke between them and no year: a day and a month, or a score, a dose, a
share. What stands around a pair is weighed by a linear model that learned from hand-written notes
(`corpora/train/pairs`); the grammars of `patterns` and `quantities` are part of what it looks at.
"""
