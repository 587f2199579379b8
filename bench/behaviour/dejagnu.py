# Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reads what a test of gcc's suites says of itself in comments: how it is compiled and run.

Only what decides that is read.  Whether this machine can run a test at all is not asked of its directives: it is
compiled and run plainly, and does not count where that fails."""

import fnmatch
import re
from dataclasses import dataclass, field

from .sources import GCC_FOLDERS as FOLDERS

TARGET = "x86_64-pc-linux-gnu"
EFFECTIVE = {"native", "lp64", "run_expensive_tests", "tls_runtime", "fopenmp"}
DIRECTIVE = re.compile(r"\{\s*dg-([a-z-]+)\s*(.*)\}")
WORD = re.compile(r'"((?:[^"\\]|\\.)*)"|\{((?:[^{}]|\{[^{}]*\})*)\}|([^\s"{}]+)')

LANGUAGES = {".c": "c", ".C": "c++", ".cc": "c++", ".f": "fortran", ".f90": "fortran", ".F90": "fortran"}


@dataclass
class Test:
    """A program of a suite."""

    suite: str
    name: str
    sources: list
    language: str
    options: list = field(default_factory=list)
    environment: dict = field(default_factory=dict)
    should_fail: bool = False


def words_of(text):
    """The words of a Tcl command, without their quotes or braces."""
    return [(quoted or braced or bare).strip() for quoted, braced, bare in WORD.findall(text)]


def holds_here(selector, language):
    """Whether { target ... } means this machine and language; what needs other hardware does not."""
    words = re.findall(r"[^\s{}&|]+", selector)
    if not words or words[0] != "target":
        return True
    names = [word for word in words[1:] if word != "target"]
    return any(name in EFFECTIVE or name == language or fnmatch.fnmatch(TARGET, name) for name in names)


def directives(text):
    for line in text.splitlines():
        if found := DIRECTIVE.search(line):
            yield found[1], words_of(found[2])


def applies(words, language):
    return len(words) < 2 or holds_here(words[1], language)


def read_test(suite, folder, path, runs, language=None):
    """@param runs: what the suite does with a test that does not say. @return the test, or None: it is not run"""
    text = path.read_text(encoding="utf-8", errors="replace")
    test = Test(suite, str(path.relative_to(folder)), [path], language or LANGUAGES[path.suffix])
    for name, words in directives(text):
        if name == "do" and words:
            runs = words[0] == "run"
        elif name in ("options", "additional-options") and words and applies(words, test.language):
            test.options += words[0].split()
        elif name == "additional-sources" and words:
            test.sources += [path.parent / source for source in words[0].split()]
        elif name == "set-target-env-var" and len(words) > 1:
            test.environment[words[0]] = words[1]
        elif name == "shouldfail":
            test.should_fail = applies(words, test.language)
    return test if runs else None


def tests_like(suite, folder, pattern, runs, language=None):
    """The tests in files of a suite's folder that a pattern names."""
    tests = (
        read_test(suite, folder, path, runs, language)
        for path in sorted(folder.glob(pattern))
        if path.suffix in LANGUAGES
    )
    return [test for test in tests if test]


def torture_tests(root):
    """Beside those of the builtins, whose sources belong together in ways of their own."""
    folder = root / FOLDERS["gcc.c-torture"]
    return [test for pattern in ("*.c", "ieee/*.c") for test in tests_like("gcc.c-torture", folder, pattern, True)]


def tls_tests(root):
    return tests_like("g++.dg", root / FOLDERS["g++.dg"], "*", False)


def fortran_tests(root):
    name = "gfortran.fortran-torture"
    return tests_like(name, root / FOLDERS[name], "*.f*", True)


def libgomp_tests(root):
    """Those that C and C++ have in common are tests of both."""
    folder = root / FOLDERS["libgomp"]
    patterns = "libgomp.c/*.c", "libgomp.c-c++-common/*.c", "libgomp.c++/*.C", "libgomp.fortran/*.[fF]*"
    tests = [test for pattern in patterns for test in tests_like("libgomp", folder, pattern, True)]
    common = tests_like("libgomp", folder, "libgomp.c-c++-common/*.c", True, "c++")
    for test in common:
        test.name += " (C++)"
    return tests + common


SUITES = {
    "gcc.c-torture": torture_tests,
    "g++.dg": tls_tests,
    "gfortran.fortran-torture": fortran_tests,
    "libgomp": libgomp_tests,
}
