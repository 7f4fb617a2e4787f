"""Whether the words of a text look like words of any language: pure, without a dictionary.

Used on recognised text that somebody else put under a scan, where single wrong characters betray a bad reading long before letter
statistics do: digits and signs inside words, capitals in odd places, letters that stand alone.
"""

import re

_MARKS = "\u0300-\u036f\u0591-\u05c7\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06ed\u0900-\u0dff\u0e00-\u0eff\u0f00-\u109f\u1780-\u17ff\u200c\u200d"
"""Vowel signs and accents, which are no letters to `re` but belong to words."""
_EDGES = "()[]{}<>\"'“”‘’«»‹›„,.;:!?¿¡-–—…*•/&،؛؟。、，；：！？「」『』（）《》"
_LETTERS = rf"(?:[^\W\d_]|[{_MARKS}])+"
_WORD = re.compile(rf"{_LETTERS}(?:['’\-–—./&־·]{_LETTERS})*")
_NUMBER = re.compile(r"[$€£¥#§+±~]{0,2}\d[\d.,:/'’×x%°\-–—()]*(?:[a-zA-Z]{1,3}|%)?")
_CODE = re.compile(r"[A-Z]{1,5}[-–/]?\d[\d\-/.]*(?:[-/]?[A-Z]{1,2})?|[A-Z]\d+x\d+")
"""Part numbers and sizes: `YRW-54629/B`, `IP65`, `M6x20`."""
_WITH_DIGITS = re.compile(r"[\u3005-\u30ff\u3400-\u9fff\d]+|[\u05d0-\u05ea\u0620-\u06d3]*\d[\d.,%/]*[\u05d0-\u05ea\u0620-\u06d3]*")
"""Han and kana, between which numbers stand without spaces; Hebrew and Arabic, whose numbers join the word beside them."""
_BREAKS = re.compile("[、，。；：！？「」『』（）《》・…]+|[.·_]{4,}|(?<=[\u05d0-\u06ff])[,،:;](?=[\u05d0-\u06ff])")
"""Signs that part words where no spaces do; leader dots, whatever stands among them; signs of right-to-left lines, whose spaces get lost."""
_DOTS, _LEADER = ".·_", re.compile(r"[.·_]{3}")
LEADERS, MOSTLY = 6, 0.7
"""Characters from which a word of mostly dots leads the eye: one of them read as a digit is no wrong word."""
_CASED = re.compile(r"['’\-–—./&]")
_SINGLE = frozenset("aAIOoyeiuàéèvwksz&ÀÉ0123456789")
"""Letters that are words of their own in some language."""


def unsound_share(text: str) -> float:
    """Share of the words that no reader would take for a word or number, the mean of by count and by length; 0 for no words."""
    if _LEADER.search(text):
        text = " ".join([word for word in text.split() if len(word) < LEADERS or sum(map(word.count, _DOTS)) < MOSTLY * len(word)])
    words = _BREAKS.sub(" ", text).split()
    if not words:
        return 0.0
    bad = [word for word in words if not _is_sound(word)]
    return (len(bad) / len(words) + sum(map(len, bad)) / sum(map(len, words))) / 2


def _is_sound(word: str) -> bool:
    """A word, a compound or a number, with whatever stands around it; or one sign repeated."""
    core = word.strip(_EDGES)
    if not core:
        return len(word) <= 2 or len(set(word)) == 1
    if _NUMBER.fullmatch(core) or _CODE.fullmatch(core) or _WITH_DIGITS.fullmatch(core):
        return True
    if not _WORD.fullmatch(core):
        return False
    if len(core) == 1:
        return core in _SINGLE or not core.isascii()
    return all(_is_cased(part) for part in _CASED.split(core))


def _is_cased(part: str) -> bool:
    """Lower case, capitals, or capitals first; scripts without case pass. `McKay` and `SEPs` pass, `tIrAt` does not."""
    return not part.isascii() or part.islower() or part.isupper() or part[1:].islower() or part[:-1].isupper() or part[2:].islower()
