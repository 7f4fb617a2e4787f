"""Bytes as text: marks, declarations, guesses, and what is said where nothing is sure."""

import codecs

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from streams.read.structure.text.encoding_guess import guess_encoding
from streams.read.structure.text.encodings import DAMAGED, GUESSED, UNREADABLE, codec_of, decode_text

TEXTS = {
    "ru": "Все люди рождаются свободными и равными в своём достоинстве и правах. Они наделены разумом и совестью.",
    "uk": "Усі люди народжуються вільними і рівними у своїй гідності та правах. Вони наділені розумом і совістю.",
    "de": "Die Würde des Menschen ist unantastbar. Größe, Straße, über, möglich, natürlich, Bäume, Häuser, schön, für, fünf, grün.",
    "fr": "Les hommes naissent et demeurent libres et égaux en droits; là où l'été est passé, ça gêne déjà la forêt, où naît la fraîcheur.",
    "cs": "Všichni lidé rodí se svobodní a sobě rovní co do důstojnosti a práv. Jsou nadáni rozumem a svědomím, příliš žluťoučký kůň.",
    "pl": "Wszyscy ludzie rodzą się wolni i równi pod względem swej godności i swych praw. Są oni obdarzeni rozumem, zażółć gęślą jaźń.",
    "hu": "Minden emberi lény szabadon születik és egyenlő méltósága és joga van. Az emberek ésszel és lelkiismerettel bírván, őrült tükörfúrógép.",
    "tr": "Bütün insanlar hür, haysiyet ve haklar bakımından eşit doğarlar. Akıl ve vicdana sahiptirler, ışık ağacı çiçek açtı.",
    "el": "Όλοι οι άνθρωποι γεννιούνται ελεύθεροι και ίσοι στην αξιοπρέπεια και τα δικαιώματα. Είναι προικισμένοι με λογική.",
    "he": "כל בני האדם נולדו בני חורין ושווים בערכם ובזכויותיהם. כולם חוננו בתבונה ובמצפון",
    "ar": "يولد جميع الناس أحرارا متساوين في الكرامة والحقوق. وقد وهبوا عقلا وضميرا وعليهم أن يعامل بعضهم بعضا بروح الإخاء",
    "zh": "人人生而自由，在尊严和权利上一律平等。他们赋有理性和良心，并应以兄弟关系的精神互相对待。",
    "zh_hant": "人人生而自由，在尊嚴和權利上一律平等。他們賦有理性和良心，並應以兄弟關係的精神互相對待。",
    "ja": "すべての人間は、生まれながらにして自由であり、かつ、尊厳と権利とについて平等である。人間は、理性と良心とを授けられている。",
    "ko": "모든 인간은 태어날 때부터 자유로우며 그 존엄과 권리에 있어 동등하다. 인간은 천부적으로 이성과 양심을 부여받았다.",
    "th": "มนุษย์ทั้งหลายเกิดมามีอิสระและเสมอภาคกันในเกียรติศักดิ์และสิทธิ ต่างมีเหตุผลและมโนธรรม",
}
LEGACY = [
    *(("ru", encoding) for encoding in ("cp1251", "koi8_r", "cp866", "iso8859_5", "mac_cyrillic")),
    *(("uk", encoding) for encoding in ("cp1251", "koi8_u")),
    *(("de", encoding) for encoding in ("cp1252", "cp850", "mac_roman")),
    *(("fr", encoding) for encoding in ("cp1252", "mac_roman")),
    *((language, encoding) for language in ("cs", "pl", "hu") for encoding in ("cp1250", "iso8859_2")),
    ("tr", "cp1254"), ("el", "cp1253"), ("el", "iso8859_7"), ("he", "cp1255"), ("he", "iso8859_8"), ("ar", "cp1256"), ("ar", "iso8859_6"),
    ("zh", "gb18030"), ("zh_hant", "big5"), ("ja", "cp932"), ("ja", "euc_jp"), ("ko", "cp949"), ("th", "cp874"),
]  # fmt: skip


@pytest.mark.parametrize(("language", "encoding"), LEGACY)
def test_text_in_a_legacy_encoding_that_nothing_names_is_read_and_the_guess_is_told(language: str, encoding: str) -> None:
    decoded = decode_text(TEXTS[language].encode(encoding))
    assert decoded.text == TEXTS[language]
    assert decoded.reasons == (GUESSED,)
    assert 0.5 < decoded.confidence < 1.0
    assert "no encoding" in decoded.warnings[0]


@pytest.mark.parametrize(("language", "encoding"), LEGACY)
def test_markup_in_a_legacy_encoding_is_read_among_tags_of_ascii(language: str, encoding: str) -> None:
    page = f"<html><body>{'<div class=section><span>' * 20}<p>{TEXTS[language]}</p></body></html>"
    assert decode_text(page.encode(encoding), markup=True).text == page


@pytest.mark.parametrize("language", TEXTS)
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-be", "utf-32"])
def test_unicode_is_certain(language: str, encoding: str) -> None:
    mark = {"utf-16-be": codecs.BOM_UTF16_BE}.get(encoding, b"")
    decoded = decode_text(mark + TEXTS[language].encode(encoding))
    assert (decoded.text, decoded.confidence, decoded.warnings) == (TEXTS[language], 1.0, ())


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be"])
def test_wide_text_without_its_mark_is_told_by_its_zeros(encoding: str) -> None:
    text = "A plain text of ASCII letters, with a few ä and ö in it.\n" * 3
    assert decode_text(text.encode(encoding)).text == text


