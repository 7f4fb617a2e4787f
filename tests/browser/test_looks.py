"""How the console looks in dark and light, on a desk and on a phone: screenshots to look at, and nothing wider than its screen."""

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.acts import drawn, finished_once, shot
from tests.browser.conftest import OUT, PATIENCE_MS

SCREENS = {"desk": (1280, 850), "phone": (390, 844), "small": (320, 640)}


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("screen", SCREENS)
def test_every_view_fits_its_screen(browser: Browser, address: str, screen: str, scheme: str) -> None:
    width, height = SCREENS[screen]
    context = browser.new_context(viewport={"width": width, "height": height}, color_scheme=scheme)  # type: ignore[arg-type]
    context.set_default_timeout(PATIENCE_MS)
    page = context.new_page()
    page.goto(address)

    def looked_at(name: str) -> None:
        assert page.evaluate("document.documentElement.scrollWidth") <= width, name
        shot(page, OUT, f"{screen}-{scheme}-{name}")

    card = finished_once(page)
    looked_at("documents")
    card.get_by_role("link", name="harvest.pdf").click()
    drawn(page)
    looked_at("page")
    if screen != "desk":
        page.get_by_role("button", name="text", exact=True).click()
    expect(page.locator(".block.table")).to_be_visible()
    page.locator(".seam").first.scroll_into_view_if_needed()
    looked_at("table")
    page.get_by_role("link", name="Pipeline").click()
    expect(page.locator(".stages li")).to_have_count(5)
    looked_at("pipeline")
    context.close()


def test_the_theme_is_switched_and_kept(browser: Browser, address: str) -> None:
    context = browser.new_context(color_scheme="light")
    page = context.new_page()
    page.goto(address)
    before = page.evaluate("getComputedStyle(document.body).backgroundColor")
    page.get_by_role("button", name="Switch between dark and light").click()
    after = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert before != after
    page.reload()
    expect(page.locator("html[data-theme=dark]")).to_be_attached()
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == after
    context.close()


def test_a_new_view_has_a_title_and_the_focus(page: Page) -> None:
    """Who uses keys or a screen reader goes on with what is shown, not at the top of the page."""
    finished_once(page).get_by_role("link", name="harvest.pdf").press("Enter")
    expect(page).to_have_title("harvest.pdf – Pageloom")
    assert page.evaluate("document.activeElement.id") == "main"
    page.get_by_role("link", name="Pipeline").press("Enter")
    expect(page).to_have_title("Pipeline – Pageloom")
    expect(page.get_by_role("link", name="Pipeline")).to_be_focused()
