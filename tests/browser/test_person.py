"""A person at the console: files in, pages filling, documents read and searched, work cancelled; with mouse and with keys alone."""

import re

from playwright.sync_api import Page, expect

from samples.make_samples import letter, mixed, scanned
from tests.browser.acts import card_of, drawn, drop, finished_once, searched, shot
from tests.browser.conftest import OUT


def test_a_file_becomes_a_document_with_picture_text_and_outline(page: Page) -> None:
    card = finished_once(page)
    expect(card.locator(".strip i")).to_have_count(4)
    expect(card.locator(".strip")).to_have_attribute("aria-label", "4 pages: 4 read")
    shot(page, OUT, "documents")
    card.get_by_role("link", name="harvest.pdf").click()
    expect(page.get_by_role("heading", name="harvest.pdf")).to_be_visible()
    drawn(page)
    expect(page.locator(".outline li")).to_have_text(["Harvest of 1986", "1. Lots and yields", "2. Remarks"])
    shot(page, OUT, "document")


def test_a_page_that_cannot_be_drawn_says_why(page: Page) -> None:
    said = '{"message": "draw page took more than 30 s"}'
    page.route("**/pages/1/image", lambda route: route.fulfill(status=422, content_type="application/json", body=said))
    finished_once(page).get_by_role("link", name="harvest.pdf").click()
    expect(page.locator(".sheet .note")).to_have_text("The page cannot be drawn, its text is beside: draw page took more than 30 s")


def test_text_and_boxes_light_each_other_up(page: Page) -> None:
    finished_once(page).get_by_role("link", name="harvest.pdf").click()
    drawn(page)
    heading = page.locator(".block.heading").first
    name = heading.get_attribute("data-block")
    box = page.locator(f".box[data-block='{name}']")
    heading.hover()
    expect(box).to_have_class(re.compile(r"\blit\b"))
    other = page.locator(".box.paragraph").first
    other.hover()
    expect(box).not_to_have_class(re.compile(r"\blit\b"))
    expect(page.locator(f".block[data-block='{other.get_attribute('data-block')}']")).to_have_class(re.compile(r"\blit\b"))


def test_a_joined_table_is_whole_with_its_seams_and_their_reasons(page: Page) -> None:
    finished_once(page).get_by_role("link", name="harvest.pdf").click()
    drawn(page)
    page.keyboard.press("ArrowRight")
    expect(page.locator(".seam")).to_have_count(2)
    expect(page.locator(".seam").first).to_contain_text("joined, score")
    expect(page.locator(".seam").first.locator(".reasons li", has_text="header repeated")).to_have_count(1)
    expect(page.locator(".table tbody tr:not(.seam)")).to_have_count(112)
    drawn(page)
    shot(page, OUT, "joined-table")
    page.locator(".seam").nth(1).get_by_role("button", name="page 3").click()
    expect(page.get_by_role("spinbutton", name="Page")).to_have_value("3")


def test_a_search_leads_to_the_cell_on_its_page(page: Page) -> None:
    finished_once(page)
    hits = searched(page, "Garrowby Sunflower")
    expect(hits.locator("mark").first).to_have_text("Garrowby")
    shot(page, OUT, "search")
    hits.filter(has_text="page 3").locator("a").click()
    expect(page.get_by_role("spinbutton", name="Page")).to_have_value("3")
    expect(page.locator(".boxes .found.chosen")).to_be_visible()
    expect(page.locator("td.chosen")).to_have_text("Garrowby")
    expect(page.locator("td.chosen mark")).to_be_visible()
    drawn(page)
    shot(page, OUT, "found-cell")
    page.keyboard.press("n")
    expect(page.locator("td.chosen")).to_have_text("Sunflower")


