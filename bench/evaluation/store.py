# Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Results on disk, a file for each run, so that an interrupted evaluation goes on where it was."""

import fcntl
import json

from .common import EvaluationError, say, write_whole

VERSION = 2
NEEDED = {"key": str, "case": dict, "run": int, "verified": bool, "accesses": dict, "pages": dict}


def prepare(folder):
    """Makes a folder that can be written to, or says what is wrong with it."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        probe = folder / ".probe"
        probe.write_text("", encoding="utf-8")
        probe.unlink()
    except OSError as error:
        raise EvaluationError(f"{folder}: cannot write results there: {error.strerror}; name "
                              "another folder by --out") from error


def lock(folder):
    """Keeps a second evaluation out of the folder; until the file that is returned is closed."""
    file = (folder / ".lock").open("w", encoding="utf-8")
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        raise EvaluationError(f"{folder}: another evaluation is at work there; wait for it, or name "
                              "another folder by --out") from error
    return file


class Store:
    def __init__(self, folder):
        self.folder = folder
        prepare(folder)

    def path(self, case, run):
        return self.folder / f"{case.name}.{run}.json"

    def load(self, case, run, key):
        """The result of a run, or None when it is not there or of another program or setting."""
        path = self.path(case, run)
        if not path.exists():
            return None
        result = read_result(path)
        if result["key"] != key:
            say(f"{case.name}: the program or the settings have changed; it is run again")
            return None
        return result

    def save(self, case, run, result):
        write_whole(self.path(case, run), json.dumps({"evaluate": VERSION, **result}, indent=1) + "\n")


def read_result(path):
    def reject(why):
        raise EvaluationError(f"{path}: not a result of evaluate: {why}; remove the file, and this "
                              "run is made again")

    try:
        result = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        reject(error.strerror)
    except ValueError as error:
        reject(error)
    if not isinstance(result, dict) or result.get("evaluate") != VERSION:
        reject(f"expected an object with \"evaluate\": {VERSION}")
    for name, kind in NEEDED.items():
        if not isinstance(result.get(name), kind):
            reject(f"expected \"{name}\" to be of type {kind.__name__}")
    return result
