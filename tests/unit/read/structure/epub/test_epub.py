"""EPUB: order, contents, links, pictures, notes, and books that are locked, damaged or too large."""

from pathlib import Path

import made_books as made
import pytest

from schemas.document import OutlineEntry
from schemas.errors import Code, PageloomError
from streams.read.structure.epub import package as package_module

PICTURE = b"\x89PNG\r\n\x1a\n" + b"x" * 100


def said(document, number: int) -> list[tuple[str, str]]:
    return [(block.type.value, block.text) for block in document.page(number).blocks]


def test_chapters_are_pages_in_reading_order_and_metadata_is_the_books(tmp_path: Path) -> None:
    opf = made.package([("b.xhtml", made.HTML, ""), ("a.xhtml", made.HTML, "")], ["b.xhtml", "a.xhtml", "b.xhtml", "lost"])
    files = {"OPS/book.opf": opf, "OPS/a.xhtml": made.chapter("<h1>Last</h1>"), "OPS/b.xhtml": made.chapter("<h1>First</h1><p>x</p>")}
    document = made.read(tmp_path, made.archive({"META-INF/container.xml": made.CONTAINER, **files}))
    assert [said(document, number) for number in (1, 2)] == [[("heading", "First"), ("paragraph", "x")], [("heading", "Last")]]
    assert document.page_count == 2
    assert document.metadata == {"title": "A Book", "author": "One, Two", "language": "en"}
    assert "1 entries of the reading order" in document.warnings[0]


def test_links_between_chapters_name_pages(tmp_path: Path) -> None:
    first = '<p><a href="c2.xhtml#x">two</a> <a href="https://x.org">out</a> <a href="../../etc/passwd">up</a> <a href="#here">here</a></p>'
    document = made.read(tmp_path, made.simple([first, '<p id="x">t <a href="c1.xhtml">back</a></p>']))
    assert [link.target for link in document.page(1).blocks[0].links] == ["#page=2", "https://x.org"]
    assert [link.target for link in document.page(2).blocks[0].links] == ["#page=1"]


def test_the_navigation_document_is_the_outline(tmp_path: Path) -> None:
    nav = made.chapter(
        '<nav epub:type="landmarks"><ol><li><a href="c1.xhtml">No</a></li></ol></nav><nav epub:type="toc"><ol><li><a href="c1.xhtml">One</a><ol>'
        '<li><a href="c2.xhtml#s">One <b>B</b></a></li></ol></li><li><span>Part</span><ol><li><a href="lost.xhtml">Lost</a></li></ol></li></ol></nav>'
    )
    data = made.simple(["<h1>a</h1>", '<h2 id="s">b</h2>'], {"OPS/nav.xhtml": nav}, [("nav.xhtml", made.HTML, "nav")])
    assert made.read(tmp_path, data).outline == (
        OutlineEntry(level=1, title="One", page=1),
        OutlineEntry(level=2, title="One B", page=2),
        OutlineEntry(level=1, title="Part", page=None),
        OutlineEntry(level=2, title="Lost", page=None),
    )


def test_the_ncx_of_older_books_is_the_outline(tmp_path: Path) -> None:
    ncx = (
        '<ncx xmlns="http://www.daisy.org/z3986/2005/ncx/"><navMap><navPoint><navLabel><text>One</text></navLabel><content src="c1.xhtml"/><navPoint>'
        '<navLabel><text>Two</text></navLabel><content src="c2.xhtml#a"/></navPoint></navPoint></navMap></ncx>'
    )
    data = made.simple(["<p>a</p>", "<p>b</p>"], {"OPS/toc.ncx": ncx}, [("toc.ncx", made.NCX, "")])
    assert made.read(tmp_path, data).outline == (OutlineEntry(level=1, title="One", page=1), OutlineEntry(level=2, title="Two", page=2))


def test_notes_shown_on_demand_are_footnotes_and_printed_page_numbers_are_none(tmp_path: Path) -> None:
    body = (
        '<p>word<a epub:type="noteref" href="#n"><sup>1</sup></a> on<span epub:type="pagebreak">12</span></p>'
        '<aside id="n" epub:type="footnote" hidden="hidden"><p>1. The note.</p></aside>'
    )
    assert said(made.read(tmp_path, made.simple([body])), 1) == [("paragraph", "word¹ on"), ("footnote", "1. The note.")]


