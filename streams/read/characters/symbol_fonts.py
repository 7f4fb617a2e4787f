"""What the codes of symbol fonts show: tables of characters, and nothing else.

Fonts of pictures keep them at codes 0x20 to 0xFF, which text layers name as they are, or at U+F000 and above. Symbol and Zapf Dingbats are after
Adobe's encodings (PDF 32000, annex D.5 and D.6), the Microsoft fonts after the proposal that brought their signs into Unicode (L2/12-368, WG2
N4384). Where Unicode's own sign for a bullet, box or arrow is in hardly any font, the like one that documents use stands in its place.
"""

import re
from functools import lru_cache

_FIRST, _ROW = 0x20, 32


def _codes(*rows: str) -> dict[int, str]:
    """A table by code of rows of 32, from 0x20 on; NUL stands for none, and rows may end early."""
    return {_FIRST + _ROW * row + place: sign for row, signs in enumerate(rows) for place, sign in enumerate(signs) if sign != "\0"}


SYMBOL = _codes(
    " !∀#∃%&∋()∗+,−./0123456789:;<=>?",
    "≅ΑΒΧΔΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖ[∴]⊥_",
    "‾αβχδεφγηιϕκλμνοπθρστυϖωξψζ{|}∼",
    "",
    "€ϒ′≤⁄∞ƒ♣♦♥♠↔←↑→↓°±″≥×∝∂•÷≠≡≈…⏐⎯↵",
    "ℵℑℜ℘⊗⊕∅∩∪⊃⊇⊄⊂⊆∈∉∠∇®©™∏√⋅¬∧∨⇔⇐⇑⇒⇓",
    "◊⟨®©™∑⎛⎜⎝⎡⎢⎣⎧⎨⎩⎪\0⟩∫⌠⎮⌡⎞⎟⎠⎤⎥⎦⎫⎬⎭",
)
ZAPF_DINGBATS = _codes(
    " ✁✂✃✄☎✆✇✈✉☛☞✌✍✎✏✐✑✒✓✔✕✖✗✘✙✚✛✜✝✞✟",
    "✠✡✢✣✤✥✦✧★✩✪✫✬✭✮✯✰✱✲✳✴✵✶✷✸✹✺✻✼✽✾✿",
    "❀❁❂❃❄❅❆❇❈❉❊❋●❍■❏❐❑❒▲▼◆❖◗❘❙❚❛❜❝❞",
    "❨❩❪❫❬❭❮❯❰❱❲❳❴❵",
    "\0❡❢❣❤❥❦❧♣♦♥♠①②③④⑤⑥⑦⑧⑨⑩❶❷❸❹❺❻❼❽❾❿",
    "➀➁➂➃➄➅➆➇➈➉➊➋➌➍➎➏➐➑➒➓➔→↔↕➘➙➚➛➜➝➞➟",
    "➠➡➢➣➤➥➦➧➨➩➪➫➬➭➮➯\0➱➲➳➴➵➶➷➸➹➺➻➼➽➾",
)
WINGDINGS = _codes(
    " 🖉✂✁👓🕭🕮🕯☎✆✉🖃📪📫📬📭🗀🗁🗎🗏🗐🗄⌛🖮🖰🖲🖳🖴🖫🖬✇✍",
    "🖎✌🖏👍👎☜☞☝☟🖐☺😐☹💣🕱🏳🏱✈☼🌢❄🕆✞🕈✠✡☪☯🕉☸♈♉",
    "♊♋♌♍♎♏♐♑♒♓🙰🙵●❍■□□❑❒⬧⧫◆❖⬥⌧⮹⌘🏵🏶🙶🙷▯",
    "🄋➀➁➂➃➄➅➆➇➈➉🄌➊➋➌➍➎➏➐➑➒➓🙢🙠🙡🙣🙞🙜🙝🙟·•",
    "▪○🞆🞈◉🞋🔿▪□🟁✦★🟋🟏🟓🟑⯐⌖⯎⯏⯑✪✰•🕑🕒🕓🕔🕕🕖🕗🕘",
    "🕙🕚🕛⮰⮱⮲⮳⮴⮵⮶⮷🙪🙫🙕🙔🙗🙖🙐🙑🙒🙓⌫⌦⮘➢⮙⮛⮈➲⮉⮋←",
    "→↑↓🡬🡭🡯🡮🡸➔🡹🡻🡼🡽🡿🡾⇦⇨⇧⇩⬄⇳⬁⬀⬃⬂🢬🢭✗✓☒☑",
)
WINGDINGS_2 = _codes(
    " 🖊🖋🖌🖍✄✀🕾🕽🗅🗆🗇🗈🗉🗊🗋🗌🗍📋🗑🗔🖵🖶🖷🖸🖭🖯🖱🖒🖓🖘🖙",
    "🖚🖛👈👉🖜🖝🖞🖟🖠🖡👆👇🖢🖣🖑🗴🗸🗵☑⮽☒⮾⮿🛇⦸🙱🙴🙲🙳‽🙹🙺",
    "🙻🙦🙤🙥🙧🙚🙘🙙🙛⓪①②③④⑤⑥⑦⑧⑨⑩⓿❶❷❸❹❺❻❼❽❾❿",
    "☉🌕☽☾⸿✝🕇🕜🕝🕞🕟🕠🕡🕢🕣🕤🕥🕦🕧🙨🙩⋅🞄⦁●○🞅🞇🞉⊙⦿🞌",
    "🞍◾■□🞑🞒🞓🞔▣🞕🞖🞗🞘⬩⬥◇🞚◈🞛🞜🞝🞞⬪⬧◊🞠◖◗⯊⯋⯀⯁",
    "⬟⯂⬣⬢⯃⯄🞡🞢🞣🞤🞥🞦🞧🞨🞩🞪🞫🞬🞭🞮🞯🞰🞱🞲🞳🞴🞵🞶🞷🞸🞹🞺",
    "🞻🞼🞽🞾🞿🟀🟂🟄🟆🟉🟊✶🟌🟎🟐🟒✹🟃🟇✯🟍🟔⯌⯍※⁂",
)
WINGDINGS_3 = _codes(
    " ⭠⭢⭡⭣⭦⭧⭩⭨⭰⭲⭱⭳⭶⭸⭻⭽⭤⭥⭪⭬⭫⭭⭍⮠⮡⮢⮣⮤⮥⮦⮧",
    "⮐⮑⮒⮓⮀⮃⭾⭿⮄⮆⮅⮇⮏⮍⮎⮌⭮⭯⎋⌤⌃⌥␣⍽⇪⮸🢠🢡🢢🢣🢤🢥",
    "🢦🢧🢨🢩🢪🢫🡐🡒🡑🡓🡔🡕🡗🡖🡘🡙▲▼△▽◀▶◁▷◣◢◤◥🞀🞂🞁",
    "🞃⯅⯆⯇⯈⮜⮞⮝⮟🠐🠒🠑🠓🠔🠖🠕🠗🠘🠚🠙🠛🠜🠞🠝🠟🠀🠂🠁🠃🠄🠆🠅",
    "🠇🠈🠊🠉🠋🠠🠢🠤🠦🠨🠪🠬🢜🢝🢞🢟🠮🠰🠲🠴🠶🠸🠺🠹🠻🢘🢚🢙🢛🠼🠾🠽",
    "🠿🡀🡂🡁🡃🡄🡆🡅🡇⮨⮩⮪⮫⮬⮭⮮⮯🡠🡢🡡🡣🡤🡥🡧🡦🡰🡲🡱🡳🡴🡵🡷",
    "🡶🢀🢂🢁🢃🢄🢅🢇🢆🢐🢒🢑🢓🢔🢖🢕🢗",
)
WEBDINGS = _codes(
    " 🕷🕸🕲🕶🏆🎖🖇🗨🗩🗰🗱🌶🎗🙾🙼🗕🗖🗗⏴⏵⏶⏷⏪⏩⏮⏭⏸⏹⏺🗚🗳",
    "🛠🏗🏘🏙🏚🏜🏭🏛🏠🏖🏝🛣🔍🏔👁👂🏞🏕🛤🏟🛳🕬🕫🕨🔈🎔🎕🗬🙽🗭🗪🗫",
    "⮔✔🚲⬜🛡📦🛱⬛🚑🛈🛩🛰🟈🕴⬤🛥🚔🗘🗙❓🛲🚇🚍⛳⦸⊖🚭🗮⏐🗯🗲",
    "🚹🚺🛉🛊🚼👽🏋⛷🏂🏌🏊🏄🏍🏎🚘🗠🛢💰🏷💳👪🗡🗢🗣✯🖄🖅🖃🖆🖹🖺🖻",
    "🕵🕰🖽🖾📋🗒🗓🕮📚🗞🗟🗃🗂🖼🎭🎜🎘🎙🎧💿🎞📷🎟🎬📽📹📾📻🎚🎛📺💻",
    "🖥🖦🖧🕹🎮🕻🕼📟🖁🖀🖨🖩🖿🖪🗜🔒🔓🗝📥📤🕳🌣🌤🌥🌦☁🌨🌧🌩🌪🌬🌫",
    "🌜🌡🛋🛏🍽🍸🛎🛍Ⓟ♿🛆🖈🎓🗤🗥🗦🗧🛪🐿🐦🐟🐕🐈🙬🙮🙭🙯🗺🌍🌏🌎🕊",
)

