"""NED: how far a text is from the truth, 0 (the same) to 1.

Levenshtein distance over the longer length, after lower-casing and removing mark-up and white space: the convention of the published
evaluations of long documents. Order counts; furniture that is in one text alone counts as an error.
"""

import html
import re
import unicodedata

from rapidfuzz.distance import Levenshtein

_COMMENT_OR_TAG = re.compile(r"<!--.*?-->|</?[A-Za-z][^<>]*>", re.S)
_IMAGE, _LINK = re.compile(r"!\[([^\]]*)\]\([^)\s]*\)"), re.compile(r"\[([^\]]*)\]\([^)\s]*\)")
_RUN_OF_BLANKS = re.compile(r"[ \t]+")
_MARK_AT_START = re.compile(r"^ ?(?:#{1,6} |> ?|[-*+] |-{3,} ?$|\|?(?: ?:?-+:? ?\|)+(?: ?:?-+:? ?)?$)", re.M)
_MARK, _ESCAPE = re.compile(r"(?<!\\)[*_`|~]+"), re.compile(r"\\([^\w\s])")
_SPACE = re.compile(r"\s+")


def bare(markdown: str) -> str:
    """A text without Markdown, HTML, white space and case."""
    text = _RUN_OF_BLANKS.sub(" ", _COMMENT_OR_TAG.sub("", markdown))
    text = _LINK.sub(r"\1", _IMAGE.sub(r"\1", text))
    text = _ESCAPE.sub(r"\1", _MARK.sub("", _MARK_AT_START.sub("", text)))
    return _SPACE.sub("", unicodedata.normalize("NFKC", html.unescape(text))).lower()


def normalised_edit_distance(true: str, found: str) -> float:
    """NED of two texts, both with or without mark-up; 0 for two empty ones."""
    return float(Levenshtein.normalized_distance(bare(true), bare(found)))
