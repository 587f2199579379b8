# Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What bench/binaries and bench/suites have in common as commands."""

import argparse
import json
import os

from .running import BehaviourError, say


def positive(text):
    if not text.isdigit() or int(text) == 0:
        raise argparse.ArgumentTypeError(f"'{text}' is no number from 1 on")
    return int(text)


def check_build(build, programs):
    for name in programs:
        if not os.access(build / "bin" / name, os.X_OK):
            raise BehaviourError(
                f"{build}: expected a build of Minas with bin/{name}; build it, or name another by --build"
            )


def write_json(path, found):
    path.write_text(json.dumps({"results": found}, indent=1) + "\n", encoding="utf-8")


def run(name, work, arguments):
    """The exit status: that of `work`, 2 where it cannot do what it should."""
    try:
        return work(arguments)
    except (BehaviourError, OSError) as error:
        say(f"{name}: {error}")
        return 2
    except KeyboardInterrupt:
        return 130
