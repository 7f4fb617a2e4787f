"""Words by which authors say that something goes on: table captions and their numbers, "continued" in many languages, total rows.

One table for each kind of word; a language is added by adding its words. Pure functions of strings.
"""

import re

from streams.assemble.text.wording import fold

_LABEL = re.compile(
    r"(?P<kind>table|tab\.?|tabelle|tableau|tabla|tabela|tabella|tabel|tabell|taulukko|táblázat|tablo|таблица|табл\.?|πίνακας|جدول|טבלה|"
    r"schedule|exhibit|annex table|appendix table|附?表格?|표)(?![a-z])"
    r"\s*(?:no\.?|nr\.?|n°|№)?\s*(?P<number>[a-z]{0,3}[\s.\-–—]?\d+(?:[.\-–][0-9a-z]+)*[a-z]?|[ivxlc]{1,6}\b|[a-z]\b|[一二三四五六七八九十]+)",
    re.IGNORECASE,
)
_KIND = re.compile(r"(?<!\w)(?:table|tab\.|tabelle|tableau|tabla|tabela|tabella|tabel|таблица|табл\.|πίνακας|جدول|טבלה)|表", re.IGNORECASE)
MAX_LABELS = 6
"""Captions that one line may hold."""
_CONTINUED = re.compile(
    r"\b(?:continued|cont['’.]?d|contd|continuation|fortsetzung|fortgesetzt|fortsättning|fortsat|fortsettelse|vervolg|continuación|continuação|"
    r"ciąg dalszy|pokračování|pokračovanie|folytatás|continuare|devamı|jatkuu|продолжение|окончание|συνέχεια)\b"
    r"|[(\[—–-]\s*(?:cont\.?|forts\.?|fort\.?|suite|suite et fin|fin|cont\.?\s*inuação|segue|continua|c\.\s?d\.|cd\.|прод\.)\s*[)\]]?\s*$"
    r"|^(?:suite|segue|forts\.)\b|[(\[]\s*(?:suite|segue|cont\.?|forts\.?|cd\.)\s*[)\]]"
    r"|续表|續表|[（(]\s*[续續]\s*[)）]|続き|[（(]\s*続\s*[)）]|つづき|계속|[(]\s*계속\s*[)]|تابع|يتبع|המשך",
    re.IGNORECASE,
)
_GOES_ON_NOTE = re.compile(
    r"(?:table |tabelle )?(?:continue[sd]|cont['’.]?d) (?:on|over|from|overleaf)|(?:see|siehe) (?:foot)?notes? (?:at|on|am)|to be continued|"
    r"fortsetzung (?:auf|nächste|folgt)|suite (?:à la|page|au)|continúa en|continua (?:na|nella|alla)|segue (?:na|nella|alla)|vervolg op|"
    r"συνέχεια στ|συνεχίζεται|ciąg dalszy na|pokračuje na|jatkuu seuraavalla|folytatás a|"
    r"接?[续續]?下[页頁]|次(?:[页頁]|ページ)(?:へ|に|で)?[续続]|다음 (?:쪽|페이지)|يتبع|продолжение (?:на|см)",
    re.IGNORECASE,
)
_NOTE = re.compile(
    r"(?:notes?|sources?|abbreviations?|nota|fuentes?|fonte|quelle|anm(?:erkung)?|hinweis|legende?|примечани[ея]|источник|注|註|备注|資料|资料来源|출처|주)\s*\d*\s*[.:：—–)]"
    r"|[*†‡§]|(?:\d{1,2}|[a-z])[\s)./]\s?\S",
    re.IGNORECASE,
)
_TOTAL = re.compile(
    r"(?:sub-?|grand |net |overall )?totals?\b|sum(?:me|ma)?\b|suma\b|somme\b|soma\b|yhteensä|i alt\b|gesamt|insgesamt|"
    r"zusammen|totaal|totale?n?\b|razem|ogółem|celkem|összesen|toplam|"
    r"(?:γενικό )?σύνολο|итого|всего|разом|усього|合\s*计|合\s*計|总\s*计|總\s*計|小\s*计|小\s*計|계\b|합계|총계|المجموع|الإجمالي|סה[\"״]כ",
    re.IGNORECASE,
)
_CARRIED = re.compile(
    r"(?:balance |amount |total |sum )?(?:(?:carried|brought) (?:forward|down|over)|c/f|b/f)\b|übertrag|vortrag|(?:à |a )?report(?:er|é)?\s*$|"
    r"suma y sigue|suma anterior|riporto|a riportare|transporte|transport\b|do przeniesienia|z przeniesienia|к переносу|перенос\b|"
    r"(?:σε|από|εις|εκ) μεταφορά|devreden|nakli yekun|[过過]次[页頁]|承前[页頁]|(?:次|前)[頁页ペ](?:ージ)?(?:へ|より|から)?繰越|"
    r"(?:차|전)면\s?이월|이월",
    re.IGNORECASE,
)
_BLANK_PAGE = re.compile(
    r"\W*(?:this )?page (?:has been |is |was )?(?:intentionally |deliberately )?(?:left )?(?:blank|empty)\W*"
    r"|\W*(?:diese )?seite (?:ist |wurde |bleibt )?(?:absichtlich |bewusst )?(?:frei|leer)(?: gelassen| geblieben)?\W*"
    r"|\W*(?:cette )?page (?:est )?(?:laissée )?(?:intentionnellement |volontairement )?(?:laissée )?(?:en )?(?:blanc|vierge)\W*"
    r"|\W*(?:esta )?página (?:se ha |ha sido )?(?:dejada |dejado )?(?:intencionadamente |intencionalmente )?(?:dejada )?en blanco\W*"
    r"|\W*(?:此|本)页(?:有意)?(?:空白|留白)\W*|\W*(?:この|本)ページは(?:意図的に)?(?:空白|白紙)\w*\W*",
    re.IGNORECASE,
)
LONGEST_CAPTION = 600
LONGEST_NOTE = 200
"""Characters; longer texts are prose, in which these words mean something else, and a search through them costs."""


