"""What a person does on the console, as functions."""

import re
from pathlib import Path

from playwright.sync_api import Locator, Page, expect

from samples.make_samples import harvest


def drop(page: Page, name: str, data: bytes) -> Locator:
    """Gives a file to the console; returns its card, the newest of that name."""
    page.set_input_files("#files", [{"name": name, "mimeType": "application/octet-stream", "buffer": data}])
    card = card_of(page, name)
    expect(card).to_be_visible()
    return card


def card_of(page: Page, name: str) -> Locator:
    """The card of a document by its name; the newest where there are several."""
    return page.locator(".card").filter(has=page.get_by_text(name, exact=True)).first


def finished(page: Page, name: str, data: bytes) -> Locator:
    """Gives a file, and waits until it is read."""
    card = drop(page, name, data)
    expect(card.locator(".stage")).to_have_text(re.compile("complete|partial"))
    return card


def finished_once(page: Page, name: str = "harvest.pdf") -> Locator:
    """The sample with a table over three pages, given only if it is not there yet."""
    expect(page.locator(".empty")).not_to_have_text("Asking Kafka …")
    if card_of(page, name).count():
        return card_of(page, name)
    return finished(page, name, harvest().tobytes())


def searched(page: Page, query: str) -> Locator:
    """Searches all documents until something is found: the index takes a moment."""
    field = page.get_by_role("searchbox", name="Search all documents")
    for _ in range(60):
        field.fill(query)
        field.press("Enter")
        status = page.locator("main [role=status]")
        expect(status).to_have_text(re.compile(r"\d+ place|nothing found|no search index"))
        if page.locator(".found-list li").count():
            break
        page.wait_for_timeout(500)
    return page.locator(".found-list li")


def drawn(page: Page) -> None:
    """Waits until the picture of the page is there."""
    expect(page.locator(".paper.drawn")).to_be_attached()


def shot(page: Page, folder: Path, name: str) -> None:
    """Keeps what the page looks like."""
    folder.mkdir(parents=True, exist_ok=True)
    page.screenshot(path=folder / f"{name}.png")
