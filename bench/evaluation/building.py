# Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Builds programs whose accesses are counted where they go: by their own build command, with $CC.

$CC is maicc --trace, and for what MApp places maicc around that: what MApp rewrites is then traced, too.
"""

import os
import shutil
import subprocess
from pathlib import Path

from .common import EvaluationError, digest, write_whole
from .programs import clang, compilers
from .sources import files_of
from .words import words_of_build

SOURCES_BUILD = '"$CC" $CFLAGS -o program $SOURCES $LIBRARIES'
LINES_OF_ERRORS = 40
OTHER_LANGUAGES = {
    "CXX": ("maic++", {"gcc": "g++", "clang": f"{clang()}".replace("clang", "clang++")}),
    "FC": ("maifort", {"gcc": "gfortran"}),
}


class Builds:
    """All forms of programs, each built when it is first asked for, in a copy of its sources."""

    def __init__(self, bin_directory, folder, sources):
        self.bin = bin_directory
        self.folder = folder
        self.sources = sources
        self.tools = [bin_directory / "maicc", bin_directory / "mapp-rewrite"]
        self.tools += [bin_directory.parent / path for path in ("mai/libmai.so", "trace/libmaitrace_rt.so.0")]

    def root(self, program, compiler, form):
        """The copy of the sources that a form is built in."""
        return self.folder / f"{program.name}.{compiler}.{form}"

    def binary(self, program, compiler, form):
        return self.root(program, compiler, form) / (program.program or "program")

    def build(self, program, compiler, form, profile=None):
        """The path of a program in the form original, untraced, in-place, profile or sampled."""
        root = self.root(program, compiler, form)
        binary = self.binary(program, compiler, form)
        source = self.sources.of(program)
        if self.folder.resolve().is_relative_to(source.resolve()):
            raise EvaluationError(f"{self.folder} lies inside of the sources of {program.name}, {source}, which are copied there; "
                                  "choose another folder by --out")
        key = self._key(program, source, compiler, form, profile)
        mark = Path(f"{root}.key")
        if binary.exists() and mark.exists() and mark.read_text(encoding="utf-8") == key:
            return binary
        mark.unlink(missing_ok=True)
        shutil.rmtree(root, ignore_errors=True)
        shutil.copytree(source, root, symlinks=True, ignore=shutil.ignore_patterns(".git"))
        self._run(program, compiler, form, profile, root)
        if not binary.is_file():
            raise EvaluationError(f"{root}: building {program.name} has not made {binary.name}; see "
                                  f"{self._log(program, compiler, form)}")
        write_whole(mark, key)
        return binary

    def _key(self, program, source, compiler, form, profile):
        files = files_of(source)
        words = [program.build, program.program, program.sources, program.flags, program.libraries, compiler, form]
        return digest([*words, *(path.relative_to(source) for path in files)],
                      [*files, *self.tools, *([profile] if profile else [])])

    def _others(self, compiler):
        """What stands where the compilers of C++ and Fortran stand, by the names that builds have for them."""
        result = {}
        for variable, (wrapper, names) in OTHER_LANGUAGES.items():
            if compiler in names:
                path = self.folder / f"{variable.lower()}.{compiler}"
                self._script(path, f'exec env MAICC_{variable}="{names[compiler]}" "{self.bin}/{wrapper}" --trace "$@"')
                result[variable] = str(path)
        return result

    def _compiler(self, compiler, form, profile):
        """A command that stands where the compiler stands, with all that it needs in it."""
        driver, openmp = compilers()[compiler]
        if form == "untraced":
            path = self.folder / f"cc.{compiler}.untraced"
            self._script(path, f'exec "{driver}" -g "$@"')
            return path, openmp
        path = self.folder / f"cc.{compiler}"
        self._script(path, f'exec env MAICC_CC="{driver}" "{self.bin}/maicc" --trace "$@"')
        if form != "original":
            seen = f' --profile="{profile}"' if profile else ""
            inner, path = path, self.folder / f"cc.{compiler}.{digest([form, profile])}"
            self._script(path, f'exec env MAICC_VERBOSE=1 MAICC_CC="{inner}" "{self.bin}/maicc"{seen} "$@"')
        return path, openmp

    @staticmethod
    def _script(path, command):
        write_whole(path, f"#!/bin/sh\n{command}\n")
        path.chmod(0o755)

    def _log(self, program, compiler, form):
        return self.folder / f"{program.name}.{compiler}.{form}.log"

    def _run(self, program, compiler, form, profile, root):
        path, openmp = self._compiler(compiler, form, profile)
        environment = dict(os.environ, CC=str(path), OPENMP=openmp, PROGRAM=program.program or "program") | self._others(compiler)
        if not program.build:
            environment |= {"CFLAGS": " ".join([openmp, *(program.flags or ["-O2"])]),
                            "SOURCES": " ".join(program.sources), "LIBRARIES": " ".join(program.libraries)}
        result = subprocess.run(["sh", "-ec", program.build or SOURCES_BUILD], cwd=root, text=True,
                                env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                stderr=subprocess.STDOUT, errors="reroot", check=False)
        write_whole(self._log(program, compiler, form), result.stdout)
        if result.returncode != 0:
            last = "\n".join(result.stdout.splitlines()[-LINES_OF_ERRORS:])
            raise EvaluationError(f"{program.name}: its build command ends with status "
                                  f"{result.returncode}\n{last}")

    def said(self, program, compiler, form):
        """What MApp says of each array, as words.py reads it."""
        path = self._log(program, compiler, form)
        return words_of_build(path.read_text(encoding="utf-8")) if path.exists() else []

    def inputs(self, program, compiler, form):
        """The files that the program reads; folders with all that is in them."""
        result = []
        for name in program.inputs:
            path = self.root(program, compiler, form) / name
            if not path.exists():
                raise EvaluationError(f"{path}: the input of {program.name} is not there")
            result += [path] if path.is_file() else [each for each in path.rglob("*") if each.is_file()]
        return result
