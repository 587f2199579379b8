"""Prints the measured figures of the documentation for which no page says how they are had again.

figures.py SOURCE: each page's figures stand below a command that measures (a script below bench/, scripts/ or test/, or a
tool of ours with its options), in their section or one before it, and the scripts are there (tests without their endings).
"""

import pathlib
import re
import sys

FIGURE = re.compile(r"\b\d+(?:\.\d+)? ?(?:%|x\b|ms\b|us\b|ns\b|GB/s|times\b)|\b\d+\.\d+ (?:s|seconds|MiB|GiB)\b")
SCRIPT = re.compile(r"\b(?:bench|scripts|test)/[\w./-]+\w")
TOOL = re.compile(r"\b(?:mai-\w+|mapp-rewrite|numarch|minas|maicc) +-")
CODE = re.compile(r"```.*?```|`[^`]*`", re.DOTALL)


def orphans(path, source):
    known = False
    for section in re.split(r"^(?=#+ )", path.read_text(), flags=re.MULTILINE):
        code = " ".join(CODE.findall(section))
        scripts = SCRIPT.findall(code)
        for script in scripts:
            if not list(source.glob(f"{script}*")):
                yield f"{path.name}: {script} is not there"
        known = known or bool(scripts) or bool(TOOL.search(code))
        figures = FIGURE.findall(CODE.sub("", section))
        if figures and not known:
            yield f"{path.name}: {section.splitlines()[0]}: no command beside {', '.join(figures[:5])}"


def main():
    source = pathlib.Path(sys.argv[1])
    for path in [source / "README.md", *sorted((source / "docs").glob("*.md")), *sorted((source / "docs/site").rglob("*.md"))]:
        for orphan in orphans(path, source):
            print(orphan)


main()
