#!/usr/bin/env python3
"""Compares how the commands behave: -h, --help, --version, misspelt options, exit statuses.

manners.py COMMAND...: of one or two words, such as 'minas doctor'. What is wrong is printed, a line each; the
exit status is 1 then.
"""

import re
import subprocess
import sys

MOST_LINES = 25
WIDEST = 100

# What maicc does not know is for the compiler.
PASSES_ON = {"maicc"}
# These print no text of their own.
WITHOUT_JSON = {"mai-picture", "mai-run", "minas"}
# It becomes another command, which takes these options.
BECOMES_OTHERS = {"minas"}
# What a file that is not there is to be given as.
READERS = {
    "mai-map": ["{}"],
    "mai-names": ["{}"],
    "mai-picture": ["{}"],
    "mai-run": ["-p", "@{}", "true"],
    "mai-trace": ["info", "{}"],
    "mapp-rewrite": ["{}"],
    "numarch": ["--svg", "--report={}"],
}


def run(command, *words):
    done = subprocess.run([*command.split(), *words], capture_output=True, text=True, stdin=subprocess.DEVNULL)
    return done.returncode, done.stdout, done.stderr


def faults_of_brief(command):
    status, text, _ = run(command, "-h")
    lines = text.splitlines()
    if status != 0:
        yield f"-h: status {status}, not 0"
    if not 5 < len(lines) <= MOST_LINES:
        yield f"-h: {len(lines)} lines, not up to {MOST_LINES}"
    if any(len(line) > WIDEST for line in lines):
        yield f"-h: a line has more than {WIDEST} characters"
    if "Examples:" not in text:
        yield "-h: no examples"


def faults_of_information(command):
    status, text, _ = run(command, "--help")
    if status != 0 or "--version" not in text or "--help" not in text:
        yield f"--help: status {status}, or it does not name --version"
    status, text, _ = run(command, "--version")
    own = text.strip().splitlines()[-1] if text.strip() else ""
    if status != 0 or not re.match(rf"{re.escape(command)} \(Minas\) \d+\.\d+\.\d+(, .*)?$", own):
        yield f"--version: status {status}, '{own}'"


def version_of(command):
    found = re.search(r"\(Minas\) ([\d.]+)", run(command, "--version")[1])
    return found.group(1) if found else None


def faults_of_misuse(command):
    status, text, error = run(command, "--versoin")
    if status != 2 or text:
        yield f"a wrong option: status {status}, not 2, or standard output is used"
    if not re.search(r"[Dd]id you mean '--version'\?", error):
        yield "a wrong option: it does not say which may be meant"
    if not error.startswith(f"{command}: "):
        yield "a wrong option: the message does not begin with the command's name"


def faults_of_amount(command):
    """-q and -v are known everywhere, and --json where there is text."""
    text = run(command, "--help")[1] + run(command, "-h")[1]
    for short, long in (("-q", "--quiet"), ("-v", "--verbose")):
        if command not in BECOMES_OTHERS and (long not in text or run(command, short, "--version")[0] != 0):
            yield f"{short}: it is not known"
    if command not in WITHOUT_JSON and "--json" not in text:
        yield "--json: it is not known"


def faults_of_input(command):
    words = [word.format("/nowhere/none.maiprof") for word in READERS[command]]
    status, _, error = run(command, *words)
    if status != 3 or "none.maiprof" not in error:
        yield f"a file that is not there: status {status}, not 3, or it is not named"


def faults(command):
    yield from faults_of_brief(command)
    yield from faults_of_information(command)
    if command in PASSES_ON:
        return
    yield from faults_of_misuse(command)
    yield from faults_of_amount(command)
    if command in READERS:
        yield from faults_of_input(command)


def main():
    wrong = [f"{command}: {fault}" for command in sys.argv[1:] for fault in faults(command)]
    if len({version_of(command) for command in sys.argv[1:]}) > 1:
        wrong.append("the commands do not have one version")
    print("\n".join(wrong) or f"{len(sys.argv) - 1} commands behave alike")
    return 1 if wrong else 0


sys.exit(main())
