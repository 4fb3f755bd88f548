"""Spanish given names that are titles of the Virgin, and the article that goes before each.

"María del Carmen" can't become "Sara del Lucía": the article follows the surrogate, or goes.
"""

from __future__ import annotations

from types import MappingProxyType

from stream_deid.lists.lexicon import load_names
from stream_deid.lists.vocabulary import Vocabulary
from stream_deid.text.folding import fold
from stream_deid.text.linear import linear

_ARTICLES = Vocabulary("names_marian", "surrogates").table("articles")
_ARTICLE_OF = MappingProxyType(
    {fold(name): article for article, names in _ARTICLES.items() for name in names.split()}
)
_GAP = linear(r"(?i) +(?:del?|de +l[ao]s?) +")


def gap(between: str, keys: tuple[str, str], made: str) -> str:
    """What stands before the surrogate `made` of the second of two names, where `between` stood
    between them ("María", "del", "Carmen"); another text than an article stays, and so does one
    that goes with a surname ("María de la Cruz"). So it is behind any given name ("Gladys del
    Carmen").
    """
    if keys[1] not in _ARTICLE_OF or not _GAP.fullmatch(between):
        return between
    if not all(load_names().label(one).startswith("given") for one in keys):
        return between
    article = _ARTICLE_OF.get(fold(made), "")
    if not article:
        return " "
    return f" {article.upper() if between.strip().isupper() else article} "
