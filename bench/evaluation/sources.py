# Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Where programs' sources come from.  Nothing of them is kept in this tree."""

import functools
import hashlib
import shutil

from behaviour.running import BehaviourError
from behaviour.sources import apt

from .common import EvaluationError, call, say


class Sources:
    """The folders of programs' sources, each brought here when it is first asked for."""

    def __init__(self, given, work):
        self.given = given  # where folders lie, instead of beside the manifest
        self.work = work / "sources"
        self.folder = functools.cache(self._folder)

    def of(self, program):
        folder = self.folder(program.origin.kind, program.origin.place, program.origin.version,
                             program.base)
        check_digest(program, folder)
        return folder

    def _folder(self, kind, place, version, base):
        self.work.mkdir(parents=True, exist_ok=True)
        if kind == "git":
            return self._from_git(place, version)
        if kind == "debian":
            return self._from_debian(place, version)
        folder = (self.given or base) / place
        if not folder.is_dir():
            raise EvaluationError(f"{folder}: there is no such folder of sources; name the one that it "
                                  "lies in by --sources")
        return folder.resolve()

    def _from_git(self, repository, version):
        folder = self.work / f"{repository.rstrip('/').rpartition('/')[2]}-{version}"
        if not folder.exists():
            say(f"cloning {repository}")
            partial = folder.with_name(folder.name + ".partial")
            shutil.rmtree(partial, ignore_errors=True)
            call(["git", "clone", "-q", "--no-checkout", "--", repository, partial])
            call(["git", "-C", partial, "checkout", "-q", "--detach", version, "--"])
            partial.rename(folder)
        return folder

    def _from_debian(self, package, version):
        """As Debian builds it, with Debian's patches."""
        folder = self.work / f"{package}-{version.replace(':', '_')}"  # a colon separates paths
        if not folder.exists():
            say(f"downloading the Debian source package {package} {version}")
            download = self.work / f"{package}.download"
            shutil.rmtree(download, ignore_errors=True)
            download.mkdir(parents=True)
            try:
                apt(download, "update")
                apt(download, "source", f"{package}={version}")
            except BehaviourError as error:
                raise EvaluationError(str(error)) from error
            unpacked = [each for each in download.iterdir() if each.is_dir() and each.name != "lists"]
            if len(unpacked) != 1:
                raise EvaluationError(f"{download}: expected one folder of sources, found {len(unpacked)}")
            unpacked[0].rename(folder)
        return folder


def files_of(folder):
    """All files but for what git keeps."""
    return sorted(path for path in folder.rglob("*") if path.is_file()
                  and ".git" not in path.relative_to(folder).parts)


def digest_of_folder(folder):
    """Of the names and contents of all files."""
    total = hashlib.sha256()
    for path in files_of(folder):
        for data in (str(path.relative_to(folder)).encode(), path.read_bytes()):
            total.update(len(data).to_bytes(8, "little") + data)
    return total.hexdigest()


def check_digest(program, folder):
    if program.digest is None:
        return
    found = digest_of_folder(folder)
    if found != program.digest:
        raise EvaluationError(f"{folder}: the sources of {program.name} are not those of its manifest: "
                              f"expected the digest {program.digest}, found {found}")
