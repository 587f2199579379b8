"""Opens pages of mai-trace report --html in a browser and checks them as a reader would.

page.py <page of 4 threads, whose array has a hostile name> <page of 512 threads> <page of a program that is well>
"""
import os
import sys
import time

import browser

LEAST_CONTRAST = 4.5  # WCAG 2.1, AA
SCREEN = 1200, 900
SECTIONS = ["verdicts", "sharing", "arrays", "time", "lines", "threads"]

# Contrast of each element's own text with what is behind it, where that is too little.
PALE = """(() => {
  const numbers = (colour) => colour.match(/[\\d.]+/g).map(Number);
  const light = (colour) => numbers(colour).slice(0, 3).map((c) => c / 255)
    .map((c) => c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4)
    .reduce((sum, c, i) => sum + c * [0.2126, 0.7152, 0.0722][i], 0);
  const behind = (element) => {
    for (; element; element = element.parentElement) {
      const colour = getComputedStyle(element).backgroundColor, parts = numbers(colour);
      if (parts.length < 4 || parts[3] > 0) return colour;
    }
    return "rgb(255, 255, 255)";
  };
  const found = [];
  for (const element of document.querySelectorAll("body *")) {
    const isText = [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim());
    if (!isText || !element.checkVisibility() || element.tagName === "SCRIPT") continue;
    const pair = [light(getComputedStyle(element).color), light(behind(element))].sort((a, b) => b - a);
    if ((pair[0] + 0.05) / (pair[1] + 0.05) < %s) found.push(element.textContent.slice(0, 30));
  }
  return found;
})()""" % LEAST_CONTRAST

# Visible figures that were not drawn, or have one colour only.
BLANK = """[...document.querySelectorAll("canvas")].filter((canvas) => canvas.checkVisibility()).filter((canvas) => {
  const all = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data;
  const colours = new Set();
  for (let i = 0; i < all.length && colours.size < 3; i += 4) colours.add(all.slice(i, i + 4).join());
  return colours.size < 3;
}).map((canvas) => canvas.getAttribute("aria-label"))"""

FOCUSABLE = """[...document.querySelectorAll("a[href], button, summary, input, canvas[tabindex], pre[tabindex]")]
  .filter((e) => e.checkVisibility() && !(e.type === "radio" && !e.checked))"""


class Page:
    def __init__(self, window, path):
        self.window, self.path = window, path

    def open(self, scheme="light", size=SCREEN):
        self.window.look(*size, scheme)
        self.window.open(self.path)
        check(f"{os.path.basename(self.path)}, {scheme}: nothing on the console", self.window.faults(), [])

    def ask(self, expression):
        return self.window.evaluate(expression)

    def said(self, what):
        return self.ask(f"document.querySelector('{what}').parentElement.querySelector('output').textContent")

    def centre(self, expression):
        return self.ask(f"(() => {{ const e = {expression}; e.scrollIntoView({{block: 'center'}});"
                        "const b = e.getBoundingClientRect(); return [b.x + b.width / 2, b.y + b.height / 2]; })()")

    def click(self, expression):
        self.window.click(*self.centre(expression))

    def wait(self, expression):
        until = time.monotonic() + 60
        while not self.ask(expression) and time.monotonic() < until:
            time.sleep(0.02)
        return self.ask(expression)


wrong = 0


def check(what, found, wanted=True):
    global wrong
    if found != wanted:
        wrong += 1
        print(f"WRONG: {what}: {found!r}, not {wanted!r}")


def looks_right(page):
    check("contrast", page.ask(PALE), [])
    check("figures without a drawing", page.ask(BLANK), [])
    tops = page.ask(f"{SECTIONS}.map((id) => document.getElementById(id).getBoundingClientRect().top)")
    check("order of sections", tops, sorted(tops))
    check("nothing is wider than the screen", page.ask("document.documentElement.scrollWidth <= innerWidth"))


def first_screen_has_a_verdict(page):
    box = page.ask("(() => { const b = document.querySelector('article').getBoundingClientRect();"
                   "return [b.top, b.width]; })()")
    check("the first verdict begins on the first screen", 0 < box[0] < SCREEN[1] / 2)
    check("and is wide", box[1] > SCREEN[0] / 2)
    check("verdicts by gain", page.ask(
        "[...document.querySelectorAll('.gain strong')].map((e) => parseFloat(e.textContent))"
        ".every((gain, i, all) => i === 0 || all[i - 1] >= gain)"))
    check("each has a picture", page.ask(
        "[...document.querySelectorAll('article')].every((e) => e.querySelector('canvas[data-drawn]'))"))


def names_are_text(page):
    check("no element comes out of a name", page.ask("document.querySelector('img')"), None)
    check("the name is shown", page.ask("document.body.textContent.includes('<img src=x onerror=alert(1)>')"))


