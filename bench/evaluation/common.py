# Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What all parts of the evaluation need: errors, commands, files that are whole or not there."""

import hashlib
import os
import shlex
import subprocess
import sys
from pathlib import Path

LINES_OF_ERRORS = 40
SOURCE = Path(__file__).resolve().parents[2]


class EvaluationError(Exception):
    """Something that the user has to know and can do something about."""


def interrupt(*_):
    """For signals that end a study as Ctrl-C does."""
    raise KeyboardInterrupt


def say(text):
    print(f"evaluate: {text}", file=sys.stderr, flush=True)


def call(command, **keywords):
    """A command's standard output; its own words in the error if it fails."""
    try:
        result = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                errors="replace", check=False, **keywords)
    except OSError as error:
        raise EvaluationError(f"{command[0]}: {error.strerror}") from error
    if result.returncode != 0:
        lines = (result.stderr + result.stdout).strip().splitlines()
        said = "\n".join(lines[:LINES_OF_ERRORS] + (["..."] if len(lines) > LINES_OF_ERRORS else []))
        words = shlex.join(map(str, command))
        raise EvaluationError(f"{words}: exit status {result.returncode}\n{said}")
    return result.stdout


def write_whole(path, text):
    """Writes a file so that it is there as a whole or as it was."""
    temporary = path.with_name(path.name + ".new")
    try:
        temporary.write_text(text, encoding="utf-8")
        os.replace(temporary, path)
    except OSError as error:
        raise EvaluationError(f"{path}: {error.strerror}") from error


def digest(texts, files=()):
    """A short name of texts and of files' contents."""
    total = hashlib.sha256()
    for data in [*(str(text).encode() for text in texts), *(file.read_bytes() for file in files)]:
        total.update(len(data).to_bytes(8, "little") + data)
    return total.hexdigest()[:16]
