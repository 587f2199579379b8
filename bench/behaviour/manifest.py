# Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reads the list of programs, binaries.toml, and says where it is wrong."""

import re
import tomllib
from dataclasses import dataclass, field

from .running import BehaviourError

HEADER = re.compile(r"\s*\[\[\s*program\s*\]\]")


@dataclass
class Program:
    """An entry of the list; its head says what each member means."""

    name: str
    command: list
    packages: list = field(default_factory=list)
    pypi: list = field(default_factory=list)
    files: dict = field(default_factory=dict)
    prepare: str = ""
    outputs: list = field(default_factory=list)
    environment: dict = field(default_factory=dict)
    status: int = 0
    ignore: list = field(default_factory=list)
    tolerance: float = 0.0
    compare_stdout: bool = True
    compare_stderr: bool = True
    quick: bool = False
    exceptions: dict = field(default_factory=dict)


TEXTS = "a list of strings"
TABLE = "a table of strings"
EXPECTED = {
    "name": "a string",
    "command": TEXTS,
    "packages": TEXTS,
    "pypi": TEXTS,
    "files": TABLE,
    "prepare": "a string",
    "outputs": TEXTS,
    "environment": TABLE,
    "status": "a number from 0 to 255",
    "ignore": "a list of regular expressions",
    "tolerance": "a number from 0 to 1",
    "compare_stdout": "true or false",
    "compare_stderr": "true or false",
    "quick": "true or false",
    "exceptions": TABLE,
}


def is_text(value):
    return isinstance(value, str)


def is_regular_expression(value):
    try:
        return is_text(value) and bool(re.compile(value))
    except re.error:
        return False


def is_list(value, is_item):
    return isinstance(value, list) and all(map(is_item, value))


def is_number(value, least, most):
    return isinstance(value, (int, float)) and not isinstance(value, bool) and least <= value <= most


CHECKS = {
    "a string": lambda value: is_text(value) and value != "",
    TEXTS: lambda value: is_list(value, is_text) and value != [],
    TABLE: lambda value: isinstance(value, dict) and all(map(is_text, value.values())),
    "a number from 0 to 255": lambda value: isinstance(value, int) and is_number(value, 0, 255),
    "a list of regular expressions": lambda value: is_list(value, is_regular_expression),
    "a number from 0 to 1": lambda value: is_number(value, 0, 1),
    "true or false": lambda value: isinstance(value, bool),
}


class Lines:
    """Where the entries and their members stand in the file."""

    def __init__(self, path, text):
        self.path = path
        self.lines = text.split("\n")
        self.headers = [number for number, line in enumerate(self.lines) if HEADER.match(line)]

    def refuse(self, entry, member, sentence):
        """`entry`: which [[program]], or None for what stands before the first."""
        number = self.headers[entry] if entry is not None and entry < len(self.headers) else 0
        end = self.headers[entry + 1] if entry is not None and entry + 1 < len(self.headers) else len(self.lines)
        begins = re.compile(rf"\s*(\[program\.)?[\"']?{re.escape(member or '[[')}[\"']?\s*[=\].]")
        for candidate in range(number, end):
            if member and begins.match(self.lines[candidate]):
                number = candidate
                break
        raise BehaviourError(f"{self.path}:{number + 1}: {sentence}")


def check_member(lines, index, member, value):
    if member not in EXPECTED:
        lines.refuse(index, member, f"there is no member '{member}'; there are {', '.join(EXPECTED)}")
    if not CHECKS[EXPECTED[member]](value):
        lines.refuse(index, member, f"expected {member} to be {EXPECTED[member]}, found {value!r}")


def check_entry(lines, index, entry, modes):
    for member, value in entry.items():
        check_member(lines, index, member, value)
    for member in ("name", "command"):
        if member not in entry:
            lines.refuse(index, None, f"expected the program to have a {member}")
    for mode in entry.get("exceptions", {}):
        if mode not in modes:
            lines.refuse(index, "exceptions", f"there is no mode '{mode}'; there are {', '.join(modes)}")


def check_names(lines, entries):
    seen = {}
    for index, entry in enumerate(entries):
        name = entry["name"]
        if not re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9.+_-]*", name):
            lines.refuse(index, "name", f"expected a name of letters, digits and any of .+_-, found '{name}'")
        if name in seen:
            lines.refuse(index, "name", f"the name '{name}' is that of an earlier program, too")
        seen[name] = index


def parse(path):
    """The file's text and what it holds."""
    try:
        text = path.read_text(encoding="utf-8")
        return text, tomllib.loads(text)
    except OSError as error:
        raise BehaviourError(f"{path}: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise BehaviourError(f"{path}: expected UTF-8, found other bytes at offset {error.start}") from error
    except tomllib.TOMLDecodeError as error:
        found = re.fullmatch(r"(.*) \(at line (\d+), column (\d+)\)", str(error), re.DOTALL)
        where, what = (f"{path}:{found[2]}:{found[3]}", found[1]) if found else (path, error)
        raise BehaviourError(f"{where}: not TOML: {what}") from error


def read(path, modes):
    """The programs of a list; `modes`: the names that its exceptions may bear."""
    text, document = parse(path)
    lines = Lines(path, text)
    entries = document.pop("program", [])
    for member in document:
        lines.refuse(None, member, f"expected nothing but [[program]], found '{member}'")
    if not isinstance(entries, list) or not all(isinstance(entry, dict) for entry in entries):
        lines.refuse(None, "program", "expected programs to be written as [[program]]")
    for index, entry in enumerate(entries):
        check_entry(lines, index, entry, modes)
    check_names(lines, entries)
    return [Program(**entry) for entry in entries]
