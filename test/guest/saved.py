# Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Machines that have booted, kept in a folder: booting takes an emulator ten times as long as going on.

A machine's memory lies in files, which QEMU does not write into the state that it saves beside them
(x-ignore-shared).  A machine that goes on maps them privately: each starts from the same memory, and
none changes it.  The command's files come through the memory of one more device, which /init has
waited for when it is saved.
"""

import fcntl
import hashlib
import os
import shlex
import shutil
import subprocess
import tempfile
from pathlib import Path

from initramfs import Initramfs
from qemu import MachineEnded, OutOfTime, Qemu

ARCHIVE_BYTES = 128 << 20
HERE = Path(__file__).resolve().parent
RECEIVER = HERE / "Inputs/receive.c"
BUSYBOX = "/bin/busybox"
_PAGE = 4096

# The first serial port is the console, the second and third carry the command's output, the
# fourth says that the machine has booted, later the command's exit status.  The archive is unpacked
# on the first node, like the files that Linux itself unpacks when it boots.
INIT = f"""\
#!{BUSYBOX} sh
mount -t proc proc /proc
mount -t sysfs sysfs /sys
mount -t devtmpfs devtmpfs /dev
mkdir -p /dev/shm /run /tmp
mount -t tmpfs tmpfs /dev/shm
mount -t cgroup2 cgroup2 /sys/fs/cgroup
ln -s /proc/self/fd /dev/fd
for cpu in /sys/devices/system/cpu/cpu*/online; do echo 1 >$cpu; done
for port in 1 2; do stty -F /dev/ttyS$port raw; done
mkfifo /run/stdout /run/stderr
for device in /sys/bus/pci/devices/*; do
  case $(cat $device/vendor $device/device) in *1af4*1110) memory=$device/resource2;; esac
done
echo booted >/dev/ttyS3
taskset 1 /receive $memory {ARCHIVE_BYTES} | taskset 1 cpio -id -u --quiet && . /start
echo b >/proc/sysrq-trigger  # reboots at once, which ends QEMU: switching off takes longer
"""

_DEVICE = ["-device", "ivshmem-plain,memdev=archive,master=on"]


class ArchiveTooLarge(Exception):
    """The command's files do not fit into the device's memory."""


class SavedMachine:
    """A machine of a shape with a kernel.

    arguments(folder, shared) is what QEMU is called with for it; `folder` has the files of its
    memory, which it shares or only reads."""

    def __init__(self, states, kernel, arguments):
        self.arguments = arguments
        self._states = Path(states)
        self.folder = self._states / _digest(kernel, arguments("", True))

    def boot_once(self, deadline, on_failure):
        """Boots and saves the machine unless that has been done.  on_failure(folder) is told where what QEMU
        and the guest have said is, before it is gone."""
        self._states.mkdir(parents=True, exist_ok=True)
        with open(f"{self.folder}.lock", "wb") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if self.folder.exists():
                return
            with tempfile.TemporaryDirectory(dir=self._states) as outer:
                folder = f"{outer}/machine"
                os.mkdir(folder)
                try:
                    self._boot(folder, deadline)
                except (MachineEnded, OutOfTime):
                    on_failure(folder)
                    raise
                os.rename(folder, self.folder)

    def _boot(self, folder, deadline):
        _build_initramfs(f"{folder}/initramfs")
        with Qemu(self._with_archive(folder, True, "memory-backend-ram"), folder, deadline) as qemu:
            qemu.wait_for_status()
            _let_migrate(qemu)
            qemu.ask("migrate", uri=f"exec:cat >{shlex.quote(folder)}/state")
            qemu.wait_for_migration()

    def go_on(self, archive, folder, deadline, outputs):
        """Runs the machine, with an archive of files, until it ends."""
        _make_empty(f"{folder}/archive")
        backend = f"memory-backend-file,mem-path={folder}/archive"
        with Qemu([*self._with_archive(self.folder, False, backend), "-incoming", "defer", "-S"],
                  folder, deadline, outputs) as qemu:
            _let_migrate(qemu)
            qemu.ask("migrate-incoming", uri=f"exec:cat {shlex.quote(str(self.folder))}/state")
            qemu.wait_for_migration()
            _put(archive, f"{folder}/archive")
            qemu.ask("cont")
            qemu.wait_for_end()

    def _with_archive(self, folder, shared, backend):
        return [*self.arguments(folder, shared), "-initrd", f"{folder}/initramfs",
                "-object", f"{backend},id=archive,size={ARCHIVE_BYTES}", *_DEVICE]


def _digest(kernel, arguments):
    """Names all that a saved machine depends on."""
    parts = [INIT, RECEIVER.read_text(), (HERE / "initramfs.py").read_text(), *_DEVICE, *arguments]
    for path in (kernel, BUSYBOX, shutil.which(arguments[0])):
        file = os.stat(path)
        parts += [str(path), str(file.st_size), str(file.st_mtime_ns)]
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:16]


def _build_initramfs(path):
    files = Initramfs()
    for directory in ("/proc", "/sys", "/dev"):
        files.add_directory(directory)
    files.add(BUSYBOX)
    folder, name = os.path.split(os.path.realpath(BUSYBOX))
    for applet in applets():
        files.add_link(os.path.join(folder, applet), name)
    files.add_file("/receive", build(RECEIVER), 0o755)
    files.add_file("/init", INIT.encode(), 0o755)
    files.write(path)


def build(source):
    """A program that needs no libraries."""
    with tempfile.TemporaryDirectory() as work:
        subprocess.run(["gcc", "-O2", "-static", source, "-o", f"{work}/program"], check=True,
                       env=os.environ | {"TMPDIR": work})
        return Path(f"{work}/program").read_bytes()


def applets():
    """The names of the commands that busybox holds."""
    return subprocess.run([BUSYBOX, "--list"], stdout=subprocess.PIPE, text=True, check=True).stdout.split()


def _let_migrate(qemu):
    qemu.ask("qmp_capabilities")
    qemu.ask("migrate-set-capabilities", capabilities=[{"capability": "x-ignore-shared", "state": True}])


def _make_empty(path):
    with open(path, "wb") as file:
        file.truncate(ARCHIVE_BYTES)


def _put(archive, path):
    """Puts the archive into the device's memory.  QEMU maps that file privately, as it must to load the state, and
    has written nothing to it: so it sees what is written to the file."""
    with open(archive, "rb") as source, open(path, "r+b") as target:
        length = os.fstat(source.fileno()).st_size
        if length > ARCHIVE_BYTES - _PAGE:
            raise ArchiveTooLarge(f"the command's files are {length >> 20} MiB, more than {ARCHIVE_BYTES >> 20}")
        target.write(length.to_bytes(8, "little"))
        target.seek(_PAGE)
        shutil.copyfileobj(source, target)
