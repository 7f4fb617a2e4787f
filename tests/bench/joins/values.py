"""Words and values of made documents, in several scripts: what stands in cells, captions, heads and prose.

Everything comes from one random generator, so that a seed names a document.
"""

from random import Random
from typing import NamedTuple


class Language(NamedTuple):
    """What a language says where a table begins, goes on and ends. `caption` takes the number; `script` chooses the type face."""

    script: str
    caption: str
    continued: str
    goes_on: str
    total: str
    carried: tuple[str, str]
    source: str
    heads: tuple[str, ...]
    nouns: tuple[str, ...]
    prose: tuple[str, ...]
    numbers: str = "1,234.5"


ENGLISH = Language(
    "latin", "Table {}. ", "{} (continued)", "Continued on next page", "Total", ("Carried forward", "Brought forward"), "Source: own survey.",
    ("Item", "Region", "Owner", "Purpose", "Status", "Grant", "Country", "Measure", "Remarks", "Supplier", "Contract", "Amount", "Share"),
    ("Harbour", "Mill", "Bridge", "Orchard", "School", "Library", "Station", "Archive", "Market", "Quarry", "Forest", "Lighthouse", "Museum"),
    ("the", "river", "was", "counted", "in", "spring", "and", "every", "lot", "that", "reached", "it", "is", "listed", "with", "its", "weight"),
)  # fmt: skip
GERMAN = Language(
    "latin", "Tabelle {}: ", "{} (Fortsetzung)", "Fortsetzung auf der nächsten Seite", "Summe", ("Übertrag", "Übertrag"), "Quelle: eigene Erhebung.",
    ("Posten", "Gebiet", "Träger", "Zweck", "Zustand", "Zuschuss", "Land", "Maßnahme", "Bemerkung", "Lieferant", "Vertrag", "Betrag", "Anteil"),
    ("Hafen", "Mühle", "Brücke", "Schule", "Bücherei", "Bahnhof", "Archiv", "Markt", "Steinbruch", "Wald", "Leuchtturm", "Museum"),
    ("der", "Fluss", "wurde", "im", "Frühjahr", "gezählt", "und", "jede", "Partie", "ist", "mit", "ihrem", "Gewicht", "verzeichnet"), "1.234,5",
)  # fmt: skip
FRENCH = Language(
    "latin", "Tableau {} – ", "{} (suite)", "Suite à la page suivante", "Total", ("À reporter", "Report"), "Source : enquête.",
    ("Poste", "Région", "Titulaire", "Objet", "État", "Subvention", "Pays", "Mesure", "Observations", "Fournisseur", "Contrat", "Montant"),
    ("Port", "Moulin", "Pont", "Verger", "École", "Gare", "Archives", "Marché", "Carrière", "Forêt", "Phare", "Musée"),
    ("la", "rivière", "fut", "comptée", "au", "printemps", "et", "chaque", "lot", "est", "noté", "avec", "son", "poids"), "1 234,5",
)  # fmt: skip
RUSSIAN = Language(
    "cyrillic", "Таблица {}. ", "{} (продолжение)", "Продолжение на следующей странице", "Итого", ("К переносу", "Перенос"), "Источник: опрос.",
    ("Статья", "Район", "Владелец", "Цель", "Состояние", "Субсидия", "Страна", "Мера", "Примечания", "Поставщик", "Договор", "Сумма", "Доля"),
    ("Порт", "Мельница", "Мост", "Сад", "Школа", "Вокзал", "Архив", "Рынок", "Карьер", "Лес", "Маяк", "Музей"),
    ("река", "была", "весной", "и", "каждая", "партия", "записана", "с", "её", "весом", "в", "книге", "общины"), "1 234,5",
)  # fmt: skip
GREEK = Language(
    "greek", "Πίνακας {}. ", "{} (συνέχεια)", "συνέχεια στην επόμενη σελίδα", "Σύνολο", ("Σε μεταφορά", "Από μεταφορά"), "Πηγή: έρευνα.",
    ("Είδος", "Περιοχή", "Κάτοχος", "Σκοπός", "Κατάσταση", "Επιδότηση", "Χώρα", "Μέτρο", "Σημειώσεις", "Ποσό", "Μερίδιο"),
    ("Λιμάνι", "Μύλος", "Γέφυρα", "Σχολείο", "Σταθμός", "Αρχείο", "Αγορά", "Λατομείο", "Δάσος", "Φάρος", "Μουσείο"),
    ("το", "ποτάμι", "την", "άνοιξη", "και", "κάθε", "παρτίδα", "με", "το", "βάρος", "της", "στο", "βιβλίο"), "1.234,5",
)  # fmt: skip
CHINESE = Language(
    "han", "表{} ", "续{}", "接下页", "合计", ("过次页", "承前页"), "资料来源：调查。",
    ("项目", "地区", "单位", "用途", "状态", "补助", "国家", "措施", "备注", "供应商", "合同", "金额", "比例"),
    ("港口", "磨坊", "大桥", "果园", "学校", "图书馆", "车站", "档案馆", "市场", "采石场", "森林", "灯塔", "博物馆"),
    ("河流", "春季", "每一批", "都按", "重量", "登记", "在", "村庄", "的", "账簿", "之中"),
)  # fmt: skip
JAPANESE = Language(
    "kana", "表{} ", "{}（続き）", "次ページへ続く", "合計", ("次頁へ繰越", "前頁より繰越"), "出典：調査",
    ("項目", "地域", "所有者", "目的", "状態", "補助金", "国", "備考", "仕入先", "契約", "金額", "割合"),
    ("港", "水車", "橋", "果樹園", "学校", "図書館", "駅", "市場", "森林", "灯台", "博物館"),
    ("川は", "春に", "数えられ", "すべての", "荷が", "重さと", "ともに", "帳簿に", "記される"),
)  # fmt: skip
KOREAN = Language(
    "hangul", "표 {} ", "{} (계속)", "다음 쪽에 계속", "합계", ("차면 이월", "전면 이월"), "출처: 조사",
    ("항목", "지역", "소유자", "목적", "상태", "보조금", "국가", "비고", "공급자", "계약", "금액", "비율"),
    ("항구", "방앗간", "다리", "과수원", "학교", "도서관", "역", "시장", "숲", "등대", "박물관"),
    ("강은", "봄에", "세어지고", "모든", "짐은", "무게와", "함께", "장부에", "적힌다"),
)  # fmt: skip
LANGUAGES = (ENGLISH, ENGLISH, ENGLISH, GERMAN, FRENCH, RUSSIAN, GREEK, CHINESE, JAPANESE, KOREAN)
"""Drawn from with equal chances: a third is English."""
UNSPACED = frozenset({"han", "kana"})


