# Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reads manifests of studies: which programs, and on which machines; docs/evaluation.md describes them.

What is wrong in one is said with file, line, what was expected and what was found.
"""

import re
from dataclasses import dataclass, field
from pathlib import Path

import yaml

from .common import EvaluationError
from .metrics import METRICS
from .scenarios import SCENARIOS, Level

COMPILERS = ("gcc", "clang")
COUNTINGS = ("traced", "joined")
SETS = ("development", "judge")
MOST_CPUS = 128  # of a virtual machine
HOST = "host"
OWN_FACTORS = ("machine", "program", "compiler", "scenario")  # of every study
SHARED = "<<"  # YAML's own name of members that several mappings have
NAME = r"[A-Za-z0-9][A-Za-z0-9._+-]*"


@dataclass
class Origin:
    """Where sources come from: a folder, a commit of a git repository, a version of Debian's package."""

    kind: str = "folder"
    place: str = "."
    version: str = None


@dataclass
class Verification:
    """What shows that a run has computed what it should."""

    text: str = None
    same_output: bool = False
    tolerance: float = 0.0
    ignore: list = field(default_factory=list)


@dataclass
class Program:
    name: str
    base: Path = None  # the manifest's folder
    origin: Origin = field(default_factory=Origin)
    digest: str = None
    licence: str = None
    set: str = None
    sources: list = field(default_factory=list)
    build: str = None
    program: str = None
    flags: list = field(default_factory=list)
    libraries: list = field(default_factory=list)
    arguments: list = field(default_factory=list)
    training: list = None  # the arguments of a smaller run
    inputs: list = field(default_factory=list)
    environment: dict = field(default_factory=dict)
    verify: Verification = None
    time: re.Pattern = None
    count: re.Pattern = None  # of something that the program counts itself
    cache: str = None
    counting: str = "traced"


@dataclass
class Study:
    programs: list
    machines: list = field(default_factory=lambda: [HOST])
    compilers: list = field(default_factory=lambda: ["gcc"])
    scenarios: list = field(default_factory=lambda: ["first-touch", "interleave", "in-place",
                                                     "in-place-profile"])
    repetitions: int = 1
    threads: int = None
    memory: int = 512
    thp: str = "always"
    timeout: int = 900
    factors: dict = field(default_factory=dict)  # {name: [Level, ...]}
    metrics: list = field(default_factory=lambda: ["remote-share", "seconds"])
    seed: int = 1  # of the order of runs
    published: list = field(default_factory=list)
    notes: list = field(default_factory=list)


@dataclass(frozen=True)
class Published:
    """What others have found: which share of a metric's variation a term explains."""

    metric: str
    term: str
    share: tuple  # (least, most)
    source: str


def refuse(node, expected, found=None):
    mark = node.start_mark
    raise EvaluationError(f"{mark.name}:{mark.line + 1}: expected {expected}, found {found or shown(node)}")


def shown(node):
    if isinstance(node, yaml.ScalarNode):
        return f"'{node.value}'"
    return "a list" if isinstance(node, yaml.SequenceNode) else "a mapping"


#===-- Readers of values: of a node, what it says, or a refusal ------------------===


def matching(pattern, expected):
    def read(node):
        if not isinstance(node, yaml.ScalarNode) or not re.fullmatch(pattern, node.value, re.DOTALL):
            refuse(node, expected)
        return node.value

    return read


text = matching(r".+", "a text")


def one_of(words):
    return matching("|".join(map(re.escape, words)), " or ".join(words))


def whole_number(most):
    digits = matching(r"[1-9]\d{0,8}", f"a number from 1 to {most}")

    def read(node):
        if int(digits(node)) > most:
            refuse(node, f"a number from 1 to {most}")
        return int(node.value)

    return read


def part(node):
    """A number from 0 to 1."""
    value = matching(r"(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?", "a number from 0 to 1")(node)
    if float(value) > 1:
        refuse(node, "a number from 0 to 1")
    return float(value)


def list_of(item, what):
    def read(node):
        if not isinstance(node, yaml.SequenceNode) or not node.value:
            refuse(node, f"a list of {what}")
        return [item(each) for each in node.value]

    return read


