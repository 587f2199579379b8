# Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Which programs are there, and how the others are installed."""

import re
import shutil
import subprocess
import sys

from .modes import ALLOCATOR_PACKAGES
from .running import BehaviourError, call, say


def status_of_packages(names):
    """The names of Debian's packages that are installed."""
    query = subprocess.run(
        ["dpkg-query", "-W", "-f", "${Package} ${db:Status-Status}\n", *names],
        capture_output=True,
        text=True,
        check=False,
    ).stdout
    return {line.split()[0] for line in query.splitlines() if line.endswith(" installed")}


def normal_name(name):
    """Python's packages are written in several ways."""
    return re.sub(r"[-_.]+", "-", name).lower()


def python_packages(python):
    """The names of the packages that a Python finds."""
    script = "from importlib.metadata import distributions as d\nfor x in d(): print(x.metadata['Name'])"
    done = subprocess.run([python, "-c", script], capture_output=True, text=True, check=False)
    return {normal_name(name) for name in done.stdout.split()}


class Installed:
    """What is on this machine."""

    def __init__(self, programs, python):
        names = sorted({package for program in programs for package in program.packages})
        self.debian = status_of_packages(names) if names and shutil.which("dpkg-query") else None
        self.python = python_packages(python) if python.exists() else set()

    def obstacle(self, program):
        """Why a program cannot be run, or None."""
        command = program.command[0]
        missing = [name for name in program.pypi if normal_name(name) not in self.python]
        if missing:
            return f"not installed: {', '.join(missing)} of PyPI (see --install)"
        if self.debian is not None:
            missing = [name for name in program.packages if name not in self.debian]
        if missing or (command != "{python}" and not shutil.which(command)):
            return f"not installed: {', '.join(missing) or command} (see --install)"
        return None


def install(programs, folder):
    """Installs what programs need: Debian's packages as root, Python's into a folder of their own."""
    packages = sorted({package for program in programs for package in program.packages} | set(ALLOCATOR_PACKAGES))
    missing = [package for package in packages if package not in status_of_packages(packages)]
    if missing:
        say(f"installing {' '.join(missing)}")
        try:
            call(["apt-get", "install", "-y", "-qq", "--no-install-recommends", *missing])
        except BehaviourError as error:
            raise BehaviourError(f"{error}\nrun --install as root, and apt-get update before") from error
    pypi = sorted({package for program in programs for package in program.pypi})
    if pypi:
        if not (folder / "bin/python").exists():
            call([sys.executable, "-m", "venv", folder])
        say(f"installing {' '.join(pypi)}")
        call([folder / "bin/python", "-m", "pip", "install", "-q", *pypi])
