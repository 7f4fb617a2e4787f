"""UTF-16 without its mark, and the bytes that only look a little like it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from schemas.wide_text import unmarked_utf16

TEXTS = {
    "de": "Größe und Straße: Die Übergänge wurden geprüft. Preis: 5 € – „gut“.\n",
    "ru": "Комиссия порта собралась во вторник, чтобы рассмотреть договор.\n",
    "el": "Η επιτροπή του λιμανιού συνεδρίασε την Τρίτη.\n",
    "he": "ועדת הנמל התכנסה ביום שלישי כדי לדון בחוזה החפירה.\n",
    "ja": "港湾委員会は火曜日に開かれ、浚渫契約と北埠頭の修理について検討した。\n",
    "zh": "港口委员会于星期二开会，审查疏浚合同和北码头的修理工程。\n",
    "ko": "항만위원회는 화요일에 회의를 열어 준설 계약을 검토하였다.\n",
}
NARROW = [
    ("de", "cp1252"),
    ("ru", "cp1251"),
    ("ru", "koi8_r"),
    ("el", "cp1253"),
    ("ja", "cp932"),
    ("zh", "gb18030"),
    ("ko", "cp949"),
    ("de", "utf-8"),
]


@pytest.mark.parametrize("language", TEXTS)
@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
@pytest.mark.parametrize("times", [1, 400])
def test_text_of_any_script_is_told(language: str, encoding: str, times: int) -> None:
    assert unmarked_utf16((TEXTS[language] * times).encode(encoding)) == encoding


@pytest.mark.parametrize(("language", "encoding"), NARROW)
@pytest.mark.parametrize("stray", [b"", b"\0", b"\0\0", b"\1"])
def test_text_of_one_byte_a_character_is_none_whatever_strays_in_it(language: str, encoding: str, stray: bytes) -> None:
    data = (TEXTS[language] * 5).encode(encoding)
    assert unmarked_utf16(data[:50] + stray + data[50:]) is None


@pytest.mark.parametrize("data", [b"", b"\0", bytes(400), b"\0\1\0\2" * 400, bytes(range(256)) * 4, b"Bush hid the facts\0\0"])
def test_binary_bytes_are_none(data: bytes) -> None:
    assert unmarked_utf16(data) is None


@given(st.binary(max_size=300))
def test_any_bytes_have_an_answer_that_they_decode_in(data: bytes) -> None:
    encoding = unmarked_utf16(data)
    if encoding is not None:
        assert data[: len(data) - len(data) % 2].decode(encoding, "ignore")
