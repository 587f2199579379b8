# Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The programs in C and C++ of OpenMP's validation suite (OpenMP_VV): each ends with 0 when it is right."""

from .dejagnu import Test
from .sources import VALIDATION_SUITE as SUITE

LANGUAGES = {".c": "c", ".cpp": "c++"}


def tests(root):
    """On a machine without devices the host does what is for these."""
    return [
        Test(SUITE, str(path.relative_to(root / "tests")), [path], LANGUAGES[path.suffix], [f"-I{root / 'ompvv'}"])
        for path in sorted((root / "tests").rglob("*"))
        if path.suffix in LANGUAGES
    ]
