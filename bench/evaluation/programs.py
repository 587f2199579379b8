# Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Builds programs of one source whose accesses are counted apart from where they go: as they are, rewritten,
and traced.

Every static array begins with a line of the cache, in all forms of a program.  So the accesses to
line i of an array, counted in one form, are those to its line i in every other.
"""

import functools
import re
import shutil
from dataclasses import dataclass
from pathlib import Path

from .common import SOURCE, EvaluationError, call, digest, write_whole
from .words import words_of_report

PAGE_COUNTER = Path(__file__).with_name("page_counter.c")
LINE_BYTES = 64
# In the profile, smaller ones have no name.
NAMED_BYTES = 64


def clang():
    return next((name for name in ("clang-19", "clang") if shutil.which(name)), "clang-19")


def compilers():
    return {"gcc": ["gcc", "-fopenmp"], "clang": [clang(), "-fopenmp=libomp"]}


@dataclass(frozen=True)
class Symbol:
    offset: int
    bytes: int


class Programs:
    """All forms of the programs, each built when it is first asked for."""

    def __init__(self, bin_directory, folder, sources):
        self.bin = bin_directory
        self.libraries = [bin_directory.parent / name for name in ("mai", "numarch")]
        self.folder = folder
        self.sources = sources
        self._symbols = {}
        self.page_counter = functools.cache(self._build_page_counter)

    def _build_page_counter(self):
        path = self.folder / "page_counter.so"
        command = ["gcc", "-std=gnu11", "-O2", "-shared", "-fPIC", "-pthread", PAGE_COUNTER, "-ldl"]
        return make(path, [[*command, "-o", path]], [PAGE_COUNTER])

    def build(self, program, compiler, form, profile=None):
        """The path of a program in the form original, in-place, profile, sampled, heap, traced or untraced, which
        is the original as users build one that is to be sampled."""
        folder = self.sources.of(program)
        source = folder / program.sources[0]
        headers = sorted(folder.glob("*.h"))
        libraries = []
        if form in ("in-place", "profile", "sampled", "heap"):
            source = self._rewritten(program, source, form, profile)
            libraries = self._mai()
        path = self.folder / f"{program.name}.{compiler}.{form}"
        driver = compilers()[compiler]
        flags = program.flags
        if form == "traced":
            driver = ["env", f"MAICC_CC={driver[0]}", self.bin / "maicc", "--trace", *driver[1:]]
            flags = [*[flag for flag in flags if not flag.startswith("-O")], "-O2"]
        if form == "untraced":
            flags = [*flags, "-g"]
        compile_ = [*driver, *flags, "-fdata-sections", f"-I{folder}",
                    f"-I{SOURCE}/include", "-c", source, "-o", f"{path}.o"]
        align = ["objcopy", *(f"--set-section-alignment={section}.*={LINE_BYTES}"
                              for section in (".bss", ".data")), f"{path}.o"]
        link = [*driver, f"{path}.o", "-o", path, *libraries, *program.libraries]
        tools = [self.bin / "maicc"] if form == "traced" else []
        return make(path, [compile_, align, link], [source, *headers, *tools])

    def libmai(self):
        return self.libraries[0] / "libmai.so"

    def libmai_run(self):
        return self.libraries[0] / "libmai-run.so"

    def symbols(self, binary):
        """Its variables by name, without what compilers add to the names of functions' own."""
        if binary not in self._symbols:
            self._symbols[binary] = read_symbols(binary)
        return self._symbols[binary]

    def _rewritten(self, program, source, form, profile):
        path = self.folder / f"{program.name}.{form}.c"
        mode = ["--mode=heap"] if form == "heap" else ["--mode=in-place"]
        if profile:
            mode += [f"--profile={profile}"]
        flags = [flag for flag in program.flags if flag.startswith(("-D", "-I", "-std"))]
        said = call([self.bin / "mapp-rewrite", *mode, "--report=json", "-o", path, source, "--",
                     "-fopenmp", *flags])
        write_whole(path.with_suffix(".said.json"), said)
        return path

    def said(self, program, form):
        """What MApp says of each array, as words.py reads it."""
        return words_of_report(self.folder / f"{program.name}.{form}.said.json")

    def _mai(self):
        paths = [f"{option}{library}" for library in self.libraries
                 for option in ("-L", "-Wl,-rpath,")]
        return [*paths, "-lmai"]


def make(path, commands, files):
    """Runs the commands, unless what they would make is there."""
    key = digest([word for command in commands for word in command], files)
    mark = Path(f"{path}.key")
    if path.exists() and mark.exists() and mark.read_text(encoding="utf-8") == key:
        return path
    mark.unlink(missing_ok=True)
    for command in commands:
        call(command)
    write_whole(mark, key)
    return path


def plain_name(symbol):
    """slot.0 of gcc and add_to_row.slot of clang are the variable slot of a function."""
    return re.sub(r"(\.\d+)+$", "", symbol).rpartition(".")[2] or symbol


def read_symbols(binary):
    symbols = {}
    for line in call(["nm", "-S", "--defined-only", binary]).splitlines():
        found = re.fullmatch(r"([0-9a-f]+) ([0-9a-f]+) [bBdD] (\S+)", line)
        if not found or found[3].startswith((".", "_")):
            continue
        symbol = Symbol(int(found[1], 16), int(found[2], 16))
        other = symbols.setdefault(plain_name(found[3]), symbol)
        if other is symbol:
            continue
        if min(other.bytes, symbol.bytes) >= NAMED_BYTES:
            raise EvaluationError(f"{binary}: two arrays are called {plain_name(found[3])}; accesses "
                                  "to them cannot be told apart")
        if symbol.bytes > other.bytes:  # clang splits small arrays into r.0, r.1, ...
            symbols[plain_name(found[3])] = symbol
    return symbols


def page_counter_list(original, rewritten):
    """Where the page counter is to look for the arrays that the original program has, as text."""
    lines = []
    for name, symbol in original.items():
        there = rewritten.get(name)
        if symbol.bytes < NAMED_BYTES or there is None:
            continue
        kind = "array" if there.bytes >= symbol.bytes else "pointer"
        lines.append(f"{kind} {name} {there.offset:x} {symbol.bytes}\n")
    return "".join(lines)
