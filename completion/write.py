#!/usr/bin/env python3
"""Writes completions of the commands for bash, zsh and fish, from what their --help tells.

write.py PROGRAMS COMPLETIONS COMMAND...: the commands lie in the folder PROGRAMS; the folder COMPLETIONS gets bash/COMMAND,
zsh/_COMMAND and fish/COMMAND.fish.
"""

import pathlib
import re
import shlex
import sys

from options import read_all


def names_of(options):
    return [name for option in options for name in option.names]


def function_of(command):
    return "_" + re.sub(r"\W", "_", command.name)


# bash


def bash_choices(options):
    for option in options:
        if option.choices:
            words = " ".join(option.choices)
            yield f"    {'|'.join(option.names)}) words={shlex.quote(words)} ;;"


def bash_part(options, commands=()):
    words = " ".join([*commands, *names_of(options)])
    choices = "\n".join(bash_choices(options))
    return f"  words={shlex.quote(words)}\n" + (f"  case $before in\n{choices}\n  esac\n" if choices else "")


def bash(command):
    parts = "".join(
        f"  if [[ ${{COMP_WORDS[1]}} == {name} && $COMP_CWORD -gt 1 ]]; then\n{bash_part(each.options)}  fi\n"
        for name, each in command.commands.items()
    )
    return f"""# Completion of {command.name} for bash, made from its --help.
{function_of(command)}() {{
  local now=${{COMP_WORDS[COMP_CWORD]}} before=${{COMP_WORDS[COMP_CWORD-1]}} words
  if [[ $now == = ]]; then now=; elif [[ $before == = ]]; then before=${{COMP_WORDS[COMP_CWORD-2]}}; fi
{bash_part(command.options, command.commands)}{parts}  COMPREPLY=($(compgen -W "$words" -- "$now"))
}}
complete -o default -F {function_of(command)} {command.name}
"""


# zsh


def zsh_option(option):
    purpose = re.sub(r"([\[\]:'`\\])", " ", option.purpose)
    for name in option.names:
        equals = "=" if option.value_follows and name.startswith("--") else ""
        value = ""
        if option.choices:
            value = f":value:({' '.join(option.choices)})"
        elif option.takes_value:
            value = ":value:_files"
        yield shlex.quote(f"{name}{equals if value else ''}[{purpose}]{value}")


def zsh_options(options):
    return " ".join(each for option in options for each in zsh_option(option))


def zsh(command):
    cases = "".join(
        f"  {name}) _arguments {zsh_options(each.options)} '*:file:_files'; return ;;\n"
        for name, each in command.commands.items()
    )
    inner = f"case $words[2] in\n{cases}esac\n" if cases else ""
    first = f"'1:command:({' '.join(command.commands)})' " if command.commands else ""
    return f"""#compdef {command.name}
# Completion of {command.name} for zsh, made from its --help.
{inner}_arguments {zsh_options(command.options)} {first}'*:file:_files'
"""


# fish


def fish_option(command, option, condition):
    words = ["complete", "-c", command, *condition]
    for name in option.names:
        words += ["-l", name[2:]] if name.startswith("--") else ["-s", name[1:]]
    if option.takes_value:
        words += ["-r"]
    if option.choices:
        words += ["-x", "-a", " ".join(option.choices)]
    return shlex.join([*words, "-d", option.purpose.replace("'", " ")])


def fish(command):
    lines = [f"# Completion of {command.name} for fish, made from its --help."]
    lines += [fish_option(command.name, option, []) for option in command.options]
    if command.commands:
        first = ["-n", "__fish_use_subcommand", "-a", " ".join(command.commands)]
        lines.append(shlex.join(["complete", "-c", command.name, *first]))
    for name, each in command.commands.items():
        condition = ["-n", f"__fish_seen_subcommand_from {name}"]
        lines += [fish_option(command.name, option, condition) for option in each.options]
    return "\n".join(lines) + "\n"


def main():
    programs, folder, *names = sys.argv[1:]
    tools = read_all(programs, names)
    for shell, name_of, write in (("bash", "{}", bash), ("zsh", "_{}", zsh), ("fish", "{}.fish", fish)):
        place = pathlib.Path(folder) / shell
        place.mkdir(parents=True, exist_ok=True)
        for name, command in tools.items():
            (place / name_of.format(name)).write_text(write(command))


main()
