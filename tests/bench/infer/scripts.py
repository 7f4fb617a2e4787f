"""Pages of text in nine scripts, of common words in any order."""

import random
from pathlib import Path

import pymupdf
from msgspec import Struct

NOTO = Path("/usr/share/fonts/truetype/noto")


class Script(Struct, frozen=True):
    """A script by its Unicode name: words, what stands between them on a page, and the font that draws them (empty: MuPDF's own)."""

    name: str
    words: str
    gap: str = " "
    font: str = ""


SCRIPTS = (
    Script("Latin", "water house morning people country small river because often already children letter road summer never"),
    Script("Greek", "νερό σπίτι άνθρωπος χώρα μικρός ποτάμι γιατί παιδιά γράμμα δρόμος καλοκαίρι ποτέ μαζί ημέρα", font="NotoSans"),
    Script("Cyrillic", "вода дом утро человек страна маленький река потому между часто дети письмо дорога лето никогда вместе", font="NotoSans"),
    Script("Han", "水 房子 早上 人們 國家 小 河流 因為 之間 經常 孩子 信件 道路 夏天 從不 一起 時間 工作 學校 城市", gap=""),
    Script("Hiragana", "みず いえ あさ ひと くに ちいさい かわ なぜなら あいだ よく こども てがみ みち なつ いっしょ じかん", gap=""),
    Script("Hangul", "물 집 아침 사람 나라 작은 강 왜냐하면 사이 자주 아이들 편지 길 여름 함께 시간 학교 도시"),
    Script("Arabic", "ماء بيت صباح إنسان بلد صغير نهر لأن بين غالبا أطفال رسالة طريق صيف معا وقت مدرسة مدينة", font="NotoNaskhArabic"),
    Script("Hebrew", "מים בית בוקר אדם ארץ קטן נהר כי בין לעתים ילדים מכתב דרך קיץ יחד זמן ספר עיר", font="NotoSansHebrew"),
    Script("Devanagari", "पानी घर सुबह लोग देश छोटा नदी क्योंकि बीच अक्सर बच्चे पत्र सड़क गर्मी साथ समय", font="NotoSansDevanagari"),
)  # fmt: skip


def text_of(script: Script, words: int, seed: int) -> str:
    """So many words in any order."""
    rng = random.Random(f"{script.name} {seed}")
    return script.gap.join(rng.choice(script.words.split()) for _ in range(words))


def drawn(texts: list[str], script: Script, size: float = 11.0, width: float = 420.0, height: float = 595.0) -> pymupdf.Page:
    """A page with a paragraph for each text, shaped as the script wants."""
    page = pymupdf.open().new_page(width=width, height=height)
    face = f"@font-face {{font-family: it; src: url({script.font}-Regular.ttf);}}" if script.font else ""
    css = face + f"p {{font-family: {'it' if script.font else 'serif'}; font-size: {size}pt; line-height: 1.35; margin: 0 0 8pt 0;}}"
    html = "".join(f"<p>{text}</p>" for text in texts)
    spare, _ = page.insert_htmlbox((40, 40, width - 40, height - 40), html, css=css, archive=pymupdf.Archive(str(NOTO)) if script.font else None)
    if spare < 0:
        raise ValueError(f"{script.name}: {len(texts)} paragraphs do not fit onto a page")
    return page
