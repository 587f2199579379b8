# Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The guest's file system: the programs to run and what they need, as an initial RAM file system.

Everything lies in the guest where it lies on the host, so that paths in programs, their run paths
and the dynamic linker's cache mean the same.
"""

import os
import re
import stat
import subprocess

_ALIGNMENT = 4  # of headers and of data in a cpio archive


class MissingFile(Exception):
    """A file, a library or an interpreter that the guest needs does not exist."""


class Initramfs:
    """The files of a cpio archive, which the kernel unpacks as its root."""

    def __init__(self):
        self._entries = {}  # path -> (mode, content), parents before their children

    def add(self, path):
        """Adds the host's file or directory `path` and all directories and links on the way."""
        if not os.path.exists(path):
            raise MissingFile(f"{path}: no such file")
        here = "/"  # never goes through a link, so that ".." means what it says
        for part in os.path.join(os.getcwd(), path).split("/"):
            if part == "..":
                here = os.path.dirname(here)
            elif part not in ("", "."):
                here = self._add_step(os.path.join(here, part))

    def _add_step(self, path):
        """Adds one step of a path and returns where it leads."""
        if os.path.islink(path):
            target = os.readlink(path)
            self.add_link(path, target)
            self.add(os.path.join(os.path.dirname(path), target))
        elif os.path.isdir(path):
            self.add_directory(path)
        else:
            self.add_file(path, _read(path), os.stat(path).st_mode)
        return os.path.realpath(path)

    def add_file(self, path, content, mode=0o644):
        """Adds a file with the given content, and its directories."""
        self.add_directory(os.path.dirname(path))
        self._put(path, stat.S_IFREG | stat.S_IMODE(mode), content)

    def add_directory(self, path):
        """Adds a directory, which need not exist on the host, and its parents."""
        if path != "/" and path not in self._entries:
            self.add_directory(os.path.dirname(path))
            self._put(path, stat.S_IFDIR | 0o755)

    def add_link(self, path, target):
        """Adds a symbolic link where nothing has been added yet."""
        self._put(path, stat.S_IFLNK | 0o777, os.fsencode(target))

    def add_program(self, path, environment, guest_path=""):
        """Adds `path` and, if it is a program, a library or a script, what it needs to run."""
        content = _read(path)
        if not guest_path:
            self.add(path)
        else:
            self.add_file(guest_path, content, os.stat(path).st_mode)
        if content.startswith(b"\x7fELF"):
            for library in libraries_of(path, environment):
                self.add(library)
                # The C library loads this one itself, when a thread calls pthread_exit().
                unwinder = os.path.join(os.path.dirname(library), "libgcc_s.so.1")
                if os.path.basename(library).startswith("libc.so") and os.path.exists(unwinder):
                    self.add(unwinder)
        elif content.startswith(b"#!/"):
            interpreter = content[2:].split(maxsplit=1)[0]
            self.add_program(os.fsdecode(interpreter), environment)

    def write(self, path):
        """Writes the archive."""
        with open(path, "wb") as archive:
            # The kernel gives init a terminal only if /dev/console exists this early.
            self.add_directory("/dev")
            _write_entry(archive, "/dev/console", stat.S_IFCHR | 0o600, b"", device=(5, 1))
            for name, (mode, content) in self._entries.items():
                _write_entry(archive, name, mode, content)
            _write_entry(archive, "TRAILER!!!", 0, b"")

    def _put(self, path, mode, content=b""):
        if path != "/":
            self._entries.setdefault(path, (mode, content))


def _read(path):
    try:
        if not os.path.isfile(path):
            raise MissingFile(f"{path}: not a regular file")
        with open(path, "rb") as file:
            return file.read()
    except OSError as error:
        raise MissingFile(f"{path}: {error.strerror}") from error


def libraries_of(path, environment):
    """The shared libraries, the dynamic linker among them, that an ELF file is loaded with."""
    search = {"PATH": os.environ["PATH"]}
    if "LD_LIBRARY_PATH" in environment:
        search["LD_LIBRARY_PATH"] = environment["LD_LIBRARY_PATH"]
    # ldd fails for static programs, which need nothing.
    listing = subprocess.run(["ldd", path], env=search, capture_output=True, text=True).stdout
    missing = re.search(r"^\s*(\S+) => not found$", listing, re.MULTILINE)
    if missing:
        raise MissingFile(f"{path}: its library {missing.group(1)} is not found")
    return re.findall(r"^\s*(?:\S+ => )?(/.*) \(0x[0-9a-f]+\)$", listing, re.MULTILINE)


def _write_entry(archive, name, mode, content, device=(0, 0)):
    """Writes one entry in the "newc" format; inode 0 and one link, since nothing is hard-linked."""
    name = os.fsencode(name.lstrip("/")) + b"\0"
    fields = (0, mode, 0, 0, 1, 0, len(content), 0, 0, *device, len(name), 0)
    header = b"070701" + b"".join(b"%08x" % field for field in fields) + name
    for part in (header, content):
        archive.write(part + b"\0" * (-len(part) % _ALIGNMENT))
