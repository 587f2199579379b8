"""lit's configuration of the test suite: which files are tests, and the substitutions they use."""

import ctypes
import importlib.util
import os
import pathlib
import platform
import shlex
import shutil
import signal
import socket
import subprocess
import sys
import tempfile

import lit.formats


def hindrance_to_clean_roots():
    """Why no clean root can be made of Debian's packages; None where it can."""
    for command in ("mmdebstrap", "lintian", "cpack"):
        if not shutil.which(command):
            return f"{command} is not installed"
    if subprocess.run(["unshare", "--mount", "true"], stderr=subprocess.DEVNULL).returncode != 0:
        return "nothing may be mounted"
    try:
        socket.create_connection(("deb.debian.org", 80), timeout=2).close()
    except OSError as error:
        return f"deb.debian.org: {error.strerror or error}"
    return None


def folder_of_own_python():
    """A folder where python3 is the Python that runs lit. What PATH has may be a script that looks for one, as pyenv's is,
    which takes longer than Python's start, and tests start it a thousand times."""
    folder = pathlib.Path(config.test_exec_root, "python")
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.NamedTemporaryFile("w", dir=folder, delete=False) as script:
        script.write(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} "$@"\n')
    os.chmod(script.name, 0o755)
    os.replace(script.name, folder / "python3")  # another lit may be running tests of this build
    return str(folder)


# Shells start what runs in the background, and nohup what stays, with some signals ignored, which programs inherit.
for number in (signal.SIGHUP, signal.SIGINT, signal.SIGQUIT):
    if signal.getsignal(number) == signal.SIG_IGN:
        signal.signal(number, signal.SIG_DFL)

config.name = "Minas"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".test", ".c"]
config.excludes = ["Inputs", "unit"]
config.test_source_root = os.path.join(config.minas_source, "test")
config.test_exec_root = os.path.join(config.minas_build, "test")

# --param tools=DIR: test the tools of another build.
build_bin = lit_config.params.get("tools", os.path.join(config.minas_build, "bin"))
config.environment["PATH"] = os.pathsep.join(
    [build_bin, config.llvm_bin, folder_of_own_python(), os.environ["PATH"]]
)
config.environment["FILECHECK_OPTS"] = "--dump-input=fail --color=0"
for variable in ("HOME", "XDG_CACHE_HOME"):  # where the guest's kernel is kept
    if variable in os.environ:
        config.environment[variable] = os.environ[variable]
config.environment["MINAS_GUESTS"] = os.path.join(config.minas_build, "guests")
config.environment["MINAS_GUEST_TURNS"] = "1"
for variable in ("OMP_NUM_THREADS", "OMP_PROC_BIND", "OMP_PLACES", "MAI_REPORT"):
    config.environment.pop(variable, None)
# Tests run side by side, and are to find the same CPUs free each time.
config.environment["MAI_NEIGHBOURS"] = "0"
# There a thread that waits for another keeps that from running as long as it spins: libgomp's and LLVM's do so for
# milliseconds. They spin here, too, but go to sleep soon.
config.environment["GOMP_SPINCOUNT"] = "1000"
config.environment["KMP_BLOCKTIME"] = "0"

# --param variables=N, --param locale=NAME: in environments of other sizes and in other locales.
for number in range(int(lit_config.params.get("variables", 0))):
    config.environment[f"MINAS_TEST_VARIABLE_{number}"] = "x" * (number * 7 % 400)
if "locale" in lit_config.params:
    config.environment["LC_ALL"] = lit_config.params["locale"]
    if "LOCPATH" in os.environ:
        config.environment["LOCPATH"] = os.environ["LOCPATH"]

include = os.path.join(config.minas_source, "include")
libraries = " ".join(
    f"-L{d} -Wl,-rpath,{d}"
    for d in (os.path.join(config.minas_build, sub) for sub in ("mai", "numarch"))
)
sanitize = f" -fsanitize={config.sanitize}" if config.sanitize else ""

# %{fuzzer}, %{fuzzer-cxx}: compile a target of libFuzzer.  %{run-fuzzer}: and run it, twice as fast as the sanitizers' own settings do.
# Clang's libraries have no sanitizer, and do not unpoison what LLVM's headers in the tools poison.
fuzzed = "-g -O1 -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=all"
quick = (
    "allow_user_poisoning=0:malloc_context_size=0:max_malloc_fill_size=0:detect_stack_use_after_return=0"
    ":quarantine_size_mb=1:thread_local_quarantine_size_kb=64"
)

