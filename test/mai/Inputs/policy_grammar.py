"""Lists the examples in the grammar of policies in minas(7), a line each.

Every production must be followed by one: a line that is indented further than those of the production.
"""

import re
import sys


def grammar(page):
    """The lines of the grammar."""
    section = page[page.index(".Sh POLICIES") :].replace(r"\(aq", "'")
    return section[section.index(".Bd -literal") : section.index(".Ed")].splitlines()[1:]


def examples(lines):
    """The name of each production, with its example."""
    name = None
    for line in lines:
        production = re.match(r"([a-z-]+) += ", line)
        if production:
            if name:
                sys.exit(f"no example for {name}")
            name = production.group(1)
        elif re.match(r" {13}[^ ]", line):
            yield name, line.strip()
            name = None
    if name:
        sys.exit(f"no example for {name}")


def main():
    found = list(examples(grammar(open(sys.argv[1], encoding="utf-8").read())))
    assert len(found) > 15, found
    for _, example in found:
        print(example)


main()