LARGE_OPERATORS = {
    ord(code): sign for code, sign in zip('!"#()PXQYRZSTUVW[\\]^_HIJKLMNOpqrshino', ")[]{}∑∑∏∏∫∫⋃⋂⊎∧∨⋃⋂⊎∧∨∮∮⊙⊙⊕⊕⊗⊗√√√√[]{}", strict=True)
}
"""TeX's font of operators and brackets in two sizes and more, whose glyphs are called as the letters that stand at their codes in other fonts."""
NEVER_LARGE = {code: sign for code, sign in LARGE_OPERATORS.items() if chr(code) not in "()[\\]^_"}
"""The same for characters that a map to Unicode names: that font has brackets, a backslash and wide accents, but no letters."""

ADOBE: dict[int, str] = {
    **{0xF730 + i: str(i) for i in range(10)},  # old-style digits
    **{0xF761 + i: chr(ord("a") + i) for i in range(26)},  # small capitals
    0xF6BE: "j", 0xF6D9: "©", 0xF6DA: "®", 0xF6DB: "™", 0xF8E8: "®", 0xF8E9: "©", 0xF8EA: "™", 0xF8E5: "‾", 0xF8E6: "⏐", 0xF8E7: "⎯",
    0xF8EB: "⎛", 0xF8EC: "⎜", 0xF8ED: "⎝", 0xF8EE: "⎡", 0xF8EF: "⎢", 0xF8F0: "⎣", 0xF8F1: "⎧", 0xF8F2: "⎨", 0xF8F3: "⎩", 0xF8F4: "⎪",
    0xF8F5: "⎮", 0xF8F6: "⎞", 0xF8F7: "⎟", 0xF8F8: "⎠", 0xF8F9: "⎤", 0xF8FA: "⎥", 0xF8FB: "⎦", 0xF8FC: "⎫", 0xF8FD: "⎬", 0xF8FE: "⎭",
}  # fmt: skip
"""Adobe's corporate use of the private area (glyph list of 2002)."""

