"""Tells where the recipes for Spack and EasyBuild differ from the build, in the sources at the folder given.

usage: recipes.py SOURCE"""

import ast
import pathlib
import re
import sys

source = pathlib.Path(sys.argv[1])
build = "".join(path.read_text() for path in [source / "CMakeLists.txt", source / "cmake/MinasDependencies.cmake",
                                              source / "sample/CMakeLists.txt"])
version = re.search(r"project\(Minas VERSION ([0-9.]+)", build)[1]
options = set(re.findall(r"option\((MINAS_\w+)", build))

# What the build looks for, as CMake and pkg-config call it, and as recipes do.
LIBRARIES = {"hwloc": "hwloc", "numa": "numactl", "jansson": "jansson", "libpng": "libpng", "zlib": "zlib",
             "MINAS_ZSTD": "zstd", "lemon": "lemon", "scotch": "scotch", "Clang": "llvm|clang"}
# EasyBuild builds without mai-map, whose libraries it does not have.
LEFT_OUT = {".eb": {"lemon", "scotch"}}

wrong = []
recipes = [source / "packaging/spack/package.py", *(source / "packaging/easybuild").glob("*.eb")]
for recipe in recipes:
    text = recipe.read_text()
    tell = lambda what: wrong.append(f"{recipe.name}: {what}")
    words = [node.value for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Constant) and isinstance(node.value, str)]
    if version not in words:
        tell(f"its version is not {version}")
    for option in sorted({option for word in words for option in re.findall(r"MINAS_\w+", word)} - options):
        tell(f"CMakeLists.txt has no option {option}")
    for found, name in LIBRARIES.items():
        if found not in build:
            tell(f"the build does not look for {found} any more")
        elif found not in LEFT_OUT.get(recipe.suffix, ()) and not any(re.match(name, word, re.IGNORECASE) for word in words):
            tell(f"{name} is missing")

print("\n".join(wrong) or f"{len(recipes)} recipes agree with the build")
sys.exit(bool(wrong))
