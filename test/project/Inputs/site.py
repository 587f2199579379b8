"""Reads the site as a stranger: every link and picture is there, the browser has nothing to complain of, and search finds pages.

site.py FOLDER
"""

import html.parser
import pathlib
import sys
import time
import urllib.parse

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "trace/Inputs"))
import browser


class Page(html.parser.HTMLParser):
    def __init__(self, path):
        super().__init__()
        self.anchors, self.targets = {""}, set()
        self.feed(path.read_text())

    def handle_starttag(self, tag, attributes):
        for name, value in attributes:
            if name == "id" or (tag == "a" and name == "name"):
                self.anchors.add(value)
            if name in ("href", "src") and value:
                self.targets.add(value)


def broken(folder):
    pages = {path.resolve(): Page(path) for path in folder.rglob("*.html")}
    for path, page in pages.items():
        for target in page.targets:
            parts = urllib.parse.urlsplit(target)
            if parts.scheme:
                continue
            there = (path.parent / urllib.parse.unquote(parts.path)).resolve() if parts.path else path
            if not there.exists():
                yield f"{path.name}: no file {target}"
            elif there in pages and urllib.parse.unquote(parts.fragment) not in pages[there].anchors:
                yield f"{path.name}: no anchor {target}"


def look(window, folder, page, condition):
    window.look(1200, 900)
    window.call("Page.navigate", url=f"file://{folder.resolve()}/{page}")
    until = time.monotonic() + 30
    while not window.evaluate(f"document.readyState === 'complete' && ({condition})") and time.monotonic() < until:
        time.sleep(0.02)
    faults = [f for f in window.faults() if not f.startswith(f"loads file://{folder.resolve()}/")]
    print(page.partition("?")[0], window.evaluate(condition), faults or "no fault")


def main():
    folder = pathlib.Path(sys.argv[1])
    for each in sorted(set(broken(folder))):
        print("broken:", each)
    print("links are whole" if not list(broken(folder)) else "links are broken")
    with browser.Browser() as window:
        look(window, folder, "index.html", "document.images.length > 0 && document.images[0].naturalWidth > 0")
        look(window, folder, "manual/mai-run.1.html", "document.querySelectorAll('dl.Bl-tag > dt').length > 10")
        look(window, folder, "search.html?q=interleave", "document.querySelectorAll('ul.search li a').length > 2")


main()
