# Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What bench/studies/sharing.yaml says, for scripts/evaluate and bench/sharing."""

from pathlib import Path

import yaml

from evaluation.common import EvaluationError
from evaluation.manifest import cache_size, document, list_of, machine, members, one_of

from .programs import PROGRAMS

KIND = "sharing"
STUDY = {
    "study": one_of([KIND]),
    "machines": list_of(machine, "machines"),
    "programs": list_of(one_of([program.name for program in PROGRAMS]), "programs"),
    "cache": cache_size,
}


def is_for_sharers(path):
    """Whether it is a study of this kind; what else is wrong with it is told elsewhere."""
    try:
        root = document(Path(path))
    except EvaluationError:
        return False
    return isinstance(root, yaml.MappingNode) and any((key.value, value.value) == ("study", KIND) for key, value in root.value)


def read(path):
    """{member: value}"""
    return members(document(path), "a study of programs that share", STUDY)