def language(dice: Random, *, unspaced: bool = False) -> Language:
    """Any of them, or one that is written without spaces."""
    return dice.choice([one for one in LANGUAGES if not unspaced or one.script in UNSPACED])


def joiner(of: Language) -> str:
    """What stands between two words."""
    return "" if of.script in UNSPACED else " "


def phrase(dice: Random, of: Language, words: int) -> str:
    """Some words, the first with a capital where there are capitals; no full stop."""
    text = joiner(of).join(dice.choice(of.prose) for _ in range(words))
    return text[:1].upper() + text[1:]


def sentence(dice: Random, of: Language) -> str:
    """A sentence of prose."""
    return phrase(dice, of, dice.randint(8, 18)) + ("。" if of.script in UNSPACED else ".")


def prose(dice: Random, of: Language, sentences: int) -> str:
    """A paragraph."""
    return joiner(of).join(sentence(dice, of) for _ in range(sentences))


def amount(dice: Random, of: Language, largest: int = 90_000) -> str:
    """A sum as the language prints it."""
    value = dice.randint(100, largest) / 10
    plain = f"{value:,.1f}"
    return plain.translate({ord(","): of.numbers[1], ord("."): of.numbers[-2]})


def cell(dice: Random, of: Language, kind: str, row: int) -> str:
    """A cell's text. Kinds: serial, name, code, amount, count, share, date, words, text (runs over several lines), sparse, empty."""
    match kind:
        case "serial":
            return str(row + 1)
        case "name":
            return f"{dice.choice(of.nouns)}{joiner(of)}{dice.choice(of.nouns)}" if dice.random() < 0.4 else dice.choice(of.nouns)
        case "code":
            return f"{dice.choice('ABCDEFGHK')}{dice.choice('RSTUVW')}/{dice.randint(100, 9999)}"
        case "amount":
            return amount(dice, of)
        case "count":
            return str(dice.randint(0, 4000))
        case "share":
            return f"{dice.randint(0, 1000) / 10:.1f}%"
        case "date":
            return f"{dice.randint(1, 28):02}.{dice.randint(1, 12):02}.{dice.randint(1990, 2024)}"
        case "words":
            return phrase(dice, of, dice.randint(1, 3))
        case "text":
            return phrase(dice, of, dice.randint(5, 22))
        case "sparse":
            return dice.choice(of.nouns) if dice.random() < 0.3 else ""
        case _:
            return ""
