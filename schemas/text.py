"""Text across a break: which hyphens belong to their word, and which scripts put no space between words. Pure functions of strings.

Reading and recognition join lines, assembly joins columns and pages; a word must come out the same wherever it was cut, so the rule is part
of the contract (`schemas.content`: lines of a paragraph are joined). Words are compared in lower case, with a plain hyphen.
"""

import re
from collections.abc import Iterable
from typing import Protocol

SOFT_HYPHEN = "\u00ad"
HYPHENS = "-\u2010\u2011"
"""What may stand at the end of a line for a word that goes on. U+2011 joins by its definition, and is printed at line ends all the same."""
_DASHES = "–—/"
"""What stands close between two words that it joins, and apart where it parts them."""
LONGEST_WORD = 64
"""Characters looked at on each side of a hyphen, so that a join costs the same at the end of any text."""

LINE_BREAK = "\u2028"
"""In the text of a page's block: a line ends here because the author ended it, as in verse. A finished document has a line feed in its place."""

CODE_LANGUAGE = re.compile(r"[A-Za-z][A-Za-z0-9+#._-]{0,29}")
"""The name of a language of code, as it may stand behind a fence of Markdown; anything else in its place is none."""

_WORD = re.compile(r"[^\W\d_]+(?:[-\u2010\u2011'’][^\W\d_]+)*")
_LAST_WORD = re.compile(r"[^\W\d_]+(?:[-\u2010\u2011][^\W\d_]+)*$")
_FIRST_WORD = re.compile(r"[^\W\d_]+")
_UNSPACED = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u2e80-\u303f\u3040-\u30ff\u3100-\u312f\u31a0-\u31ff\u3400-\u4dbf\u4e00-\u9fff"
    "\uf900-\ufaff\uff00-\uff60\U00020000-\U0003ffff]"
)

_COMPOUND_HEADS = frozenset({
    "self", "ex", "well", "all", "anti", "non", "semi", "quasi", "pseudo", "half", "cross", "vice", "post", "pre", "long", "short", "high",
    "low", "so", "mid", "multi"
})  # fmt: skip
"""First parts of compounds that keep their hyphen when the second part is a known word."""
_SURE_HEADS = frozenset({"self", "well", "quasi", "vice"})
_ENDINGS = ("ness", "less", "ish", "ing", "head", "hood", "spring")
"""First parts that hardly any word begins with but compounds, and the second parts of the words that do ("wellness", "selfish")."""
_COMPOUND_TAILS = frozenset({
    "based", "oriented", "driven", "specific", "related", "dependent", "independent", "dimensional", "readable", "speaking", "weighted", "eligible",
    "advised", "friendly", "aware", "induced", "mediated", "shaped", "tuned", "tuning", "funded", "owned", "adjusted", "generated", "looking",
    "producing", "containing", "term"
})  # fmt: skip
_PREFIXES = frozenset({
    "a", "ab", "be", "co", "con", "cor", "de", "dis", "en", "im", "in", "inter", "intra", "mis", "out", "over", "per", "pre", "re", "sub", "super",
    "trans", "un", "under", "up", "down", "mal"
})  # fmt: skip
"""Last parts of compounds that keep their hyphen, and first parts with which they are one word ("dependent": "inter-dependent")."""
_BOUND = frozenset({"multi", "uni", "bi", "tri", "micro", "nano", "macro", "meso", "mono", "poly", "photo", "homo", "hetero"})
"""First parts that are no words of their own, and with which those are one word, too ("multidimensional")."""
_FIXED = frozenset({
    "decision-making", "large-scale", "small-scale", "full-scale", "fine-scale", "off-the", "on-the", "behind-the", "over-the", "up-to", "end-to",
    "face-to", "one-to", "out-of", "state-of", "peut-être", "au-dessus", "au-dessous", "au-delà", "ci-dessus", "ci-dessous", "ci-après", "là-bas",
    "lui-même", "elle-même", "eux-mêmes", "soi-même", "elles-mêmes", "est-il", "est-elle", "est-ce", "sont-ils", "peut-on", "a-t", "vis-à",
    "rendez-vous", "demi-heure"
})  # fmt: skip
"""Set phrases and their beginnings, English and French ones."""
_FINNISH = ("että", "sekä")
"""Words that tell Finnish from its kin: there a hyphen between like vowels belongs to its compound ("linja-auto"), since none is cut there."""
_VOWELS = frozenset("aeiouyäö")
_SCANDINAVIAN = ("och", "att", "på", "är", "og", "ikke")
"""Words that tell Swedish, Danish and Norwegian from the languages around them."""
_CONJUNCTIONS = {"und": None, "bzw": None, "sowie": None, "and": None, "oder": False, "och": True, "eller": True, "og": True}
"""German, English and Scandinavian ones, and whether they are such beside Scandinavian words only, or beside others only: "eller" is an end of
German words ("aktu-eller"), "oder" of Swedish ones ("peri-oder"). Those of other languages are ends of common words anywhere.
"""
_ENDS_IN_AND = frozenset({"brigand", "operand", "viand", "errand", "husband", "thousand", "island", "garland", "reprimand", "multiplicand"})
"""Words that may be cut before an "and" that is none."""
_CLOSED_HEADS = frozenset({
    "some", "any", "every", "no", "with", "under", "over", "out", "up", "down", "in", "there", "where", "here", "when", "how", "what",
    "who", "be", "for", "fore", "after", "other", "them", "him", "her", "it", "my", "your", "our", "like", "wise", "less", "ward", "hood",
    "ship", "man", "men", "time", "work", "day", "way", "side", "line", "land", "book", "house", "head", "hand", "back", "water", "fire",
    "sun", "air"
})  # fmt: skip
"""Words that begin closed compounds ("some-times"): both parts are words, and yet the hyphen is only a break."""


