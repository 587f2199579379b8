"""The options of the commands, as their --help tells them."""

import re
import subprocess
from dataclasses import dataclass, field


# LLVM's own, which nobody needs.
PASSED_OVER = ("--help-list", "--color")
BRIEF = ["-h"]
# What is a part of minas.
OF_THE_FRONT = ("advise", "doctor")


@dataclass
class Option:
    names: list  # such as ["-o", "--output"]
    takes_value: bool
    value_follows: bool  # "--name=VALUE" where there is no "--name VALUE"
    purpose: str
    choices: list = field(default_factory=list)


@dataclass
class Command:
    name: str
    options: list
    commands: dict = field(default_factory=dict)  # those that may stand behind it


def help_of(words):
    return subprocess.run([*words, "--help"], capture_output=True, text=True, check=True).stdout


def name_and_value(text):
    """"--map FILE" is the name --map and the value FILE."""
    found = re.fullmatch(r"(-{1,2}[\w][\w+-]*)(\[?[= ]?)(.*)", text)
    return found.groups() if found else (None, "", "")


def option_of(head, purpose):
    names, joins, values = [], [], []
    for part in head.split(", "):
        name, join, value = name_and_value(part)
        if not name:
            return None
        names.append(name)
        joins.append(join)
        values.append(value)
    value = values[-1]
    choices = value.strip("[]").split("|") if re.fullmatch(r"\[?[a-z|-]+\]?", value) else []
    return Option(names, bool(value), "=" in joins[-1], purpose, choices)


def options_of(text):
    """Lines such as "  -o <file>  - write it there", "  -m, --map FILE  a map", "    =places  -  a form"."""
    found = []
    for line in text.splitlines():
        head, *rest = re.split(r" +- +| {2,}", line.strip(), maxsplit=1)
        if line.startswith(" ") and head.startswith("=") and found:
            found[-1].choices.append(head[1:])
            continue
        option = option_of(head, rest[0] if rest else "") if re.match(" {2,6}-", line) else None
        same = [each for each in found if option and each.names == option.names]
        if same:
            same[0].choices += option.choices
            same[0].takes_value = False  # "--measure" and "--measure=quick"
        elif option and option.names[0] not in PASSED_OVER:
            found.append(option)
    return found


def commands_of(text):
    """The part SUBCOMMANDS of LLVM's command lines."""
    part = text.partition("SUBCOMMANDS:")[2].partition("OPTIONS:")[0]
    return re.findall(r"^  (\w+) +- ", part, re.MULTILINE)


def read_tool(path, name):
    text = help_of([path])
    tool = Command(name, options_of(text))
    if not any(BRIEF[0] in option.names for option in tool.options):
        tool.options.append(Option(BRIEF, False, False, "print what is needed most, with examples"))
    for each in commands_of(text):
        tool.commands[each] = Command(each, options_of(help_of([path, each])))
    return tool


def read_front(path, tools):
    """`minas`, behind which the others stand."""
    text = help_of([path])
    front = Command("minas", [Option(["-h", "--help"], False, False, "what there is"),
                              Option(["--version"], False, False, "the version")])
    for name, tool in re.findall(r"^  (\w+) +((?:m\w+-\w+|maicc|numarch)?) +\S", text, re.MULTILINE):
        known = tools.get(tool)
        front.commands[name] = Command(name, known.options if known else [])
    for name in OF_THE_FRONT:
        front.commands[name] = Command(name, options_of(help_of([path, name])))
    return front


def read_all(folder, names):
    tools = {name: read_tool(f"{folder}/{name}", name) for name in names if name != "minas"}
    if "minas" in names:
        tools["minas"] = read_front(f"{folder}/minas", tools)
    return tools
