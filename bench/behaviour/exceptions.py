# Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What is known to differ, and why it must: suites-exceptions.toml."""

import fnmatch
import tomllib

from .running import BehaviourError

MEMBERS = ("tests", "ways", "levels", "compilers", "reason")


class Exceptions:
    """A list of tests that may behave differently in some ways."""

    def __init__(self, path, ways):
        self.path = path
        self.used = set()
        try:
            self.entries = tomllib.loads(path.read_text(encoding="utf-8")).get("exception", [])
        except (OSError, ValueError) as error:
            raise BehaviourError(f"{path}: {error}") from error
        for number, entry in enumerate(self.entries, 1):
            self.check(number, entry, ways)

    def check(self, number, entry, ways):
        def refuse(sentence):
            raise BehaviourError(f"{self.path}: exception {number}: {sentence}")

        if not isinstance(entry, dict) or not isinstance(entry.get("reason"), str) or not entry["reason"]:
            refuse("expected a reason, a sentence")
        for member, value in entry.items():
            if member not in MEMBERS:
                refuse(f"there is no member '{member}'; there are {', '.join(MEMBERS)}")
            if member != "reason" and not (isinstance(value, list) and all(isinstance(word, str) for word in value)):
                refuse(f"expected {member} to be a list of strings, found {value!r}")
        for way in entry.get("ways", []):
            if way not in ways:
                refuse(f"there is no way '{way}'; there are {', '.join(ways)}")
        if not entry.get("tests"):
            refuse("expected tests, a list of names or patterns such as libgomp/*/affinity-*")

    def reason(self, test, way, level, compiler):
        """Why a test may differ in a way, or None."""
        for number, entry in enumerate(self.entries):
            if (
                any(fnmatch.fnmatchcase(test, pattern) for pattern in entry["tests"])
                and way in entry.get("ways", [way])
                and level in entry.get("levels", [level])
                and compiler in entry.get("compilers", [compiler])
            ):
                self.used.add(number)
                return entry["reason"]
        return None

    def unused(self):
        return [entry for number, entry in enumerate(self.entries) if number not in self.used]
