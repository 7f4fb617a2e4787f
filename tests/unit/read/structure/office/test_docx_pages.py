"""Logical pages of text documents: sections, breaks, furniture, scans."""

from pathlib import Path

from schemas.content import BlockType
from streams.read.structure.office.docx_pages import SCAN_LETTERS
from streams.read.structure.paging import MAX_PAGE_BLOCKS
from tests.unit.read.structure.office.making import inline_picture, opened, p, png, r, shown, word

LANDSCAPE = '<w:pgSz w:w="16840" w:h="11900" w:orient="landscape"/>'
BREAK = '<w:r><w:br w:type="page"/></w:r>'


def section(inside: str = "", kind: str = "") -> str:
    return f"<w:sectPr>{inside}{f'<w:type w:val={chr(34)}{kind}{chr(34)}/>' if kind else ''}</w:sectPr>"


def ends(text: str, closing: str) -> str:
    return f"<w:p><w:pPr>{closing}</w:pPr>{r(text)}</w:p>"


def texts(folder: Path, data: bytes) -> list[list[str]]:
    return [[block.text for block in page.blocks] for page in opened(folder, data).pages]


def test_a_section_is_a_page_of_its_paper(tmp_path: Path) -> None:
    document = opened(tmp_path, word(p("one") + ends("two", section(LANDSCAPE)) + p("three") + section()))
    assert [[b.text for b in page.blocks] for page in document.pages] == [["one", "two"], ["three"]]
    assert [(page.width_pt, page.height_pt) for page in document.pages] == [(842.0, 595.0), (595.3, 841.9)]
    assert all(page.logical for page in document.pages)


def test_a_section_that_goes_on_is_no_page(tmp_path: Path) -> None:
    assert texts(tmp_path, word(ends("one", section()) + ends("two", section(kind="continuous")) + p("three") + section())) == [
        ["one", "two"],
        ["three"],
    ]


def test_the_authors_page_breaks_divide_and_where_a_program_broke_does_not(tmp_path: Path) -> None:
    last = "<w:r><w:lastRenderedPageBreak/></w:r>"
    body = f"<w:p>{r('a ')}{BREAK}{r('b ')}{last}{r('c')}</w:p>" + p("d", "<w:pageBreakBefore/>") + f"<w:p>{BREAK}</w:p>" + p("e")
    assert texts(tmp_path, word(body)) == [["a"], ["b c"], ["d"], ["e"]]


def test_breaks_without_text_make_no_pages(tmp_path: Path) -> None:
    assert texts(tmp_path, word(f"<w:p>{BREAK}{BREAK}</w:p>" + p("only") + f"<w:p>{BREAK}</w:p>")) == [["only"]]


def test_an_empty_document_has_one_blank_page(tmp_path: Path) -> None:
    assert texts(tmp_path, word("")) == [[]]


def test_headers_and_footers_come_once_as_furniture(tmp_path: Path) -> None:
    use = '<w:headerReference r:id="header1"/><w:footerReference r:id="footer1"/>'
    body = ends("one", section(use)) + p("two") + section(use)
    document = opened(tmp_path, word(body, header1=p("Company"), footer1=p("Page 1")))
    assert [shown(list(page.blocks)) for page in document.pages] == [
        [("page_header", "Company"), ("paragraph", "one"), ("page_footer", "Page 1")],
        [("paragraph", "two")],
    ]


def test_a_long_section_goes_on_on_another_page(tmp_path: Path) -> None:
    count = MAX_PAGE_BLOCKS + 5
    pages = texts(tmp_path, word("".join(p(str(n)) for n in range(count))))
    assert [len(page) for page in pages] == [MAX_PAGE_BLOCKS, 5]
    assert [text for page in pages for text in page] == [str(n) for n in range(count)]


def test_scans_are_pages_of_their_own_for_a_model_to_read(tmp_path: Path) -> None:
    body = f"<w:p>{inline_picture('image1', 500, 700)}</w:p><w:p>{inline_picture('image2', 500, 700)}</w:p>" + p("stamp")
    document = opened(tmp_path, word(body, image1=png(), image2=png(level=9)))
    assert [[b.type for b in page.blocks] for page in document.pages] == [[BlockType.FIGURE], [BlockType.FIGURE, BlockType.PARAGRAPH]]
    assert [page.blocks[0].bbox for page in document.pages] == [(0.0, 0.0, 500.0, 700.0)] * 2
    assert [[picture.is_text for picture in page.pictures] for page in document.pages] == [[True], [True]]


def test_a_large_picture_beside_text_is_no_scan(tmp_path: Path) -> None:
    body = f"<w:p>{inline_picture('image1', 500, 700)}</w:p>" + p("word " * SCAN_LETTERS)
    (page,) = opened(tmp_path, word(body, image1=png())).pages
    assert [picture.is_text for picture in page.pictures] == [False]
