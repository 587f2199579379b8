# Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The machines that programs run on: this one, or a virtual one of a given shape."""

import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
from pathlib import Path

from .common import SOURCE, EvaluationError, call

GUEST = SOURCE / "test/guest/run"
sys.path.append(str(GUEST.parent))
from initramfs import libraries_of  # noqa: E402

BOOT_SECONDS = 120


class Host:
    """This machine, as far as this process may use it."""

    is_emulated = False
    most_carried_bytes = None

    def __init__(self, bin_directory):
        known = json.loads(call([bin_directory / "numarch", "--json", "--allowed"]))
        self.cpus = len(known["cpus"])
        self.nodes = len(known["nodes"])
        self.bytes_of_node = {node["os_index"]: node["memory_total"] for node in known["nodes"]}
        self.topology = []
        self.name = f"this machine, {self.nodes} node{'s' if self.nodes > 1 else ''}"
        self.key = "host"

    @staticmethod
    def command(script, files, seconds):
        del files, seconds
        return ["sh", script]

    @staticmethod
    def carried(files):
        """Nothing goes to where it is already."""
        del files
        return set()


class Guest:
    """A virtual machine of so many nodes with so many CPUs each."""

    is_emulated = True
    most_carried_bytes = 120 << 20  # it takes 128 MiB

    def __init__(self, nodes, cores, memory, thp):
        self.nodes = nodes
        self.cpus = nodes * cores
        self.bytes_of_node = dict.fromkeys(range(nodes), memory << 20)
        self.topology = [f"--topology=package:{nodes} core:{cores} pu:1"]
        self.shape = f"{nodes}x{cores}"
        self.name = f"virtual machine, {nodes} nodes x {cores} CPUs"
        self.key = f"{self.shape}.{memory}.{thp}"
        self.memory = memory
        self.thp = thp
        self._carried = {}  # each file's, with its libraries

    def command(self, script, files, seconds):
        """Without automatic NUMA balancing: emulated time is so slow that it would move pages that it
        would not have reached before the end of such short runs."""
        carried = [word for file in files for word in ("--file", str(file))]
        return [GUEST, "--topology", self.shape, "--memory", str(self.memory), "--thp", self.thp,
                "--balancing", "off", "--timeout", str(seconds), *carried,
                "--file", script, "--", "sh", script]

    def carried(self, files):
        """The files and the libraries that go to the machine with them."""
        for file in map(str, files):
            if file not in self._carried:
                self._carried[file] = {file, *libraries_of(file, os.environ)}
        return set().union(*(self._carried[str(file)] for file in files))


class Watchdog:
    """Ends a command that has said nothing for long."""

    def __init__(self, process, seconds):
        self.process = process
        self.seconds = seconds
        self.barked = False
        self.timer = None
        self.feed()

    def feed(self):
        self.stop()
        self.timer = threading.Timer(self.seconds, self._bark)
        self.timer.daemon = True
        self.timer.start()

    def stop(self):
        if self.timer:
            self.timer.cancel()

    def _bark(self):
        self.barked = True
        end(self.process)


def end(process):
    """Ends a command and what it has started."""
    try:
        os.killpg(process.pid, signal.SIGTERM)
        process.wait(10)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass


def lines_of(machine, script, files, folder, run_seconds, runs):
    """What a script says on a machine, line by line as it comes."""
    path = Path(folder) / "script.sh"
    path.write_text(script, encoding="utf-8")
    command = machine.command(path, files, BOOT_SECONDS + run_seconds * runs)
    with tempfile.TemporaryFile() as errors:
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                   stderr=errors, text=True, errors="replace",
                                   start_new_session=True)
        watchdog = Watchdog(process, BOOT_SECONDS + run_seconds)
        try:
            for line in process.stdout:
                watchdog.feed()
                yield line.rstrip("\n")
            status = process.wait()
        finally:
            watchdog.stop()
            if process.poll() is None:
                end(process)
        errors.seek(0)
        said = errors.read().decode(errors="replace").strip()
    if watchdog.barked:
        raise EvaluationError(f"the {machine.name} has said nothing for {watchdog.seconds} s\n{said}")
    if status != 0:
        raise EvaluationError(f"the {machine.name} ended with status {status}\n{said}")


def needed_tools():
    missing = [tool for tool in ("numactl", "nm", "objcopy", "addr2line") if not shutil.which(tool)]
    if missing:
        raise EvaluationError(f"{missing[0]}: no such command (scripts/setup installs it)")
