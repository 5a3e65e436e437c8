"""A tab of a real Chromium for browser tests, with a fixed set of fonts."""

from __future__ import annotations

import os
import shutil
import time
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import parse_qs, urlsplit

if TYPE_CHECKING:
    from playwright.sync_api import ConsoleMessage, Dialog, FloatRect, Locator, Page

#: The first one is Chromium without the parts that need a screen: pages take 0.65 of the CPU.
BROWSERS = (
    "chromium-headless-shell",
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
)
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--disable-background-networking",
    "--no-first-run",
]
FONT_FOLDERS = (Path("/usr/share/fonts"), Path("/usr/local/share/fonts"), Path.home() / ".fonts")
#: The files of the families of each font set; the first installed family is used.
FONT_SETS: dict[str, tuple[tuple[str, ...], ...]] = {
    "wide": (("DejaVuSans.ttf", "DejaVuSans-Bold.ttf"),),
    "narrow": (
        ("LiberationSans-Regular.ttf", "LiberationSans-Bold.ttf"),
        ("DejaVuSansCondensed.ttf", "DejaVuSansCondensed-Bold.ttf"),
    ),
}
FONT_CONFIGURATION = """<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig><dir>{fonts}</dir><cachedir>{cache}</cachedir></fontconfig>
"""


def installed_fonts(font_set: str) -> list[Path]:
    """Return the font files of the first installed family of a font set; empty if none is."""
    for family in FONT_SETS[font_set]:
        files = [
            next((file for folder in FONT_FOLDERS for file in folder.rglob(name)), None)
            for name in family
        ]
        if all(files):
            return [file for file in files if file]
    return []


def font_environment(files: list[Path], folder: Path) -> dict[str, str]:
    """Return environment variables that limit fontconfig to these fonts; writes to `folder`."""
    fonts = folder / "fonts"
    fonts.mkdir()
    for file in files:
        shutil.copy(file, fonts)
    configuration = folder / "fonts.conf"
    configuration.write_text(
        FONT_CONFIGURATION.format(fonts=fonts, cache=folder / "cache"), "utf-8"
    )
    return {**os.environ, "FONTCONFIG_FILE": str(configuration)}


def chromium() -> str | None:
    """Return the path of an installed Chromium, or None."""
    return next(filter(None, map(shutil.which, BROWSERS)), None)


def box_of(found: Locator) -> FloatRect:
    """Return the rectangle of a visible element, in pixels of the window."""
    box = found.bounding_box()
    assert box
    return box


class Reader:
    """A browser tab that records its requests and its console messages."""

    def __init__(self, tab: Page) -> None:
        self.tab = tab
        self.requests: list[str] = []
        self.messages: list[str] = []
        tab.set_default_timeout(120_000)
        tab.on("request", lambda r: self.requests.append(r.url))
        tab.on("console", self._log)
        tab.on("pageerror", lambda e: self.messages.append(str(e)))
        tab.on("dialog", self._dismiss)

    def _log(self, message: ConsoleMessage) -> None:
        if message.type in {"error", "warning"}:
            self.messages.append(message.text)

    def _dismiss(self, dialog: Dialog) -> None:
        self.messages.append(f"dialog {dialog.message}")
        dialog.dismiss()

    def open(self, page: Path, **state: str) -> Reader:
        """Open a page in a state, in place of an earlier page of this tab."""
        self.tab.goto("about:blank")
        pairs = "&".join(f"{name}={value}" for name, value in state.items())
        self.tab.goto(f"{page.as_uri()}#{pairs}")
        self.tab.wait_for_selector("[data-ready]")
        return self

    def text(self, selector: str) -> str:
        return self.tab.inner_text(selector)

    def state(self) -> dict[str, str]:
        """Return the state in the address."""
        return {
            name: values[0] for name, values in parse_qs(urlsplit(self.tab.url).fragment).items()
        }

    def wait_until(self, holds: str) -> None:
        """Wait for an expression by polling: playwright's own wait violates the page's policy."""
        until = time.monotonic() + 40
        while not self.tab.evaluate(holds):
            assert time.monotonic() < until, holds
            self.tab.wait_for_timeout(50)

    def find(self, words: str) -> None:
        """Search for words and select the first match."""
        self.tab.keyboard.press("/")
        self.tab.keyboard.type(words)
        self.tab.keyboard.press("Enter")

    def click_middle(self) -> None:
        """Click the middle of the drawing."""
        box = box_of(self.tab.locator("#drawing"))
        self.tab.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)

    def filter(self, name: str) -> None:
        self.tab.click(f"[data-filter='{name}']")

    def colours(self) -> int:
        """Return the number of different colours in the drawing."""
        colours: int = self.tab.evaluate("""() => {
            const canvas = document.querySelector("#drawing canvas");
            const { width, height } = canvas;
            const { data } = canvas.getContext("2d").getImageData(0, 0, width, height);
            return new Set(new Uint32Array(data.buffer)).size;
        }""")
        return colours

    def saved(self, label: str) -> bytes:
        """Return the file that a menu entry downloads."""
        self.tab.click(".menu summary")
        with self.tab.expect_download() as download:
            self.tab.click(f".menu button:has-text('{label}')")
        return Path(download.value.path()).read_bytes()
