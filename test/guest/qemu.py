# Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A running QEMU: its serial ports, its monitor, its end."""

import json
import signal
import subprocess
import time
from pathlib import Path

_POLL_SECONDS = 0.01
_ENDS = (signal.SIGHUP, signal.SIGTERM)  # by which somebody outside ends this program


class MachineEnded(Exception):
    """QEMU ended before it had done what it was asked for."""


class OutOfTime(Exception):
    """QEMU had not done it when the time ran out."""


def contents(path):
    """A text file's contents, nothing where there is no such file."""
    try:
        return Path(path).read_text(errors="replace").replace("\r", "").strip()
    except FileNotFoundError:
        return ""


class Qemu:
    """Runs until it ends or the block of the `with` does; the monitor speaks QEMU's QMP.

    Signals that would end this program wait until the block has begun: a QEMU that has been started and is not
    ended would go on making files where they are being removed."""

    def __init__(self, arguments, folder, deadline, outputs=()):
        """What the second and third serial port say goes to the two `outputs`, if any."""
        self._folder = folder
        self._deadline = deadline
        ends = [f"file:/dev/fd/{end}" for end in outputs] or ["null", "null"]
        ports = [f"file:{folder}/console", *ends, f"file:{folder}/status"]
        # setpriv ends QEMU even when this program is killed without a chance to clean up.
        command = ["setpriv", "--pdeathsig", "KILL", *arguments, "-qmp", "stdio"]
        for port in ports:
            command += ["-serial", port]
        signal.pthread_sigmask(signal.SIG_BLOCK, _ENDS)
        try:
            with open(f"{folder}/errors", "wb") as errors:
                self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                                 stderr=errors, pass_fds=outputs, text=True)
        except BaseException:
            signal.pthread_sigmask(signal.SIG_UNBLOCK, _ENDS)
            raise

    def __enter__(self):
        try:
            signal.pthread_sigmask(signal.SIG_UNBLOCK, _ENDS)
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        self._process.kill()
        self._process.communicate()

    def ask(self, command, **arguments):
        """Has the monitor carry out a command; returns its answer."""
        try:
            print(json.dumps({"execute": command, "arguments": arguments}), file=self._process.stdin, flush=True)
            while line := self._process.stdout.readline():
                answer = json.loads(line)
                if "return" in answer:
                    return answer["return"]
                if "error" in answer:
                    raise MachineEnded(answer["error"]["desc"])
        except BrokenPipeError:
            pass
        raise MachineEnded()

    def wait_until(self, done):
        while not done():
            if self._process.poll() is not None:
                raise MachineEnded()
            if time.monotonic() > self._deadline:
                raise OutOfTime()
            time.sleep(_POLL_SECONDS)

    def wait_for_status(self):
        """Waits until the guest says something on its fourth serial port."""
        self.wait_until(lambda: contents(f"{self._folder}/status"))

    def wait_for_migration(self):
        """Waits until the machine's state is written or read."""
        self.wait_until(self._has_migrated)

    def _has_migrated(self):
        answer = self.ask("query-migrate")
        if answer.get("status") == "failed":
            raise MachineEnded(answer.get("error-desc", "its state cannot be saved"))
        return answer.get("status") == "completed"

    def wait_for_end(self):
        try:
            self._process.wait(max(0, self._deadline - time.monotonic()))
        except subprocess.TimeoutExpired:
            raise OutOfTime() from None