def test_what_markup_declares_is_believed_where_the_bytes_are_text_in_it() -> None:
    page = '<html><meta charset="windows-1251"><p>да</p>'
    decoded = decode_text(page.encode("cp1251"), markup=True)
    assert (decoded.text, decoded.confidence, decoded.warnings) == (page, 1.0, ())
    xml = '<?xml version="1.0" encoding="EUC-KR"?><html>한</html>'
    assert decode_text(xml.encode("euc_kr"), markup=True).text == xml


def test_a_declaration_that_the_bytes_contradict_is_not_believed() -> None:
    utf8 = f'<meta charset="iso-8859-1"><p>{TEXTS["cs"]}</p>'
    assert decode_text(utf8.encode(), markup=True).text == utf8
    russian = f'<meta charset="iso-8859-1"><p>{TEXTS["ru"]}</p>'
    decoded = decode_text(russian.encode("cp1251"), markup=True)
    assert decoded.text == russian
    assert decoded.reasons == (GUESSED,)


def test_a_declaration_of_plain_text_is_a_part_of_the_text() -> None:
    text = f'<meta charset="koi8-r"> is written in HTML. {TEXTS["ru"]}'
    assert decode_text(text.encode("cp1251")).text == text


@pytest.mark.parametrize("name", ["zip", "rot13", "unicode_escape", "idna", "bz2", "raw_unicode_escape", "punycode", "undefined", "x" * 40, "mbcs"])
def test_codecs_that_are_no_encoding_of_text_cannot_be_named(name: str) -> None:
    assert codec_of(name) is None
    assert decode_text(f'<meta charset="{name}"><p>text</p>'.encode(), markup=True).text.endswith("<p>text</p>")


def test_escapes_of_iso_2022_are_text() -> None:
    assert decode_text(TEXTS["ja"].encode("iso2022_jp")).text == TEXTS["ja"]
    assert decode_text(TEXTS["ko"].encode("iso2022_kr")).text == TEXTS["ko"]


def test_bytes_that_read_like_no_language_are_not_trusted() -> None:
    noise = bytes((i * 97 + i * i * 31) % 128 + 128 if i % 9 else 32 for i in range(4000))
    decoded = decode_text(noise)
    assert decoded.confidence < 0.5
    assert UNREADABLE in decoded.reasons


def test_a_few_lost_bytes_cost_their_place_alone() -> None:
    data = TEXTS["ru"].encode()
    damaged = decode_text(data[:50] + b"\xff" + data[50:])
    assert damaged.encoding == "utf-8"
    assert damaged.text.replace("\ufffd", "").startswith("Все люди")
    assert DAMAGED in damaged.reasons
    legacy = ("Ещё один файл, в котором потерян один байт. " * 20 + TEXTS["ru"]).encode("cp1251")
    assert decode_text(legacy[:60] + b"\x98" + legacy[60:]).encoding == "cp1251"


def test_a_few_accents_in_plain_text_are_western_and_doubted() -> None:
    decoded = decode_text(("Plain English text with one café in it. " * 5).encode("cp1252"))
    assert decoded.text.count("café") == 5
    assert decoded.confidence < 0.8


@settings(deadline=None)  # some twenty encodings are tried
@given(st.binary(max_size=400))
def test_any_bytes_become_text_that_can_be_encoded_again(data: bytes) -> None:
    for markup in (False, True):
        decoded = decode_text(data, markup=markup)
        decoded.text.encode("utf-8", "surrogatepass")
        assert 0.0 <= decoded.confidence <= 1.0
        assert (decoded.confidence == 1.0) == (not decoded.warnings)


@given(st.text(st.characters(exclude_characters="\0"), max_size=300))  # a few signs with zeros between may as well be UTF-16
def test_utf_8_comes_out_as_it_went_in(text: str) -> None:
    data = text.encode("utf-8", "ignore")
    if not data.isascii():
        assert decode_text(data).text == data.decode().removeprefix("\ufeff")


def test_the_sample_of_a_long_file_is_where_its_letters_are() -> None:
    data = b"plain line of ascii\n" * 20_000 + TEXTS["ru"].encode("koi8_r")
    assert guess_encoding(data).encoding in ("koi8_u", "koi8_r")
    assert decode_text(data).text.endswith(TEXTS["ru"])


@pytest.mark.parametrize("language", [language for language in TEXTS if language != "th"])
@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
def test_wide_text_of_any_script_is_read_without_its_mark(language: str, encoding: str) -> None:
    text = f"{TEXTS[language]}\n" * 3
    assert decode_text(text.encode(encoding)).text == text


@pytest.mark.parametrize("encoding", ["utf-8", "cp1252"])
def test_a_stray_zero_is_dropped(encoding: str) -> None:
    data = TEXTS["de"].encode(encoding)
    assert decode_text(data[:30] + b"\0" + data[30:]).text == TEXTS["de"]