# %{gcc}, %{clang}: compile an OpenMP program strictly.  %{mai}: and link it with MAi.  %{sanitize}: as the libraries are built.
warnings = "-std=gnu11 -O2 -Wall -Wextra -Werror"
config.substitutions += [
    ("%{gcc}", f"gcc -fopenmp {warnings}{sanitize}"),
    ("%{clang}", f"{config.llvm_bin}/clang -fopenmp=libomp {warnings}{sanitize}"),
    ("%{sanitize}", sanitize),
    ("%{clang-program}", f"{config.llvm_bin}/clang"),
    ("%{llvm-libraries}", os.path.join(os.path.dirname(config.llvm_bin), "lib")),
    ("%{fuzzer}", f"{config.llvm_bin}/clang -std=gnu11 -D_GNU_SOURCE {fuzzed}"),
    ("%{fuzzer-cxx}", f"{config.llvm_bin}/clang++ -std=c++20 -Wno-deprecated-declarations {fuzzed}"),
    ("%{run-fuzzer}", f"env ASAN_OPTIONS={quick}"),
    ("%{mai}", f"-I{include} {libraries} -lmai"),
    ("%{mai-compat}", f"-I{include} {libraries} -lmai_compat -lmai"),
    ("%{libmai}", os.path.join(config.minas_build, "mai", "libmai.so")),
    ("%{numarch_library}", os.path.join(config.minas_build, "numarch", "libnumarch.so")),
    ("%{include}", include),
    ("%{build}", config.minas_build),
    ("%{source}", config.minas_source),
    ("%{unit}", os.path.join(config.minas_build, "test", "unit")),
    # Threads that wait there do so asleep: a CPU that spins takes the emulator's time from those that work.
    (
        "%{guest}",
        os.path.join(config.minas_source, "test", "guest", "run") + " --env OMP_WAIT_POLICY=passive",
    ),
]

# How long libFuzzer tries a target: --param seconds=60 or, before a release, --param runs=10000000.
limit = r"-runs=\1"
if "runs" in lit_config.params:
    limit = "-runs=" + lit_config.params["runs"]
elif "seconds" in lit_config.params:
    limit = "-max_total_time=" + lit_config.params["seconds"]
config.substitutions.append((r"%{runs:(\d+)}", limit + " -seed=1 -rss_limit_mb=2048 -print_final_stats=1"))
# How many random graphs of tasks each run-time is to run: --param graphs=10000.
config.substitutions.append((r"%{graphs:(\d+)}", lit_config.params.get("graphs", r"\1")))
# How many random instructions a processor is to judge: --param steps=100000.
config.substitutions.append((r"%{steps:(\d+)}", lit_config.params.get("steps", r"\1")))
config.substitutions.append(("%{corpora}", os.path.join(config.minas_source, "test", "fuzz", "corpora")))

# The guest needs QEMU and an x86-64 machine; everything else is needed to build anyway.
if shutil.which("qemu-system-x86_64") and platform.machine() == "x86_64":
    config.available_features.add("guest")
if shutil.which("mpicc") and shutil.which("ompi_info"):
    config.available_features.add("openmpi")
if shutil.which("mpicc.mpich") and shutil.which("mpiexec.hydra"):
    config.available_features.add("mpich")
slurm = os.path.join(os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache"), "minas/guest/slurm")
if os.path.isdir(slurm):  # fetched by scripts/guest-slurm
    config.available_features.add("slurm")
    config.substitutions.append(("%{slurm}", slurm))
if shutil.which("gfortran"):
    config.available_features.add("gfortran")
if shutil.which("chromium-headless-shell") or shutil.which("chromium"):
    config.available_features.add("chromium")
if os.path.exists(os.path.join(config.minas_build, "completions", "written")):
    config.available_features.add("completions")
# Debian's, or a wheel beside this Python.
for python, found in ((sys.executable, importlib.util.find_spec("sklearn")),
                      ("/usr/bin/python3", os.path.exists("/usr/lib/python3/dist-packages/sklearn"))):
    if found:
        config.available_features.add("sklearn")
        config.substitutions.append(("%{sklearn}", python))
        break
if shutil.which("ccache"):
    config.available_features.add("ccache")
# The kernel may refuse samples, by kernel.perf_event_paranoid or in a container. The tests of samples are none of this
# machine's then, so none that is skipped. Asked is for a software event of the calling thread's own code.
if platform.machine() == "x86_64":
    attributes = (1).to_bytes(4, "little") + (112).to_bytes(4, "little") + bytes(32) + (0x60).to_bytes(8, "little") + bytes(64)
    event = ctypes.CDLL(None, use_errno=True).syscall(298, attributes, 0, -1, -1, 8)  # perf_event_open()
    if event >= 0:
        os.close(event)
        config.available_features.add("samples")
    else:
        lit_config.note("tests of samples are left out: perf_event_open(): " + os.strerror(ctypes.get_errno()))
        config.excludes += [test.name for test in pathlib.Path(config.test_source_root).glob("*/*.test")
                            if "REQUIRES: samples" in test.read_text(encoding="utf-8")]
hindrance = hindrance_to_clean_roots()
if hindrance is None:
    config.available_features.add("clean-root")
else:
    lit_config.note("the test of packages is left out: " + hindrance)
    config.excludes.append("packages.test")
if config.sanitize:
    config.available_features.add("sanitizer")
if "fuzzer-no-link" not in config.sanitize_tools:
    # It is tried on the tools' own objects, in a build that tells libFuzzer what they reach.
    config.excludes.append("fuzzed-reports.test")
if config.sanitize_tools:
    # Clang's libraries have no sanitizer, and do not unpoison what LLVM's headers in the tools poison.
    config.environment["ASAN_OPTIONS"] = "allow_user_poisoning=0"