def pattern(node):
    try:
        return re.compile(text(node))
    except re.error as error:
        refuse(node, f"a regular expression ({error})")


def own_members(node, what, names):
    """{member: value} of a mapping that may have members of these names."""
    if not isinstance(node, yaml.MappingNode):
        refuse(node, f"{what}, a mapping")
    result = {}
    for key, value in node.value:
        if not isinstance(key, yaml.ScalarNode) or key.value not in names:
            refuse(key, f"a member of {what}: {', '.join(names)}")
        if key.value in result:
            refuse(key, f"{key.value} once in {what}", f"'{key.value}' again")
        result[key.value] = value
    return result


def all_members(node, what, names, inside=()):
    """{member: node} of a mapping; what it does not have is taken from its "<<", which may have one, too."""
    if node in inside:
        refuse(node, f"{what} that is not part of itself")
    found = own_members(node, what, [*names, SHARED])
    if SHARED in found:
        found = all_members(found.pop(SHARED), what, names, (*inside, node)) | found
    return found


def members(node, what, readers):
    """{member: value} of a mapping whose members these readers read."""
    return {name: readers[name](value) for name, value in all_members(node, what, list(readers)).items()}


def variables(node):
    if not isinstance(node, yaml.MappingNode):
        refuse(node, "variables, a mapping of texts")
    name = matching(r"[A-Za-z_][A-Za-z0-9_]*", "the name of a variable")
    value_of = matching(r".*", "a text")
    return {name(key): value_of(value) for key, value in node.value}


def machine(node):
    value = matching(rf"{HOST}|[1-9]\d{{0,2}}x[1-9]\d{{0,2}}",
                     f"a machine, {HOST} or nodes x CPUs such as 4x2")(node)
    if value != HOST:
        nodes, cores = map(int, value.split("x"))
        if nodes * cores > MOST_CPUS:
            refuse(node, f"at most {MOST_CPUS} CPUs", f"'{value}', which are {nodes * cores}")
    return value


cache_size = matching(r"[1-9]\d{0,8}[KMG]?", "bytes such as 64K or 1M")


#===-- Programs ------------------------------------------------------------------===


def origin(node):
    """One of folder, git and debian; the latter two with a version."""
    found = members(node, "the origin", {"folder": text, "git": text, "debian": text, "version": text})
    kinds = [kind for kind in ("folder", "git", "debian") if kind in found]
    if len(kinds) != 1:
        refuse(node, "one of folder, git and debian", " and ".join(kinds) or "none of them")
    if kinds[0] != "folder" and "version" not in found:
        refuse(node, f"the version of {found[kinds[0]]}", "none")
    return Origin(kinds[0], found[kinds[0]], found.get("version"))


def verification(node):
    found = members(node, "verify", {
        "text": text, "output": one_of(["same"]), "tolerance": part,
        "ignore": list_of(pattern, "regular expressions")})
    if not {"text", "output"} & found.keys():
        refuse(node, "text: or output: same", "neither")
    return Verification(found.get("text"), "output" in found, found.get("tolerance", 0.0),
                        found.get("ignore", []))


PROGRAM = {
    "name": matching(NAME, "a name of letters, digits and any of ._+-"),
    "origin": origin,
    "digest": matching(r"[0-9a-f]{64}", "64 hexadecimal digits"),
    "licence": text,
    "set": one_of(SETS),
    "sources": list_of(text, "files"),
    "build": text,
    "program": text,
    "flags": list_of(text, "options of the compiler"),
    "libraries": list_of(text, "options of the linker"),
    "arguments": list_of(text, "arguments"),
    "training": list_of(text, "arguments"),
    "inputs": list_of(text, "files"),
    "environment": variables,
    "verify": verification,
    "time": pattern,
    "count": pattern,
    "cache": cache_size,
    "counting": one_of(COUNTINGS),
}


