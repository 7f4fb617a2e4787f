"""E-mail: what a message says, once, and what it carries by name."""

from email.message import EmailMessage
from pathlib import Path

import pytest

from schemas.content import BlockType
from schemas.errors import Code, PageloomError
from streams.read.structure import message
from streams.read.structure.documents import open_structured
from streams.read.structure.logical_page import LogicalDocument
from streams.read.structure.message import read_message
from tests.unit.read.structure.office.making import png

HEAD = "From: Ann <a@x.org>\u2028To: Bo <b@x.org>"


def made(subject: str = "Boats", text: str = "Hello Bo,\n\nit floats.\n") -> EmailMessage:
    mail = EmailMessage()
    mail["From"], mail["To"], mail["Subject"] = "Ann <a@x.org>", "Bo <b@x.org>", subject
    mail.set_content(text)
    return mail


def said(document: LogicalDocument) -> list[list[tuple[str, str]]]:
    return [[(block.type.value, block.text) for block in page.blocks] for page in document.pages]


def test_a_message_is_its_subject_its_people_and_its_text(tmp_path: Path) -> None:
    (tmp_path / "m.eml").write_bytes(bytes(made()))
    document = open_structured(tmp_path / "m.eml", "message/rfc822")
    assert said(document) == [[("heading", "Boats"), ("paragraph", HEAD), ("paragraph", "Hello Bo,"), ("paragraph", "it floats.")]]
    assert document.metadata == {"title": "Boats", "author": "Ann <a@x.org>"}


def test_words_and_texts_are_decoded() -> None:
    assert said(read_message(bytes(made("Grüße — 船", "Größe: 5 €\n"))))[0][::2] == [("heading", "Grüße — 船"), ("paragraph", "Größe: 5 €")]
    latin = b"Subject: x\nContent-Type: text/plain; charset=nowhere\n\nGr\xf6\xdfe und mehr davon, viel mehr\n"
    assert "Größe" in said(read_message(latin))[0][-1][1]


def test_of_alternatives_the_richest_is_read_and_pictures_in_it_are_kept() -> None:
    mail = made()
    mail.add_alternative("<p>Hello <b>Bo</b>,</p><table><caption>T</caption><tr><th>a<th>b<tr><td>1<td>2</table>", subtype="html")
    (page,) = read_message(bytes(mail)).pages
    assert [block.type.value for block in page.blocks] == ["heading", "paragraph", "paragraph", "caption", "table"]
    assert (page.blocks[2].text, page.blocks[3].caption_of) == ("Hello Bo,", 5)


def test_what_is_attached_is_named_and_a_message_inside_is_read() -> None:
    mail = made()
    mail.add_attachment(png(), maintype="image", subtype="png", filename="boat ü.png")
    mail.add_attachment("inner text", filename="notes.txt")
    mail.add_attachment(made("Older", "So it was.\n"))
    document = read_message(bytes(mail))
    first, second = said(document)
    assert first[0] == ("heading", "Boats")
    assert second == [
        ("heading", "Older"), ("paragraph", HEAD), ("paragraph", "So it was."), ("annotation", "Attachment: boat ü.png (image/png)"),
        ("annotation", "Attachment: notes.txt (text/plain)"),
    ]  # fmt: skip
    assert document.pages[-1].warnings == ("attachments are not read, here 2; send them as documents of their own",)


def test_text_without_a_header_is_text() -> None:
    assert said(read_message(b"just a line of words\n")) == [[("paragraph", "just a line of words")]]
    assert said(read_message(b"")) == [[]]


@pytest.mark.parametrize(("between", "end"), [(b" ", b"\r"), (b"\x1c", b"\n"), (b"\n ", b"\n")])
def test_parts_are_counted_as_the_parser_reads_them(between: bytes, end: bytes) -> None:
    """Otherwise it nests as many calls, and runs out of them."""
    nested = b"".join(end.join((b"Content-Type:%smultipart/mixed; boundary=b%d" % (between, n), b"", b"--b%d" % n, b"")) for n in range(1_200))
    with pytest.raises(PageloomError) as raised:
        read_message(nested)
    assert raised.value.code is Code.TOO_LARGE


