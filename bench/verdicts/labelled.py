# Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The programs of the set, and what they say of themselves in their first comment."""

import os
import pathlib
import re
import subprocess

HERE = pathlib.Path(__file__).resolve().parent
PARTS = ("first", "second", "third", "fourth", "fifth", "sixth")


class Program:
    def __init__(self, path):
        self.path = path
        text = path.read_text()
        label = re.search(r"verdict: (.*)", text).group(1).split()
        self.is_healthy = label[0] == "none"
        self.kind = label[0]
        self.array = " ".join(label[1:])
        cure = re.search(r"cure: (.*)", text)
        self.cures = cure.group(1).split("|") if cure else []
        options = re.search(r"options: (.*)", text)
        self.options = options.group(1).split() if options else []
        self.has_cured = "ifdef CURED" in text

    def build(self, compiler, to, bin_folder, *more):
        tool = {".c": "maicc", ".cpp": "maic++", ".f90": "maifort"}[self.path.suffix]
        environment = dict(os.environ)
        if compiler == "clang" and self.path.suffix == ".f90":
            return False
        names = {"gcc": ("gcc", "g++", "gfortran"), "clang": ("clang-19", "clang++-19", "")}[compiler]
        environment.update(zip(("MAICC_CC", "MAICC_CXX", "MAICC_FC"), names))
        command = [bin_folder / tool, "--trace", "-O2", "-g", "-fopenmp", *more, self.path, "-o", to]
        subprocess.run(command, check=True, env=environment, cwd=to.parent)
        return True

    def judge(self, found):
        """Whether an alarm is right, and whether the first verdict names what is wrong and its cure."""
        if self.is_healthy or not found:
            return False
        kind, array, cures = found[0][:3]
        return (kind == self.kind and name_of(array) == self.array
                and any(cure in line for cure in self.cures for line in cures))


    def judge_untraced(self, found, binary):
        """Whether the first of what is said of a program that is not traced is right.  Of what --transfers would tell apart
        (false-sharing) the kind for both (shared-lines) is."""
        if self.is_healthy or not found:
            return self.is_healthy and not found
        kind, said, cures = found[0]
        same_kind = kind == self.kind or (self.kind, kind) == ("false-sharing", "shared-lines")
        same_array = (name_of(said) == self.array or self.names_place(said)
                      or (self.array == "(no known array)" and said == binary))  # that of a variable
        return same_kind and same_array and any(cure in line for cure in self.cures for line in cures)

    def names_place(self, said):
        """Of an array whose name nobody knows the place is told that allocates it: "x.f90:8"."""
        place = re.search(r":(\d+)", said)
        lines = self.path.read_text().splitlines()
        wanted = re.split(r"%", self.array)[-1]
        return bool(place) and re.search(rf"\b{re.escape(wanted)}\b", lines[int(place.group(1)) - 1]) is not None


def name_of(array):
    """Without the place, and as the source has it."""
    return re.sub(r"^(__.*_MOD_|_ZL\d+)| \(.*", "", array)


def programs(name):
    """Of all parts those whose file's name a pattern fits, by part."""
    for part in PARTS:
        for path in sorted((HERE / part).glob("*.*")):
            if re.search(name, path.name):
                yield part, Program(path)


REPEATED = (r"(\bROUNDS = )([\d <()+*-]+?)([,;} ]*[,;}])", r"(\bRounds = )([\d <()+*-]+?)([,;])", r"(\b(?:round|step) < )(\d+)(;)",
            r"(\bdo (?:round|step) = 1, )(\d+)(\n)", r"(\bMESSAGES = )(\d+)([,;} ])")


def lengthened(text, factor):
    """More of what is repeated; None where nothing is."""
    for pattern in REPEATED:
        longer, count = re.subn(pattern, rf"\g<1>(\g<2>) * {factor}\3", text)
        if count:
            return longer
    return None