class Words(Protocol):
    """Words in lower case that can be asked for one by one: a set, or one that is gathered when it is first asked."""

    def __contains__(self, word: str, /) -> bool:
        """Whether the word is among them."""


def words_of(lines: Iterable[str]) -> frozenset[str]:
    """The words that lines print whole, compounds with their hyphen. Parts of words cut at the end of a line are not among them."""
    found: set[str] = set()
    cut = False
    for line in lines:
        words = _WORD.findall(line.lower())
        if cut:
            words = words[1:]
        cut = line.rstrip()[-1:] in (*HYPHENS, SOFT_HYPHEN)
        found.update(words[:-1] if cut else words)
    return frozenset(word.replace("\u2010", "-").replace("\u2011", "-") for word in found)


def cut_word(above: str, below: str) -> tuple[str, str] | None:
    """The two parts of a word, as printed, that the hyphen at the end of `above` may have cut; None where none stands between letters."""
    if above[-1:] not in (*HYPHENS,):
        return None
    last, first = _LAST_WORD.search(above[-LONGEST_WORD - 1 : -1]), _FIRST_WORD.match(below[:LONGEST_WORD])
    return (last.group(), first.group()) if last and first else None


def hyphen_goes(begin: str, end: str, words: Words) -> bool:
    """Whether the hyphen between two parts of a word is only a break, the joined word being likelier than the compound.

    `words` are those printed whole near by: they decide first. Before a capital the hyphen goes only where they hold the joined word and not
    the compound ("Trace-Monkey" cut in "TraceMonkey").
    """
    is_name, may_be_word = end[0].isupper(), end[0].islower()
    begin, end = begin.lower().replace("\u2010", "-").replace("\u2011", "-"), end.lower()
    joined, compound = begin + end in words, f"{begin}-{end}" in words
    if not may_be_word:
        return is_name and joined and not compound
    if joined:
        return True
    if compound or "-" in begin or f"{begin}-{end}" in _FIXED:
        return False
    if end in _COMPOUND_TAILS and begin not in _PREFIXES:
        if begin in _BOUND:
            return True
        if len(begin) > 3 or begin in words:
            return False
    if begin[-1] == end[0] and end[0] in _VOWELS and any(word in words for word in _FINNISH):
        return False
    if len(begin) == 1 or (begin in _SURE_HEADS and len(end) > 3 and not end.startswith(_ENDINGS)):
        return False  # no word is cut behind its first letter: "e-mail", "x-ray"
    whole = end in words and len(end) > 2
    if begin in _COMPOUND_HEADS and whole:
        return False
    return not (whole and len(begin) > 2 and begin in words and begin not in _CLOSED_HEADS)


def is_suspended(begin: str, end: str, after: str, words: Words) -> bool:
    """Whether the hyphen between two parts stands for what two words share, and is no break: before "and" in "ein- und ausgehend". `after`: what
    follows the second part.

    Never where the joined word is one. What stands before the hyphen need be no word: "Forschungs- und" is the rule.
    """
    if end not in _CONJUNCTIONS or after[:1] not in ("", " "):
        return False
    joined, scandinavian = f"{begin}{end}".lower(), _CONJUNCTIONS[end]
    if joined in words or joined in _ENDS_IN_AND:
        return False
    return scandinavian is None or scandinavian is any(word in words for word in _SCANDINAVIAN)


def dash_holds(above: str, below: str) -> bool:
    """Whether no space follows the dash or slash at the end of a line: it stands close behind its word ("406–", "and/"), and the line, which may
    carry the space at its end, has none. Between digits such a space is none either ("406– " and "415").
    """
    head = above.rstrip()
    last, before = head[-1:], head[-2:-1]
    if not last or last not in _DASHES or not before or before.isspace():
        return False
    return not above[-1].isspace() or (last == "–" and before.isdigit() and below[:1].isdigit())


def is_unspaced(character: str) -> bool:
    """Whether a character belongs to a script that is written without spaces between words: Chinese, Japanese, Thai, Lao, Khmer, Burmese."""
    return _UNSPACED.match(character) is not None
