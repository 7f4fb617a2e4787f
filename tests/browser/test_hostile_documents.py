"""Documents and file names that want to be markup: they stay text wherever the console shows them."""

from html import escape

import pymupdf
import pytest
from playwright.sync_api import Page, expect

from tests.browser.acts import drawn, finished, searched

SCRIPT = "<script>pwned=1</script>"
PICTURE = "<img src=x onerror=pwned=2>"
NAME = "<img src=x onerror=pwned=3>'\"&amp;.html"


def hostile_pdf() -> bytes:
    """Payloads as text, title and bookmark, and a link that is a script."""
    document = pymupdf.open()
    page = document.new_page()
    page.insert_text((72, 90), f"zebrawood {SCRIPT}", fontsize=22)
    page.insert_text((72, 130), f"This paragraph is {PICTURE} and holds enough words to be one.", fontsize=11)
    page.insert_link({"kind": pymupdf.LINK_URI, "from": pymupdf.Rect(72, 118, 300, 134), "uri": "javascript:pwned=4"})
    document.set_metadata({"title": SCRIPT})
    document.set_toc([[1, PICTURE, 1]])
    return document.tobytes()


def hostile_html() -> bytes:
    """Payloads escaped in the source, so that they are the document's text, and markup that must not survive."""
    rows = "".join(f"<tr><td>{n}</td><td>{escape(PICTURE)} satinwood</td></tr>" for n in range(3))
    text = (
        f"<html><head><title>{escape(SCRIPT)}</title><script>pwned=5</script></head><body><h1>{escape(PICTURE)}</h1>{PICTURE}"
        f"<p onclick='pwned=6'>rosewood {escape(SCRIPT)} <a href='javascript:pwned=7'>press me</a></p>"
        f"<table><tr><th>n</th><th>{escape(SCRIPT)}</th></tr>{rows}</table><svg onload='pwned=8'></svg></body></html>"
    )
    return text.encode()


def untouched(page: Page) -> None:
    """Nothing ran, and nothing of a document became an element."""
    assert page.evaluate("typeof window.pwned") == "undefined"
    assert page.locator("img[src=x], [onerror], [onclick], main script, a[href^='javascript:' i]").count() == 0


@pytest.mark.parametrize(("name", "data"), [(NAME, hostile_html()), (NAME.replace("html", "pdf"), hostile_pdf())])
def test_content_and_names_stay_text(page: Page, name: str, data: bytes) -> None:
    card = finished(page, name, data)
    untouched(page)
    card.get_by_role("link").click()
    expect(page.get_by_role("heading", name=name)).to_be_visible()
    expect(page.locator(".text")).to_contain_text("wood")
    expect(page.locator(".text")).to_contain_text("<script>pwned=1</script>")
    untouched(page)
    page.get_by_role("button", name="Whole document").click()
    frame = page.frame_locator("iframe.whole")
    expect(frame.locator("body")).to_contain_text("<script>pwned=1</script>")
    assert frame.locator("script, img[src=x], [onerror], [onclick], a[href^='javascript:' i]").count() == 0
    assert page.locator("iframe.whole").get_attribute("sandbox") == ""
    untouched(page)


def test_what_is_searched_for_and_found_stays_text(page: Page) -> None:
    finished(page, "zebrawood.pdf", hostile_pdf())
    hits = searched(page, f"zebrawood {SCRIPT}")
    expect(page.get_by_role("heading", name="zebrawood")).to_contain_text(SCRIPT)
    expect(hits.first).to_contain_text("zebrawood")
    untouched(page)
    hits.first.locator("a").click()
    expect(page.locator(".block mark").first).to_be_visible()
    drawn(page)
    untouched(page)


@pytest.mark.parametrize(
    "fragment", ["#/d/<img src=x onerror=pwned=9>/1", "#/d/%00/x?q=<script>", "#/search?q=<img src=x onerror=pwned=10>", "#/nothing/%E0%A4%A"]
)
def test_addresses_stay_text(page: Page, fragment: str) -> None:
    page.evaluate("fragment => { location.hash = fragment; }", fragment)
    expect(page.locator("main > *").first).to_be_attached()
    untouched(page)


def test_a_page_elsewhere_may_not_ask(page: Page, address: str) -> None:
    answer = page.request.post(f"{address}api/documents", headers={"origin": "http://evil.example"}, data=b"x")
    assert answer.status == 403
    assert page.request.get(f"{address}api/about", headers={"host": "evil.example"}).status == 421
