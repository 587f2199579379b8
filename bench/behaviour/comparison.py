# Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Whether two runs of a program did the same."""

import itertools
import math
import re

NUMBER = re.compile(r"([-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)")


def comparable(text, ignored):
    """A text without the lines that are another one at each run."""
    lines = text.decode("utf-8", "backslashreplace") if isinstance(text, bytes) else text
    return [line for line in lines.splitlines() if not any(pattern.search(line) for pattern in ignored)]


def numbers_are_close(one, other, tolerance):
    try:
        return math.isclose(float(one), float(other), rel_tol=tolerance, abs_tol=tolerance)
    except ValueError:
        return False


def lines_are_same(one, other, tolerance):
    """A split by NUMBER has text and numbers in turn."""
    if one == other:
        return True
    if not tolerance or one is None or other is None:
        return False
    ones, others = NUMBER.split(one), NUMBER.split(other)
    return len(ones) == len(others) and all(
        a == b or (i % 2 == 1 and numbers_are_close(a, b, tolerance)) for i, (a, b) in enumerate(zip(ones, others))
    )


def difference(what, expected, found, tolerance):
    """The first line that differs, as a sentence; None where there is none."""
    for number, (one, other) in enumerate(itertools.zip_longest(expected, found), 1):
        if not lines_are_same(one, other, tolerance):
            return f"{what}, line {number}: expected {shown(one)}, found {shown(other)}"
    return None


def shown(line):
    return "the end" if line is None else repr(line[:160])


def contents(folder, names):
    """What files hold; a name may be a pattern."""
    paths = sorted(path for name in names for path in folder.glob(name) if path.is_file())
    return {str(path.relative_to(folder)): path.read_bytes() for path in paths}


def difference_of_files(expected, found):
    for name in sorted(expected.keys() | found.keys()):
        if name not in found:
            return f"the file {name} is missing"
        if name not in expected:
            return f"the file {name} is there only now"
        if expected[name] != found[name]:
            return f"the file {name} has other contents"
    return None