@pytest.mark.parametrize(
    ("charset", "text", "encoding"),
    [
        ("koi8-r", "Привет из Москвы, всё хорошо", "koi8-r"),
        ("iso-8859-1", "Größe „5 €“ und mehr davon", "cp1252"),
        ("us-ascii", "Größe und mehr davon", "utf-8"),
        ("hz-gb-2312", "你好，世界", "hz"),
        ("unicode-escape", r"C:\u0041", "ascii"),
    ],
)
def test_a_text_is_in_the_encoding_that_its_part_names_unless_it_cannot_be(charset: str, text: str, encoding: str) -> None:
    part = b"Content-Type: text/plain; charset=" + charset.encode() + b"\n\n" + text.encode(encoding)
    assert said(read_message(part)) == [[("paragraph", text)]]


@pytest.mark.parametrize(
    "header", ["Subject: =?a\0b?q?x?=", "Content-Type: text/plain; charset=a\0b", "Content-Type: a/b; name*=a\0b''x", "Subject: =?\xe9?q?x?="]
)
def test_a_name_that_is_none_of_an_encoding_costs_no_message(header: str) -> None:
    assert said(read_message(f"{header}\n\nhi\n".encode()))[0]


@pytest.mark.parametrize("kind", ["a/b; name", "multipart/mixed; boundary", "text/plain; charset"])
def test_parameters_that_contradict_each_other_cost_no_message(kind: str) -> None:
    (page,) = read_message(f"Subject: x\nContent-Type: {kind}*=a; {kind.rsplit(maxsplit=1)[-1]}*1=b\n\nhi\n".encode()).pages
    assert page.blocks[0].text == "x"


def test_a_message_of_endless_parts_is_refused(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    nested = b"".join(b"Content-Type: multipart/mixed; boundary=b%d\n\n--b%d\n" % (n, n) for n in range(2_000))
    with pytest.raises(PageloomError) as raised:
        read_message(nested)
    assert raised.value.code is Code.TOO_LARGE
    assert said(read_message(nested[:4_000])) == [[]]
    monkeypatch.setattr(message, "MAX_BYTES", 10)
    (tmp_path / "m.eml").write_bytes(bytes(made()))
    with pytest.raises(PageloomError):
        message.read(tmp_path / "m.eml")


def test_more_parts_than_the_bound_are_not_read(tmp_path: Path) -> None:
    mail = made()
    for number in range(9):
        mail.add_attachment(b"x", maintype="a", subtype="b", filename=f"f{number}")
    (tmp_path / "m.eml").write_bytes(bytes(mail))
    page = open_structured(tmp_path / "m.eml", "message/rfc822", max_message_parts=4).page(1)
    assert [block.text for block in page.blocks if block.type is BlockType.ANNOTATION] == ["Attachment: f0 (a/b)"]
    assert page.warnings[0] == "the message has more than 4 parts (max_message_parts of the settings); the others are left out"


def test_header_fields_with_bytes_of_no_ascii_are_read() -> None:
    for encoding in ("utf-8", "cp1252"):
        found = read_message("Subject: Größe für Jörg\nFrom: Jörg <j@a.org>\n\nText.\n".encode(encoding))
        assert found.metadata["title"] == "Größe für Jörg"


def test_of_alternatives_the_richest_that_says_something_is_read() -> None:
    parts = "--b\nContent-Type: text/plain\n\nThe words.\n--b\nContent-Type: text/html\n\n\n--b--\n"
    found = read_message(f"Subject: s\nMIME-Version: 1.0\nContent-Type: multipart/alternative; boundary=b\n\n{parts}".encode())
    assert "The words." in [block.text for page in found.pages for block in page.blocks]


@pytest.mark.parametrize(
    "data",
    [
        b'Subject: s\nContent-Type: text/plain; a="' + b";" * 20_000 + b'"\n\nText.\n',
        b"Subject: s\nContent-Type: multipart/mixed; boundary=b\n\n" + b"--b\n\n" * 30_000,
    ],
    ids=["a long field", "many parts"],
)
def test_what_costs_the_parser_more_than_its_size_is_refused(data: bytes) -> None:
    with pytest.raises(PageloomError) as caught:
        read_message(data)
    assert caught.value.code is Code.TOO_LARGE