def program(node):
    found = members(node, "a program", PROGRAM)
    for needed in ("name", "verify"):
        if needed not in found:
            refuse(node, f"the program to have a member {needed}", "none")
    if ("sources" in found) == ("build" in found):
        refuse(node, "either sources or build", "both" if "build" in found else "neither")
    if ("build" in found) != ("program" in found):
        refuse(node, "build, and program: what it makes", "one of the two")
    if found.get("counting") == "joined" and len(found.get("sources", ())) != 1:
        refuse(node, "counting: traced, as joined is for programs of one source", "'joined'")
    if "cache" in found and found.get("counting") != "joined":
        refuse(node, "counting: joined for a program with a cache", "'traced'")
    for name in ("time", "count"):
        if name in found and found[name].groups != 1:
            refuse(node, f"the {name}'s regular expression to have one group", f"{found[name].groups}")
    return Program(base=Path(node.start_mark.name).resolve().parent, **found)


def programs(node):
    result = list_of(program, "programs")(node)
    seen = set()
    for each, where in zip(result, node.value):
        if each.name in seen:
            refuse(where, "programs of different names", f"'{each.name}' again")
        seen.add(each.name)
    return result


#===-- Designs -------------------------------------------------------------------===


def level(name, node):
    found = members(node, "a level", {
        "environment": variables, "arguments": list_of(text, "arguments"),
        "mai-run": list_of(text, "options of mai-run")})
    return Level(name, tuple(found.get("environment", {}).items()), tuple(found.get("arguments", ())),
                 tuple(found["mai-run"]) if "mai-run" in found else None)


def named(node, what, read):
    """{name: what is read of it} of a mapping with names of its own."""
    if not isinstance(node, yaml.MappingNode):
        refuse(node, what)
    name = matching(NAME, "a name of letters, digits and any of ._+-")
    result = {}
    for key, value in node.value:
        if name(key) in result:
            refuse(key, f"{key.value} once", f"'{key.value}' again")
        result[key.value] = read(key.value, value)
    return result


def factor(name, node):
    if name in OWN_FACTORS:
        refuse(node, f"a name that no factor has: {', '.join(OWN_FACTORS)} are there always", f"'{name}'")
    levels = list(named(node, "levels, a mapping of their names", level).values())
    if len(levels) < 2:
        refuse(node, "a factor with two levels", f"{len(levels)}")
    return levels


def factors(node):
    return named(node, "factors, a mapping of their names", factor)


def published(node):
    found = members(node, "what was published", {
        "metric": one_of(list(METRICS)), "term": text, "share": list_of(part, "numbers from 0 to 1"), "source": text})
    missing = next((name for name in ("metric", "term", "share", "source") if name not in found), None)
    if missing:
        refuse(node, f"what was published to have a member {missing}", "none")
    if len(found["share"]) != 2:
        refuse(node, "share: the least and the most", f"{len(found['share'])} numbers")
    return Published(found["metric"], found["term"], tuple(found["share"]), found["source"])


STUDY = {
    "machines": list_of(machine, "machines"),
    "compilers": list_of(one_of(COMPILERS), "compilers"),
    "scenarios": list_of(one_of(list(SCENARIOS)), "scenarios"),
    "repetitions": whole_number(1000),
    "threads": whole_number(1024),
    "memory": whole_number(1 << 20),
    "thp": one_of(["always", "madvise", "never"]),
    "timeout": whole_number(86400),
    "factors": factors,
    "metrics": list_of(one_of(list(METRICS)), "metrics"),
    "seed": whole_number(999999999),
    "published": list_of(published, "what was published"),
    "notes": list_of(text, "sentences"),
    "programs": programs,
}


def document(path):
    """The root of a file's tree of nodes."""
    try:
        content = path.read_text(encoding="utf-8")
    except OSError as error:
        raise EvaluationError(f"{path}: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise EvaluationError(f"{path}: expected UTF-8, found other bytes at offset {error.start}") from error
    loader = yaml.SafeLoader(content)
    loader.name = str(path)
    try:
        root = loader.get_single_node()
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        raise EvaluationError(f"{path}:{mark.line + 1}: expected YAML, found {error.problem}") from error
    except (yaml.YAMLError, RecursionError) as error:
        raise EvaluationError(f"{path}:1: expected YAML, found {error}") from error
    finally:
        loader.dispose()
    if root is None:
        raise EvaluationError(f"{path}:1: expected a study, a mapping, found nothing")
    return root


def read_study(path):
    root = document(Path(path))
    found = members(root, "a study", STUDY)
    if "programs" not in found:
        refuse(root, "the study to have programs", "none")
    return Study(**found)
