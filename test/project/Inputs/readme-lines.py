#!/usr/bin/env python3
"""Prints the commands that a page has for the use of an installed Minas, in their order, as a script for bash.

readme-lines.py PAGE: what is to be typed in, of README.md that under "Using it", but for scripts of the repository.
"minas doctor" and "minas advise" may find something.
"""

import pathlib
import re
import sys


# They end with 1 where they have found something.
FINDERS = ("minas doctor", "minas advise")


def lines(text):
    part = text.partition("\n## Using it")[2].partition("\n## ")[0] or text
    for block in re.findall(r"```sh\n(.*?)```", part, re.DOTALL):
        yield from (re.sub(r"\s+#.*", "", line) for line in block.splitlines())


def main():
    print("set -e")
    for line in lines(pathlib.Path(sys.argv[1]).read_text()):
        if line.startswith("scripts/"):
            continue
        print("echo " + "'$ " + line.replace("'", "'\\''") + "'")
        print(line + (" || [ $? -eq 1 ]" if line.startswith(FINDERS) else ""))
    print("echo all done")


main()