_BULLETS = frozenset({
    0x9E, 0x9F, 0xA0, 0xA1, 0xA4, 0xA7, 0xA8, 0xAA, 0xAB, 0xB7, 0xD8, 0xDC, 0xDF, 0xE0, 0xE1, 0xE2, 0xE8, 0xEF, 0xF0, 0xFB, 0xFC, 0xFD, 0xFE,
})  # fmt: skip
"""Codes of Wingdings that stand for bullets, boxes, ticks and arrows in documents whose font has some other name."""
_FONTS: tuple[tuple[re.Pattern[str], dict[int, str]], ...] = (
    (re.compile("wingdings ?-?2"), WINGDINGS_2),
    (re.compile("wingdings ?-?3"), WINGDINGS_3),
    (re.compile("wingdings"), WINGDINGS),
    (re.compile("webdings"), WEBDINGS),
    (re.compile("dingbat"), ZAPF_DINGBATS),
    (re.compile("symbol"), SYMBOL),
)
"""By what a font's name holds, in lower case; the first that fits."""


_LARGE_OPERATORS = re.compile(r"(?:^|\+)cmex\d{1,2}$")


@lru_cache(maxsize=1024)
def pictures_of(font: str, *, coded: bool = False) -> dict[int, str] | None:
    """The table of a font that has pictures and nothing else, so that whatever its text layer calls a letter is one; None for other fonts.

    `coded`: its characters are codes, because neither a map nor the names of its glyphs say more; else those that may be right stay.
    """
    name = font.lower()
    if _LARGE_OPERATORS.search(name):
        return LARGE_OPERATORS if coded else NEVER_LARGE
    if "wingdings" not in name and "webdings" not in name:
        return None
    return next(table for pattern, table in _FONTS if pattern.search(name))


def private_sign(code: int, font: str) -> str:
    """What a private-use code shows, or nothing where no table says. Symbol fonts keep their codes at U+F000 and above."""
    if code in ADOBE:
        return ADOBE[code]
    if not 0xF020 <= code <= 0xF0FF:
        return ""
    low, name = code - 0xF000, font.lower()
    table = next((table for pattern, table in _FONTS if pattern.search(name)), None)
    if table is not None:
        return table.get(low, "")
    if low < 0x7F:
        return chr(low)  # a TrueType font that is marked as symbolic keeps plain ASCII here
    return WINGDINGS[low] if low in _BULLETS else SYMBOL.get(low, "")