def table_label(text: str) -> str | None:
    """The number that a table's caption begins with, folded (`a-1`, `2.3`, `ii`); None for a text that is no caption."""
    match = _LABEL.match(text[:80].lstrip("*_ ([（"))
    return re.sub(r"[\s–—]+", "-", fold(match["number"])).strip("-.") if match else None


def names_other_table(text: str, label: str) -> bool:
    """Whether a caption also names a table of another number, as where the captions of two columns were read as one line."""
    starts = [match.start() for match in _KIND.finditer(text[:LONGEST_CAPTION])][1:MAX_LABELS]
    return any(other is not None and other != label for other in (table_label(text[start:]) for start in starts))


def is_continued(text: str) -> bool:
    """Whether a caption or heading says that it continues what was begun."""
    return len(text) <= LONGEST_CAPTION and _CONTINUED.search(text) is not None


def goes_on_note(text: str) -> bool:
    """Whether a line only says that the table goes on elsewhere ("See notes at end of table", "Fortsetzung auf …")."""
    return len(text) <= LONGEST_NOTE and _GOES_ON_NOTE.search(text) is not None


def is_note(text: str) -> bool:
    """Whether a text is a note to a table or its source."""
    return _NOTE.match(text[:80]) is not None


def begins_with_total(text: str) -> bool:
    """Whether a cell is the label of a total row."""
    return _TOTAL.match(text[:80].strip()) is not None


def is_carried(text: str) -> bool:
    """Whether a cell is the label of a sum that is carried to the next page or was brought from the one before."""
    return len(text) <= LONGEST_NOTE and _CARRIED.match(text.strip()) is not None


def says_blank(text: str) -> bool:
    """Whether a page's only text says that the page is empty on purpose."""
    return len(text) <= LONGEST_NOTE and _BLANK_PAGE.fullmatch(text.strip()) is not None
