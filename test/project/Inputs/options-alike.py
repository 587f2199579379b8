#!/usr/bin/env python3
"""Compares the options of the commands in their --help, their man pages and their completions.

options-alike.py SOURCE BUILD COMMAND...: what one has and another lacks is printed; the exit status is 1 then.
"""

import pathlib
import re
import sys

sys.dont_write_bytecode = True
SOURCE, BUILD, *NAMES = sys.argv[1:]
sys.path.insert(0, f"{SOURCE}/completion")

from options import OF_THE_FRONT, read_all  # noqa: E402


def in_help(command):
    options = list(command.options)
    if command.name != "minas":  # behind which the others stand
        options += [option for each in command.commands.values() for option in each.options]
    else:
        options += [option for name in OF_THE_FRONT for option in command.commands[name].options]
    return {name for option in options for name in option.names}


def manual(name):
    return pathlib.Path(f"{SOURCE}/docs/man/{name}.1").read_text()


def explained(text):
    """Items such as ".It Fl V , -version" and ".It Fl -nodes Ar n"."""
    for item in re.findall(r"^\.It Fl (.*)", text, re.MULTILINE):
        for part in item.split(" , "):
            word = part.removeprefix("Fl ").split()[0]
            if word != "Ns":
                yield "-" + word.rstrip("=")


def named(text):
    return {"-" + word for word in re.findall(r"\bFl (-?[\w+-]+)", text)}


def in_completion(shell, name, option):
    file = {"bash": name, "zsh": f"_{name}", "fish": f"{name}.fish"}[shell]
    text = pathlib.Path(f"{BUILD}/completions/{shell}/{file}").read_text()
    if shell == "fish":
        flag = f"-l {option[2:]}" if option.startswith("--") else f"-s {option[1:]}"
        return re.search(rf" {re.escape(flag)} ", text)
    return re.search(rf"(?<![\w-]){re.escape(option)}(?![\w-])", text)


def faults(command):
    known, text = in_help(command), manual(command.name)
    told = set(explained(text))
    for option in sorted(known - told - named(text)):
        yield f"{command.name}: {option} is not in the manual"
    for option in sorted(told - known):
        yield f"{command.name}: {option} is in the manual, not in --help"
    for shell in ("bash", "zsh", "fish"):
        for option in sorted(known):
            if not in_completion(shell, command.name, option):
                yield f"{command.name}: {option} is not in the completion for {shell}"


def main():
    commands = read_all(f"{BUILD}/bin", NAMES)
    wrong = [fault for command in commands.values() for fault in faults(command)]
    count = sum(len(in_help(command)) for command in commands.values())
    print("\n".join(wrong) or f"{count} options of {len(commands)} commands are alike")
    return 1 if wrong else 0


sys.exit(main())