def test_an_unfinished_document_is_cancelled(page: Page) -> None:
    card = drop(page, "scan.pdf", scanned(letter()).tobytes())
    expect(card.locator(".strip i")).to_have_class(re.compile("mq"))
    card.get_by_role("button", name="Cancel scan.pdf").click()
    expect(card.locator(".stage")).to_have_text("cancelled")
    expect(card.get_by_role("button", name="Cancel scan.pdf")).to_be_hidden()


def test_pages_that_are_not_trusted_show(page: Page) -> None:
    page.get_by_label("Mode").select_option("disable_ocr")
    card = drop(page, "mixed.pdf", mixed().tobytes())
    expect(card.locator(".stage")).to_have_text(re.compile("complete|partial"))
    expect(card.locator(".strip i").nth(0)).to_have_class(re.compile("t9"))
    expect(card.locator(".strip i").nth(1)).to_have_class(re.compile("t[0-2]"))
    card.locator(".strip i").nth(1).click()
    expect(page.locator(".trust.doubtful")).to_be_visible()
    drawn(page)
    shot(page, OUT, "not-trusted")


def test_a_failure_says_why_and_is_tried_again(page: Page) -> None:
    card = drop(page, "broken.pdf", b"%PDF-1.7 nothing")
    expect(card.locator(".reason")).to_contain_text("damaged or cut off")
    card.get_by_role("button", name="Try broken.pdf again").click()
    expect(page.locator("#said")).to_have_text("published again")


def test_on_a_phone_the_cell_that_was_found_is_in_view_in_picture_and_text(page: Page) -> None:
    finished_once(page)
    page.set_viewport_size({"width": 390, "height": 844})
    searched(page, "Garrowby Sunflower").filter(has_text="page 3").locator("a").click()
    drawn(page)
    expect(page.locator(".boxes .found.chosen")).to_be_in_viewport()
    page.get_by_role("button", name="text", exact=True).click()
    expect(page.locator("td.chosen")).to_be_in_viewport()
    shot(page, OUT, "phone-hit-text")


def test_downloads_and_the_whole_document(page: Page) -> None:
    finished_once(page).get_by_role("link", name="harvest.pdf").click()
    for name, suffix in (("JSON", ".json"), ("HTML", ".html"), ("Markdown", ".md")):
        with page.expect_download() as download:
            page.get_by_role("link", name=f"Download as {name}").click()
        assert download.value.suggested_filename == f"harvest.pdf{suffix}"
    page.get_by_role("button", name="Whole document").click()
    expect(page.frame_locator("iframe.whole").locator("h1")).to_have_text("Harvest of 1986")


def test_keys_alone_are_enough(page: Page) -> None:
    finished_once(page)
    page.keyboard.press("/")
    page.keyboard.type("Garrowby")
    page.keyboard.press("Enter")
    expect(page.locator(".found-list a").first).to_be_visible()
    page.locator(".found-list a").first.focus()
    page.keyboard.press("Enter")
    expect(page.locator(".block").first).to_be_attached()
    drawn(page)
    page.keyboard.press("j")
    focused = page.evaluate("document.activeElement.dataset.block")
    assert focused
    expect(page.locator(f".box[data-block='{focused}']").first).to_have_class(re.compile(r"\blit\b"))
    page.keyboard.press("?")
    expect(page.get_by_role("dialog", name="Keyboard")).to_be_visible()
    page.keyboard.press("Escape")


def test_the_pipeline_shows_its_workers_and_topics(page: Page) -> None:
    page.get_by_role("link", name="Pipeline").click()
    expect(page.locator(".stages li")).to_have_count(5)
    expect(page.locator(".stages li", has_text="assemble")).to_contain_text("1 worker")
    expect(page.locator(".stages li", has_text="infer")).to_contain_text("no workers")
    expect(page.get_by_role("row", name=re.compile("documents.parsed"))).to_contain_text("index")
    shot(page, OUT, "pipeline")
    page.get_by_role("link", name="Documents").click()
    expect(card_of(page, "harvest.pdf").or_(page.locator(".empty")).first).to_be_visible()
