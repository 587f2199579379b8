"""Checks that what a text names in the repository exists: existing.py <source>, the names on standard input.

Names with a slash, or an ending, are paths: from the top, with `*`, or of a file that is somewhere.  Others are
something else, and what lies in build/ is there only once it was made.
"""
import glob
import os
import re
import sys


def file_names(root):
    names = set()
    for folder, folders, files in os.walk(root):
        folders[:] = [name for name in folders if name not in ("build", ".git")]
        names.update(files)
    return names


def main(root):
    names = file_names(root)
    paths = [name for name in sys.stdin.read().split() if "/" in name or re.search(r"\.[a-zA-Z]+$", name)]
    paths = [path for path in paths if not path.startswith("build/")]
    missing = [path for path in paths if not glob.glob(os.path.join(root, path)) and path not in names]
    print("\n".join("no such path: " + path for path in missing) or "%d paths, all there" % len(paths))
    return bool(missing)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
