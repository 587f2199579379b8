# Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What was found, a line of JSON each, so that an interrupted run goes on where it was."""

import hashlib
import json

from .running import BehaviourError


def digest(*parts):
    """A short key that changes with any of the parts."""
    return hashlib.sha256(json.dumps(parts, sort_keys=True, default=str).encode()).hexdigest()[:16]


def digest_of_files(paths):
    """A key of the contents of files."""
    total = hashlib.sha256()
    for path in paths:
        total.update(path.read_bytes())
    return total.hexdigest()[:16]


class Store:
    """Results by key; a later line of the file replaces an earlier one."""

    def __init__(self, path):
        self.path = path
        self.results = {}
        if path.exists():
            self.load()
        path.parent.mkdir(parents=True, exist_ok=True)

    def load(self):
        lines = self.path.read_text(encoding="utf-8").split("\n")
        for number, line in enumerate(lines, 1):
            try:
                if line:
                    result = json.loads(line)
                    self.results[result["key"]] = result
            except (ValueError, KeyError, TypeError) as error:
                if number < len(lines) - 1:  # the last one may be what an interrupted run left
                    raise BehaviourError(
                        f"{self.path}:{number}: expected a result, an object with \"key\": remove the line, or the "
                        "file to run all again"
                    ) from error

    def get(self, key):
        return self.results.get(key)

    def put(self, result):
        self.results[result["key"]] = result
        with self.path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(result) + "\n")
