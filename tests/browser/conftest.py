"""A pipeline with its console, and a browser that looks at it: Debian's Chromium, driven by Playwright. `make test-browser` runs these."""

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

from streams import local
from streams.console.serving import console
from streams.kafka.admin import TopicAdmin
from streams.kafka.embedded import EmbeddedKafka
from streams.loading import load_settings

OUT = Path(os.environ.get("OUT", "out")) / "screenshots"
PATIENCE_MS = 60_000
"""For anything that goes through the pipeline, on a machine that is busy."""
BROWSERS = ("chromium", "chromium-browser", "google-chrome")


@pytest.fixture(scope="session")
def address(kafka: EmbeddedKafka, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The console of a pipeline without recognition: a scan waits for as long as a test needs it to."""
    folder = str(tmp_path_factory.mktemp("browser"))
    settings = load_settings({}, bootstrap_servers=kafka.bootstrap_servers, data_dir=folder, read_processes=1, finish_processes=1, console_port=0)
    TopicAdmin(settings.bootstrap_servers).ensure_topics(local.topic_specs(settings))
    with local.LocalWorkers(settings, workers=(("open", "read"), ("assemble",), ("index",))), console(settings) as found:
        yield found.url


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """A headless Chromium."""
    path = next((found for name in BROWSERS if (found := shutil.which(name))), None)
    assert path is not None, "no Chromium here; install Debian's: apt-get install chromium"
    # Chromium's own sandbox refuses to start for root, which is who runs in a container.
    arguments = ["--no-sandbox"] if os.geteuid() == 0 else []
    expect.set_options(timeout=PATIENCE_MS)
    with sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=path, args=arguments)
        yield running
        running.close()


class Watched:
    """What a page must never do: errors, dialogs, refused scripts, requests to anywhere else."""

    def __init__(self, page: Page, address: str) -> None:
        self.wrong: list[str] = []
        page.on("pageerror", lambda error: self.wrong.append(f"error: {error}"))
        page.on("dialog", lambda dialog: (self.wrong.append(f"dialog: {dialog.message}"), dialog.dismiss()))
        page.on("console", lambda said: self.wrong.append(said.text) if "Content Security Policy" in said.text else None)
        page.on(
            "request", lambda asked: self.wrong.append(f"request: {asked.url}") if not asked.url.startswith((address, "data:", "blob:")) else None
        )


@pytest.fixture
def page(browser: Browser, address: str) -> Iterator[Page]:
    """A page on the console; whatever it does wrong fails the test."""
    context = browser.new_context(viewport={"width": 1280, "height": 850}, accept_downloads=True)
    context.set_default_timeout(PATIENCE_MS)
    opened = context.new_page()
    watched = Watched(opened, address)
    opened.goto(address)
    yield opened
    context.close()
    assert watched.wrong == []
