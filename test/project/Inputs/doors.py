"""Checks which folders of sources need which: by the symbols of the objects that were built, and by includes.

doors.py <source> <build> <table>: the table stands in a Markdown file, between lines "```doors" and "```".
It has a line a folder, "folder: what it may need", and two with exceptions:
"compiled twice: sources" and "not built: sources".
"""
import collections
import json
import os
import re
import subprocess
import sys

MOST_SOURCES = 25
MOST_IN_A_CIRCLE = 3

TWICE, NOT_BUILT = "compiled twice", "not built"

# Defined in order to stand in front of others': who calls them means those.
REPLACED = re.compile(r"_*(GOMP_|kmpc_|omp_|tsan_|pthread_|thrd_|sig|bsd_signal|sysv_signal)|"
                      r"(malloc|calloc|realloc|free|aligned_alloc|memalign|posix_memalign|valloc|pvalloc|reallocarray|"
                      r"prctl|syscall|_exit|_Exit|dlopen|dlmopen|dlclose|v?fork|exec\w*|fexecve|posix_spawnp?|popen|"
                      r"system|mmap|munmap|mremap|mem\w+|str\w+|abort|main)$")


def folder_of(path):
    return os.path.dirname(path)


def compiled_by(path):
    """The sources that a compiled file stands for: CMake has files that include several of one folder."""
    if os.path.basename(os.path.dirname(path)) != "Unity":
        return [path]
    with open(path) as file:
        return re.findall(r'^#include "(.*)"$', file.read(), re.M)


class Sources:
    """The sources that were built: by object file, and by name."""

    def __init__(self, source, build):
        self.root = os.path.realpath(source)
        self.objects = collections.defaultdict(list)
        with open(os.path.join(build, "compile_commands.json")) as file:
            for command in json.load(file):
                output = re.search(r" -o (\S+)", command["command"])[1]
                for path in compiled_by(command["file"]):
                    self.add(path, os.path.join(command["directory"], output))

    def add(self, path, output):
        name = os.path.relpath(os.path.realpath(path), self.root)
        if not name.startswith(("..", "test/", "bench/", "examples/", "build/")):
            self.objects[name].append(output)

    def is_built(self, name):
        return all(os.path.exists(path) for path in self.objects[name])

    def symbols(self):
        """What each source defines for others, and what it needs.  Weak definitions, such as those of templates, are
        nobody's."""
        built = [name for name in self.objects if self.is_built(name)]
        output = subprocess.run(["nm", "--extern-only", "--print-file-name"] + [self.objects[name][0] for name in built],
                                capture_output=True, text=True, check=True).stdout
        lines = collections.defaultdict(list)
        for line in output.splitlines():
            path, _, rest = line.partition(":")
            lines[path].append(rest.split()[-2:])
        found = dict.fromkeys(self.objects, (set(), set()))
        for name in built:
            symbols = lines[self.objects[name][0]]
            defined = {symbol for kind, symbol in symbols if kind not in "UwvWV"}
            found[name] = defined, {symbol for kind, symbol in symbols if kind in "Uwv"} - defined
        return found

    def includes(self, name):
        with open(os.path.join(self.root, name), errors="replace") as file:
            for include in re.findall(r'^\s*#\s*include "([^"]+)"', file.read(), re.M):
                for path in (os.path.join(folder_of(name), include), include):
                    path = os.path.normpath(path)
                    if os.path.exists(os.path.join(self.root, path)):
                        yield path
                        break


def read_table(path):
    """What each folder may need; what is compiled twice; what is not built."""
    with open(path) as file:
        text = re.search(r"^```doors\n(.*?)^```$", file.read(), re.M | re.S)[1]
    table = {}
    for line in filter(None, (line.partition("#")[0].strip() for line in text.splitlines())):
        folder, _, needs = line.partition(":")
        table[folder.strip()] = needs.split()
    return table, table.pop(TWICE, []), table.pop(NOT_BUILT, [])


def headers_in(root, folders):
    return [os.path.join(folder, name) for folder in folders if os.path.isdir(os.path.join(root, folder))
            for name in sorted(os.listdir(os.path.join(root, folder))) if name.endswith((".h", ".def"))]


