# Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Where test suites come from: Debian's source packages, and a repository.  Nothing of them is kept in this tree."""

import os
import shutil
import subprocess
from pathlib import Path

from .running import BehaviourError, call, say

GCC_FOLDERS = {
    "gcc.c-torture": "gcc/testsuite/gcc.c-torture/execute",
    "g++.dg": "gcc/testsuite/g++.dg/tls",
    "gfortran.fortran-torture": "gcc/testsuite/gfortran.fortran-torture/execute",
    "libgomp": "libgomp/testsuite",
}
LIBOMP_FOLDER = "openmp/runtime/test"
LIBOMP_HEADERS = "openmp/runtime/src/*.h"  # of which its tests include some
VALIDATION_SUITE = "OpenMP_VV"
VALIDATION_REPOSITORY = "https://github.com/OpenMP-Validation-and-Verification/OpenMP_VV"
VALIDATION_VERSION = "0c4118d18054c8164b70e78c2f1d5a2333f001d2"
DEB_SRC = """\
Types: deb-src
URIs: http://deb.debian.org/debian
Suites: bookworm bookworm-updates
Components: main
Signed-By: /usr/share/keyrings/debian-archive-keyring.gpg
"""


def unpack(archive, folder, members):
    """Unpacks folders of an archive whose paths begin with the package's; once."""
    done = folder / ".complete"
    contents = " ".join(map(str, [archive, *members]))
    if done.exists() and done.read_text() == contents:
        return folder
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    say(f"unpacking {archive}")
    patterns = [f"*/{member}" for member in members]
    call(["tar", "-xf", archive, "-C", folder, "--strip-components=1", "--wildcards", *patterns])
    done.write_text(contents)
    return folder


def gcc_tests(work):
    """The folder of gcc's sources, with its tests; they come with the package gcc-12-source."""
    archives = sorted(Path("/usr/src/gcc-12").glob("gcc-12.*.tar.xz"))
    if not archives:
        raise BehaviourError("/usr/src/gcc-12: expected the sources of gcc 12; install Debian's package gcc-12-source")
    return unpack(archives[-1], work / "gcc", GCC_FOLDERS.values())


def apt(sources, *words):
    """apt-get, told of Debian's sources without a change to the system's lists."""
    lists = sources / "lists"
    (lists / "partial").mkdir(parents=True, exist_ok=True)
    (sources / "debian.sources").write_text(DEB_SRC)
    options = {
        "Dir::Etc::sourcelist": sources / "debian.sources",
        "Dir::Etc::sourceparts": "-",
        "Dir::State::lists": lists,
        "Dir::Cache::srcpkgcache": "",
        "Dir::Cache::pkgcache": "",
        "APT::Sandbox::User": "root" if os.geteuid() == 0 else "",
    }
    settings = [word for name, value in options.items() for word in ("-o", f"{name}={value}")]
    return call(["apt-get", "-qq", *settings, *words], cwd=sources)


def find_llvm_archive(sources):
    """Debian's archive of LLVM, or None; not the one with Debian's own changes."""
    return next((path for path in sorted(sources.glob("llvm-toolchain-19_*.orig.tar.xz"))), None)


def fetch_llvm(work):
    """Downloads the sources of llvm-toolchain-19."""
    sources = work / "sources"
    sources.mkdir(parents=True, exist_ok=True)
    if not find_llvm_archive(sources):
        say("downloading the sources of llvm-toolchain-19 (165 MB)")
        apt(sources, "update")
        apt(sources, "source", "--download-only", "llvm-toolchain-19")


def libomp_tests(work):
    """The folder of libomp's tests."""
    archive = find_llvm_archive(work / "sources")
    if not archive:
        raise BehaviourError(f"{work / 'sources'}: expected the sources of llvm-toolchain-19; fetch them by --install")
    return unpack(archive, work / "llvm", [LIBOMP_FOLDER, LIBOMP_HEADERS]) / LIBOMP_FOLDER


def fetch_validation_suite(work):
    folder = work / VALIDATION_SUITE
    if not folder.exists():
        say(f"cloning {VALIDATION_REPOSITORY}")
        call(["git", "clone", "-q", "--no-checkout", "--", VALIDATION_REPOSITORY, folder])
    call(["git", "-C", folder, "checkout", "-q", "--detach", VALIDATION_VERSION, "--"])


def validation_suite(work):
    """The folder of OpenMP's validation suite."""
    folder = work / VALIDATION_SUITE
    if not (folder / "tests").exists():
        raise BehaviourError(f"{folder}: expected OpenMP's validation suite; fetch it by --install")
    return folder


def is_installed(package):
    status = subprocess.run(
        ["dpkg-query", "-W", "-f", "${db:Status-Status}", package], capture_output=True, text=True, check=False
    )
    return status.stdout == "installed"


def install(work, suites):
    """Gets the sources of the suites."""
    if "libomp" in suites:
        fetch_llvm(work)
    if VALIDATION_SUITE in suites:
        fetch_validation_suite(work)
    if set(suites) & set(GCC_FOLDERS) and not is_installed("gcc-12-source"):
        say("installing gcc-12-source")
        call(["apt-get", "install", "-y", "-qq", "--no-install-recommends", "gcc-12-source"])
