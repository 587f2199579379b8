#!/usr/bin/env python3
"""Compares numactl's options with a page that has their counterparts.

numactl --help 2>&1 | from-other-tools.py PAGE LINES: what is missing is printed, and the exit status is 1 then. The file LINES
gets the page's lines of mai-run, each once.
"""

import pathlib
import re
import sys

# It refuses this one.
NO_OPTION = {"--help"}
# Not in what it prints, but in its manual.
OLD = {"--cpubind"}


def first_column(page):
    part = page.partition("## numactl")[2].partition("\n## ")[0]
    return "\n".join(re.findall(r"^\|([^|]*)\|", part, re.MULTILINE))


def main():
    page = pathlib.Path(sys.argv[1]).read_text()
    told = set(re.findall(r"--[a-z-]*[a-z]", first_column(page)))
    known = set(re.findall(r"--[a-z-]*[a-z]", sys.stdin.read())) - NO_OPTION | OLD
    wrong = [f"{option} has no counterpart" for option in sorted(known - told)]
    wrong += [f"{option} is none of numactl's" for option in sorted(told - known)]
    print("\n".join(wrong) or f"{len(known)} options of numactl have a counterpart")
    lines = dict.fromkeys(re.findall(r"`(mai-run [^`]*\./foo)`", page))
    pathlib.Path(sys.argv[2]).write_text("".join(line + "\n" for line in lines))
    return 1 if wrong else 0


sys.exit(main())