def test_pictures_of_the_book_are_figures_and_others_are_not_loaded(tmp_path: Path) -> None:
    body = '<p><img alt="in" src="pics/a.png"/></p><p><img alt="out" src="https://x.org/a.png"/></p><p><img alt="up" src="../../a.png"/></p>'
    listed = [("pics/a.png", made.PNG, "")]
    document = made.read(tmp_path, made.simple([body], {"OPS/pics/a.png": PICTURE, "a.png": PICTURE}, listed))
    assert said(document, 1) == [("figure", "in"), ("figure", "out"), ("figure", "up")]
    (picture,) = document.page(1).pictures
    assert (picture.block, picture.data, picture.media_type) == (0, PICTURE, "image/png")


def test_a_picture_in_the_reading_order_is_a_page(tmp_path: Path) -> None:
    opf = made.package([("a.png", made.PNG, "")], ["a.png"])
    document = made.read(tmp_path, made.archive({"META-INF/container.xml": made.CONTAINER, "OPS/book.opf": opf, "OPS/a.png": PICTURE}))
    assert said(document, 1) == [("figure", "")]
    assert document.page(1).pictures[0].data == PICTURE


@pytest.mark.parametrize(
    "extra",
    [
        {"META-INF/license.lcpl": "{}"},
        {"META-INF/encryption.xml": made.ENCRYPTED.format(algorithm="http://www.w3.org/2001/04/xmlenc#aes128-cbc", uri="OPS/c1.xhtml")},
    ],
)
def test_a_book_under_rights_management_is_refused(tmp_path: Path, extra: dict[str, str]) -> None:
    with pytest.raises(PageloomError) as error:
        made.read(tmp_path, made.simple(["<p>x</p>"], extra))
    assert error.value.code is Code.ENCRYPTED


def test_obfuscated_fonts_lock_nothing(tmp_path: Path) -> None:
    extra = {"META-INF/encryption.xml": made.ENCRYPTED.format(algorithm="http://www.idpf.org/2008/embedding", uri="OPS/font.otf")}
    assert said(made.read(tmp_path, made.simple(["<p>x</p>"], extra)), 1) == [("paragraph", "x")]


def test_a_missing_chapter_is_a_blank_page_that_says_so(tmp_path: Path) -> None:
    opf = made.package([("c1.xhtml", made.HTML, ""), ("c2.xhtml", made.HTML, "")], ["c1.xhtml", "c2.xhtml"])
    files = {"META-INF/container.xml": made.CONTAINER, "OPS/book.opf": opf, "OPS/c2.xhtml": made.chapter("<p>x</p>")}
    document = made.read(tmp_path, made.archive(files))
    assert (document.page(1).blocks, "missing" in document.page(1).warnings[0]) == ((), True)
    assert said(document, 2) == [("paragraph", "x")]


@pytest.mark.parametrize("files", [{}, {"META-INF/container.xml": made.CONTAINER}, {"META-INF/container.xml": "<x", "a.opf": "<package"}])
def test_a_book_without_a_package_is_corrupt(tmp_path: Path, files: dict[str, str]) -> None:
    with pytest.raises(PageloomError) as error:
        made.read(tmp_path, made.archive(files))
    assert error.value.code is Code.CORRUPT


def test_without_a_container_the_first_package_counts(tmp_path: Path) -> None:
    data = made.archive({"x/book.opf": made.package([("a.html", made.HTML, "")], ["a.html"]), "x/a.html": "<p>old"})
    assert said(made.read(tmp_path, data), 1) == [("paragraph", "old")]


def test_files_that_unpack_beyond_the_bound_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(package_module, "MAX_FILE_BYTES", 50_000)
    with pytest.raises(PageloomError) as error:
        made.read(tmp_path, made.simple(["<p>" + "x" * 60_000 + "</p>"]))
    assert error.value.code is Code.TOO_LARGE


def test_entities_of_the_package_are_not_expanded(tmp_path: Path) -> None:
    bomb = '<!DOCTYPE package [<!ENTITY a "lol"><!ENTITY b "&a;&a;"><!ENTITY f SYSTEM "file:///etc/passwd">]>'
    opf = bomb + made.package([("c.xhtml", made.HTML, "")], ["c.xhtml"], "<dc:title>x&b;&f;</dc:title>")
    document = made.read(
        tmp_path, made.archive({"META-INF/container.xml": made.CONTAINER, "OPS/book.opf": opf, "OPS/c.xhtml": made.chapter("<p>t</p>")})
    )
    assert document.metadata.get("title", "x") == "x"
