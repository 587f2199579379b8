# Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What MApp said of arrays: its report, and what maicc hands on of it while a program is built."""

import json
import re
from dataclasses import dataclass

ELSEWHERE = "placed where "  # of a function that hands its block on: another entry has the policy
SAID = re.compile(r"(?P<file>[^\s:]+):(?P<line>\d+): (?P<name>.+?): (?P<words>.+) \[MAPP\d+\]")


@dataclass(frozen=True)
class Word:
    file: str  # without its folder
    line: int
    name: str
    words: str


def base(path):
    return path.rpartition("/")[2]


def words_of_report(path):
    if not path.exists():
        return []
    result = []
    for array in json.loads(path.read_text(encoding="utf-8"))["arrays"]:
        policy = array.get("policy") or array["outcome"]
        result.append(Word(base(array["at"]["file"]), array["at"]["line"], array["name"],
                           f"{policy}: {array['reason']}"))
    return result


def words_of_build(text):
    found = (SAID.fullmatch(line) for line in text.splitlines())
    return [Word(base(each["file"]), int(each["line"]), each["name"], each["words"])
            for each in found if each]


def words_on(array, frames, said):
    """What was said of an array, which is known by the lines that allocate it, or else by its name."""
    places = [(base(path), line) for path, line in frames]
    fitting = [word for word in said if (word.file, word.line) in places] if frames else \
        [word for word in said if word.name == array]
    best = [word.words for word in fitting if ELSEWHERE not in word.words]
    return "; ".join(dict.fromkeys(best)) or None