def public_functions(root):
    """The header in include/ of each function that one declares."""
    headers = {}
    for header in headers_in(root, ["include"]):
        with open(os.path.join(root, header)) as file:
            headers.update(dict.fromkeys(re.findall(r"(\w+)\(", file.read()), header))
    return headers


def find_needs(sources, table):
    """Which source needs which, and by what.  From outside of a library its public functions are those of include/."""
    public = public_functions(sources.root)
    owner, needed = {}, {}
    for name, (defined, needed[name]) in sources.symbols().items():
        for symbol in defined:
            if not REPLACED.match(symbol):
                owner.setdefault(symbol, name)
    needs = collections.defaultdict(dict)
    for name, symbols in needed.items():
        for symbol in symbols & owner.keys():
            other = owner[symbol]
            if symbol in public and name.split("/")[0] != other.split("/")[0]:
                other = public[symbol]
            if other != name:
                needs[name].setdefault(other, symbol + "()")
    for name in list(sources.objects) + headers_in(sources.root, table):
        for header in sources.includes(name):
            needs[name].setdefault(header, '"%s"' % header)
    return needs


def circles(edges):
    """Strongly connected parts of more than one node (Tarjan)."""
    index, low, stack, found = {}, {}, [], []

    def visit(node):
        index[node] = low[node] = len(index)
        stack.append(node)
        for other in edges.get(node, ()):
            if other not in index:
                visit(other)
            if other in stack:
                low[node] = min(low[node], low[other])
        if low[node] == index[node]:
            part = stack[stack.index(node):]
            del stack[stack.index(node):]
            if len(part) > 1:
                found.append(sorted(part))

    sys.setrecursionlimit(10000)
    for node in list(edges):
        if node not in index:
            visit(node)
    return found


def doors_in(needs):
    """Each way from a folder into another, with an example."""
    doors = {}
    for name in sorted(needs):
        for other, by in sorted(needs[name].items()):
            if folder_of(name) != folder_of(other):
                doors.setdefault((folder_of(name), folder_of(other)), "%s uses %s of %s" % (name, by, other))
    return doors


def wrong_doors(sources, needs, table):
    doors = doors_in(needs)
    for (folder, other), example in doors.items():
        if folder in table and other in table and other not in table[folder]:
            yield "%s needs %s, which the table does not allow: %s" % (folder, other, example)
    built = {folder_of(name) for name in sources.objects}
    for folder in sorted(built & table.keys()):
        for other in table[folder]:
            if other not in table or (other in built and (folder, other) not in doors):
                yield "the table allows %s to need %s, which it does not" % (folder, other)


def wrong_sizes(sources, table):
    counts = collections.Counter(folder_of(name) for name in sources.objects)
    for folder, count in sorted(counts.items()):
        if folder not in table:
            yield "%s is not in the table" % folder
        elif count > MOST_SOURCES:
            yield "%s has %d sources: %d are the most" % (folder, count, MOST_SOURCES)
    for folder in sorted(table):
        if not os.path.isdir(os.path.join(sources.root, folder)):
            yield "%s is in the table and not there" % folder


def wrong_circles(needs):
    folders, files = collections.defaultdict(set), collections.defaultdict(set)
    for folder, other in doors_in(needs):
        folders[folder].add(other)
    for name in needs:
        if name.startswith("mai/"):
            own = os.path.splitext(name)[0]
            files[own].update({os.path.splitext(other)[0] for other in needs[name]} - {own})
    for part in circles(folders):
        yield "folders need each other: " + ", ".join(part)
    for part in circles(files):
        if len(part) > MOST_IN_A_CIRCLE:
            yield "files need each other: " + ", ".join(part)


def wrong_objects(sources, twice, not_built):
    for name in sorted(sources.objects):
        if len(sources.objects[name]) > 1 and name not in twice:
            yield "%s is compiled %d times: link a library that has it" % (name, len(sources.objects[name]))
        if not sources.is_built(name) and name not in not_built:
            yield "%s has not been built: its symbols are not known" % name


def main(source, build, table):
    sources = Sources(source, build)
    table, twice, not_built = read_table(table)
    needs = find_needs(sources, table)
    faults = [*wrong_doors(sources, needs, table), *wrong_sizes(sources, table), *wrong_circles(needs),
              *wrong_objects(sources, twice, not_built)]
    print("\n".join(faults) or "%d folders with %d sources need what they may" % (len(table), len(sources.objects)))
    return bool(faults)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