def tabulator_reaches_all(page):
    page.ask(f"window.wanted = {FOCUSABLE}; window.reached = []; document.activeElement.blur()")
    for _ in range(page.ask("wanted.length")):
        page.window.key("Tab")
        page.ask("reached.push(document.activeElement)")
    check("what the tabulator reaches, in order",
          page.ask("wanted.filter((e, i) => reached[i] !== e).map((e) => e.outerHTML.slice(0, 60))"), [])
    check("the focus is seen", page.ask("getComputedStyle(document.activeElement).outlineStyle"), "solid")


def keys_work(page):
    page.ask("document.getElementById('matrix').focus()")
    check("the matrix tells of its first cell", page.said("#matrix"), "thread 0 alone")
    page.window.key("ArrowRight")
    neighbour = page.said("#matrix")
    check("and of its second", neighbour.startswith("threads 0 and 1: "))
    page.window.key("End")
    check("and of the last", page.said("#matrix").startswith("threads 0 and 3: "))
    page.ask("document.querySelector('input[name=metric]').focus()")
    page.window.key("ArrowDown")
    page.ask("document.getElementById('matrix').focus()")
    check("arrow keys choose what is shown", page.wait(
        "document.querySelector('input[value=memory]').checked && document.getElementById('most').textContent.endsWith('bytes')"))
    page.ask("document.querySelector('#arrays summary').focus()")
    page.window.key("Enter")
    check("the return key folds", page.ask("document.querySelector('#arrays details').open"), False)


def clicks_work(page):
    page.click("document.querySelectorAll('#arrays summary')[1]")
    check("a click unfolds an array", page.ask("document.querySelectorAll('#arrays details')[1].open"))
    check("and draws it", page.wait("document.querySelectorAll('#arrays canvas')[1].clientHeight > 50"))
    check("with its pages", page.ask(BLANK), [])
    page.click("document.querySelectorAll('#arrays canvas')[1]")
    check("pointing tells of pages", "accesses" in page.said("#arrays details:nth-of-type(2) canvas"))
    page.click("document.querySelector('[data-copy]')")
    check("a line is copied, or selected", page.wait(
        "['Copied', 'Selected'].includes(document.querySelector('[data-copy]').textContent)"))
    check("and no other", page.ask("getSelection().toString()"), page.ask("document.querySelector('pre').textContent"))


def regions_have_matrices(page):
    for region, shares in (("sweep u", False), ("reduce", True)):
        page.ask("[...document.querySelectorAll('.matrices > div')].find((e) => e.querySelector('h4').textContent"
                 f".includes('{region}')).querySelector('canvas').focus()")
        page.window.key("End")
        said = page.ask("document.activeElement.parentElement.querySelector('output').textContent")
        check(f"threads 0 and 3 share in '{region}'", said != "threads 0 and 3: 0 accesses", shares)


def a_part_is_enlarged(page):
    page.ask("document.getElementById('matrix').focus()")
    page.window.key("ArrowRight")
    check("bins", page.said("#matrix").startswith("threads 0 to 3 and 4 to 7: "))
    page.window.key("Enter")
    check("threads", page.said("#matrix").startswith("threads 0 and 4: "))
    check("a button leads back", page.ask("document.getElementById('whole').hidden"), False)
    page.click("document.getElementById('whole')")
    check("to all", page.ask("document.getElementById('whole').hidden"))
    page.click("document.getElementById('matrix')")
    check("a click enlarges, too", page.ask("document.getElementById('whole').hidden"), False)
    page.window.key("Escape")
    check("and Escape leads back", page.ask("document.getElementById('whole').hidden"))


def darkness_is_followed(page):
    colour = ("[...document.getElementById('matrix').getContext('2d').getImageData("
              "160, 60, 1, 1).data].join()")
    before = page.ask(colour)
    page.window.look(*SCREEN, "dark")
    check("figures are drawn anew", page.wait(f"{colour} !== '{before}'"))
    looks_right(page)


def only_its_own_script_runs(page):
    page.ask("(() => { const e = document.createElement('script'); e.textContent = 'window.foreign = 1';"
             "document.body.append(e); document.body.setAttribute('onclick', 'window.foreign = 1');"
             "document.body.click(); })()")
    check("scripts of others", page.ask("window.foreign === undefined"))


def main(small, large, well):
    if not browser.program():
        sys.exit("page.py: there is no Chromium (Debian: apt-get install chromium-headless-shell)")
    check("bytes for 512 threads", os.path.getsize(large) <= 5 << 20)
    with browser.Browser() as window:
        page = Page(window, small)
        page.open()
        for each in (looks_right, first_screen_has_a_verdict, names_are_text, tabulator_reaches_all, keys_work, clicks_work,
                     regions_have_matrices, darkness_is_followed):
            each(page)
        page.open(size=(420, 800))
        looks_right(page)
        check("nothing on the console after all this", window.faults(), [])
        only_its_own_script_runs(page)
        page = Page(window, large)
        page.open("dark")
        looks_right(page)
        a_part_is_enlarged(page)
        check("nothing on the console after all this", window.faults(), [])
        page = Page(window, well)
        page.open()
        looks_right(page)
        check("what is well has no verdict", page.ask("document.querySelectorAll('article').length"), 0)
    print(f"{wrong} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
