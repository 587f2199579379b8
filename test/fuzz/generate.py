# Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes OpenMP programs at random: static and heap arrays, in the constructs of real programs.

What a program prints follows from its text alone: arithmetic is that of unsigned integers, and in no
loop does one iteration write what another reads or writes.  So the program and a rewriting of it
must print the same, whichever compiler made them.

A program is made of items, each a loop or a statement that stands by itself.  generate() leaves out those that it
is told to, with everything else unchanged: that is how a failing program is reduced.
"""

import random
import textwrap

TYPES = {"u8": 1, "u16": 2, "u32": 4, "u64": 8, "int": 4, "long": 8, "unsigned char": 1, "size_t": 8}
THREADS = 8  # rows of arrays with one row a thread

PRELUDE = """\
#ifndef PROGRAM_H
#define PROGRAM_H
#include <omp.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
typedef uint8_t u8;
typedef uint16_t u16;
typedef uint32_t u32;
typedef uint64_t u64;
struct cell {
  u32 x;
  u16 y[3];
  u64 z;
};
#define AT(array, i) (array)[i]
#define FOR(i, n) for (int i = 0; i < (n); i++)
#define DECLARE(type, name, n) static type name[n]
#define NEW(type, n) ((type *)xmalloc(sizeof(type) * (n)))
"""

ALLOCATION = """\
void *xmalloc(size_t bytes) {
  void *memory = malloc(bytes);
  if (!memory)
    exit(3);
  return memset(memory, 0, bytes);
}

void *xsome(size_t bytes) {
  void *memory = NULL;
  if (bytes == 0)
    bytes = 1;
  memory = calloc(1, bytes);
  return memory ? memory : NULL;
}

void *xarray(size_t count, size_t size) {
  return count > SIZE_MAX / size ? NULL : xsome(count * size);
}
"""


class Array:
    """An array, and the ways to write it."""

    def __init__(self, name, element, extents, kind, home):
        self.name, self.element, self.extents = name, element, extents
        self.kind, self.home = kind, home  # home: the file, None where all files see it
        self.prefix = ""  # of a member: its variable
        self.read_only = False

    def is_heap(self):
        return self.kind in ("flat", "rows", "pointers")

    def at(self, rng, indices):
        """The element at these indices."""
        if self.kind == "flat":
            flat = indices[0]
            for extent, index in zip(self.extents[1:], indices[1:]):
                flat = f"({flat}) * {extent} + {index}"
            text = f"{self.whole()}[{flat}]"
        else:
            form = rng.randrange(12)
            last = indices[-1]
            inner = self.prefix + self.name + "".join(f"[{i}]" for i in indices[:-1])
            if form == 0:
                text = f"*({inner} + ({last}))"
            elif form == 1:
                text = f"({last})[{inner}]"
            elif form == 2:
                text = f"AT({inner}, {last})"
            else:
                text = f"{inner}[{last}]"
        if self.element == "struct cell":
            text = f"({text})" + rng.choice([".x", ".z", ".y[1]", ".y[2]"])
        return text

    def declaration(self):
        return f"{self.element} {self.name}" + "".join(f"[{e}]" for e in self.extents)

    def whole(self):
        return self.prefix + self.name


class Generator:
    def __init__(self, seed, without):
        self.rng = random.Random(seed)
        self.without = without
        self.items = 0  # so far
        self.names = 0
        self.files = self.rng.choice([1, 1, 2, 3])
        self.header, self.bodies = [], [[] for _ in range(self.files)]
        self.prototypes, self.calls, self.cleanup = [], [], []
        self.arrays = []

    # Small things.

    def name(self, start):
        self.names += 1
        return f"{start}{self.names}"

    def chance(self, percent):
        return self.rng.randrange(100) < percent

    def item(self, text):
        """The text of an item, or nothing where it is left out."""
        number = self.items
        self.items += 1
        return "" if number in self.without else text

    def constant(self):
        return self.rng.choice(["1u", "3u", "7u", "13u", "255u", "0x9E37u", "UINT64_C(0x9E3779B97F4A7C15)"])

    # Extents: macros, constants, sums of them.

    def make_extents(self):
        rng = self.rng
        self.values = {"N": rng.randrange(40, 200), "M": rng.randrange(9, 70), "L": rng.randrange(3, 9)}
        n, m, l = self.values["N"], self.values["M"], self.values["L"]
        self.header.append(rng.choice([f"#define N {n}", f"#define N ({n - 8} + 8)", f"enum {{ N = {n} }};"]))
        self.header.append(rng.choice([f"#define M {m}", f"#define M (2 * {m // 2} + {m % 2})", f"#define M {m}L"]))
        self.header.append(rng.choice([f"#define L {l}", f"enum {{ L = {l} }};"]))
        self.values.update({"2 * N": 2 * n, "(N + 2)": n + 2, "(M - 1)": m - 1, "1000": 1000, "4099": 4099})
        self.values[str(n)] = n

    def shape(self):
        rng = self.rng
        return rng.choice([["N"], ["2 * N"], ["4099"], ["1000"], ["N", "M"], ["N", "M"], ["N", "M"], ["M", "N"],
                           ["(N + 2)", "(M - 1)"], ["N", "M", "L"], ["L", "N", "M"], [str(self.values["N"]), "M"]])

    # Arrays.

    def make_arrays(self):
        makers = [self.plain_array] * 6 + [self.heap_array] * 3 + [
            self.member_array, self.struct_array, self.initialised_array, self.table_array, self.several_arrays,
            self.dressed_array, self.macro_array, self.typedef_array, self.small_array]
        for _ in range(self.rng.randrange(4, 9)):
            self.rng.choice(makers)()

    def new_array(self, kind, element=None, shape=None, home=0):
        array = Array(self.name("a"), element or self.rng.choice(list(TYPES)), shape or self.shape(), kind, home)
        self.arrays.append(array)
        return array

    def home(self):
        return self.rng.randrange(self.files)

    def plain_array(self):
        home = self.home()
        array = self.new_array("static", home=home)
        if self.chance(50):
            comment = self.rng.choice(["", " /* a comment; */", " // another, with static u8 x[9];"])
            self.bodies[home].append(f"static {array.declaration()};{comment}")
        else:
            array.home = None
            self.header.append(f"extern {array.declaration()};")
            self.bodies[home].append(f"{array.declaration()};")

    def small_array(self):
        home = self.home()
        array = self.new_array("static", shape=["L"], home=home)
        self.bodies[home].append(f"static {array.declaration()};")

    def member_array(self):
        home = self.home()
        array = self.new_array("static", home=home)
        variable = self.name("s")
        tag = self.rng.choice(["", "struct tag_" + variable])
        if tag:
            self.bodies[home].append(f"{tag} {{ int before; {array.declaration()}; char after; }};")
            self.bodies[home].append(f"static {tag} {variable};")
        else:
            self.bodies[home].append(f"static struct {{ {array.declaration()}; }} {variable};")
        array.prefix = f"{variable}."

    def struct_array(self):
        home = self.home()
        array = self.new_array("static", element="struct cell", home=home)
        self.bodies[home].append(f"static {array.declaration()};")

    def initialised_array(self):
        home = self.home()
        array = self.new_array("static", home=home, shape=self.rng.choice([["N"], ["4099"], ["1000"]]))
        value = self.rng.choice(["{1, 2, 3}", "{[5] = 7, 9}", "{0}", "{[0 ... 9] = 4}"])
        self.bodies[home].append(f"static {array.declaration()} = {value};")

    def table_array(self):
        home = self.home()
        array = self.new_array("static", element="u32", home=home, shape=["1000"])
        array.read_only = True
        values = ", ".join(str(self.rng.randrange(1 << 16)) for _ in range(40))
        self.bodies[home].append(f"static const {array.declaration()} = {{{values}}};")

    def several_arrays(self):
        home, element = self.home(), self.rng.choice(list(TYPES))
        first = self.new_array("static", element=element, home=home)
        second = self.new_array("static", element=element, home=home)
        tails = [a.declaration()[len(element) + 1:] for a in (first, second)]
        scalar = self.name("unused_")
        middle = self.rng.choice(["", f" *{scalar},", f" {scalar} = 3,"])
        self.bodies[home].append(f"static {element} {tails[0]},{middle}\n    {tails[1]};")
        if middle:
            self.bodies[home].append(f"void *use_{scalar}(void);\nvoid *use_{scalar}(void) {{ return (void *)&{scalar}; }}")

    def dressed_array(self):
        home = self.home()
        array = self.new_array("static", home=home)
        dress = self.rng.choice(["_Alignas(64) static {}", "static {} __attribute__((aligned(4096)))",
                                 "static volatile {}", "__attribute__((unused)) static {}", "static\n{}"])
        self.bodies[home].append(dress.format(array.declaration()) + ";")

    def macro_array(self):
        home = self.home()
        array = self.new_array("static", home=home, shape=["4099"])
        self.bodies[home].append(f"DECLARE({array.element}, {array.name}, 4099);")

    def typedef_array(self):
        home = self.home()
        array = self.new_array("static", home=home, shape=["N", "M"])
        row = self.name("row_")
        self.bodies[home].append(f"typedef {array.element} {row}[M];\nstatic {row} {array.name}[N];")

    def heap_array(self):
        """A global pointer, and the functions that allocate and free what it points to."""
        home = self.home()
        kind = self.rng.choice(["flat", "flat", "rows", "pointers"])
        shape = self.shape() if kind == "flat" else ["N", "M"]
        if kind == "pointers" and self.chance(40):
            shape = ["N", "M", "L"]
        array = self.new_array(kind, "struct cell" if kind == "flat" and self.chance(20) else None, shape, home)
        stars = "*" * len(shape)
        pointer = {"flat": f"*{array.name}", "rows": f"(*{array.name})[M]", "pointers": f"{stars}{array.name}"}[kind]
        declaration = f"{array.element} {pointer};"
        if self.chance(30):
            holder, tag = self.name("h"), self.name("holder_")
            self.header.append(f"struct {tag} {{\n  int before;\n  {declaration}\n}};")
            array.prefix = self.rng.choice([f"{holder}.", f"(&{holder})->"])
            declaration = f"struct {tag} {holder};"
        if self.chance(50):
            array.home = None
            self.header.append(f"extern {declaration}")
            self.bodies[home].append(declaration)
        else:
            self.bodies[home].append(f"static {declaration}")
        make, drop = f"make_{array.name}", f"drop_{array.name}"
        self.prototypes += [f"void {make}(void);", f"void {drop}(void);"]
        self.calls.append(f"  {make}();")
        self.cleanup.append(f"  {drop}();")
        self.bodies[home].append(f"void {make}(void) {{\n{self.allocation(array, home)}}}")
        self.bodies[home].append(f"void {drop}(void) {{\n{self.release(array)}}}")
        if kind == "flat" and self.chance(30):
            self.remake(array, home)

    def remake(self, array, home):
        """A function that puts the array into another block, in each step."""
        function, size = f"remake_{array.name}", f"({' * '.join(array.extents)}) * sizeof({array.element})"
        self.prototypes.append(f"void {function}(void);")
        self.bodies[home].append(
            f"void {function}(void) {{\n  {array.element} *fresh = {self.memory(' * '.join(array.extents), array.element)}, *old;\n"
            f"  memcpy(fresh, {array.whole()}, {size});\n  old = {array.whole()};\n  {array.whole()} = fresh;\n  free(old);\n}}")
        self.steps.append(f"    {function}();")

    def memory(self, count, element):
        """An expression for zeroed memory."""
        return self.rng.choice([
            f"calloc({count}, sizeof({element}))",
            f"xmalloc(({count}) * sizeof({element}))",
            f"xarray({count}, sizeof({element}))",
            f"NEW({element}, {count})",
            f"({element} *)memset(malloc(({count}) * sizeof({element})), 0, ({count}) * sizeof({element}))",
            f"memset(aligned_alloc(64, (({count}) * sizeof({element}) + 63) / 64 * 64), 0, ({count}) * sizeof({element}))",
        ])

    def filler(self, home, element):
        """A function that puts zeroed memory for n elements into a pointer of its caller's; how to call it for one."""
        name = self.name("put_")
        size = f"n * sizeof({element})"
        body = self.rng.choice([
            f"*p = calloc(n, sizeof **p);\n  return *p == NULL;",
            f"if (!(p[0] = malloc({size})))\n    return 1;\n  memset(*p, 0, {size});\n  return 0;",
            f"if (posix_memalign((void **)p, 64, {size}))\n    return 1;\n  memset(*p, 0, {size});\n  return 0;",
            f"if (n == 0)\n    return 1;\n  *p = xmalloc({size});\n  return 0;",
            f"*p = malloc(1);\n  free(*p);\n  *p = calloc(n, sizeof **p);\n  return 0;",
            f"{element} **q = p;\n  *q = calloc(n, sizeof **q);\n  return *q == NULL;"])
        returns = self.rng.choice(["int", "int", "void"])
        if returns == "void":
            body = f"*p = calloc(n, sizeof **p);\n  if (!*p)\n    exit(3);"
        self.bodies[home].append(f"static {returns} {name}({element} **p, {self.rng.choice(['size_t', 'int', 'long'])} n) {{\n  {body}\n}}")
        call = f"{name}(&{{}}, {{}});" if returns == "void" else f"if ({name}(&{{}}, {{}}))\n    exit(3);"
        return lambda pointer, n: call.format(pointer, n)

    def filled(self, array, home):
        """The allocation of an array by such a function, as a whole or row by row."""
        fill, whole = self.filler(home, array.element), array.whole()
        spare = self.name("spare_")
        more = f"  {array.element} *{spare};\n  {fill(spare, 'L')}\n  check += ((u8 *){spare})[1];\n  free({spare});\n"
        if array.kind == "flat":
            return (more if self.chance(40) else "") + f"  {fill(whole, ' * '.join(array.extents))}\n"
        return (f"  {whole} = malloc(N * sizeof *{whole});\n  for (int i = 0; i < N; i++) {{\n"
                f"    {fill(f'{whole}[i]', 'M')}\n  }}\n")

    def allocation(self, array, home):
        count, whole = " * ".join(array.extents), array.whole()
        if (array.kind == "flat" or (array.kind == "pointers" and len(array.extents) == 2)) and self.chance(25):
            return self.filled(array, home)
        if array.kind == "flat" and self.chance(25):
            size = f"({count}) * sizeof *{whole}"
            return self.rng.choice([
                f"  void *memory;\n  if (posix_memalign(&memory, 128, {size}))\n    exit(3);\n"
                f"  {whole} = memory;\n  memset({whole}, 0, {size});\n",
                f"  {whole} = malloc(16 * sizeof *{whole});\n"
                f"  {whole} = realloc({whole}, {size});\n  memset({whole}, 0, {size});\n"])
        if array.kind == "flat":
            return f"  {whole} = {self.memory(count, array.element)};\n"
        if array.kind == "rows":
            return f"  {whole} = calloc(N, sizeof *{whole});\n"
        table = f"  {whole} = malloc(N * sizeof *{whole});\n"
        parallel = self.rng.choice(["", "#pragma omp parallel for\n"])
        if len(array.extents) == 3:
            return (f"{table}{parallel}  for (int i = 0; i < N; i++) {{\n    {whole}[i] = malloc(M * sizeof *{whole}[i]);\n"
                    f"    for (int j = 0; j < M; j++)\n      {whole}[i][j] = {self.memory('L', array.element)};\n  }}\n")
        if self.chance(50):
            return (f"{table}{parallel}  for (int i = 0; i < N; i++)\n"
                    f"    {whole}[i] = {self.memory('M', array.element)};\n")
        return (f"{table}  {whole}[0] = {self.memory('N * M', array.element)};\n"
                f"  for (int i = 1; i < N; i++)\n    {whole}[i] = {whole}[0] + (size_t)i * M;\n"
                f"  single_{array.name} = 1;\n")

    def release(self, array):
        whole = array.whole()
        if array.kind != "pointers":
            return f"  free({whole});\n"
        home = next(i for i, body in enumerate(self.bodies) if any(f"make_{array.name}(void) {{" in text for text in body))
        if any(f"single_{array.name} = 1" in text for text in self.bodies[home]):
            self.bodies[home].insert(0, f"static int single_{array.name};")
            return f"  free({whole}[0]);\n  free({whole});\n"
        inner = f"    for (int j = 0; j < M; j++)\n      free({whole}[i][j]);\n" if len(array.extents) == 3 else ""
        return f"  for (int i = 0; i < N; i++) {{\n{inner}    free({whole}[i]);\n  }}\n  free({whole});\n"

    # Expressions.

    def seen(self, file, writable=False):
        return [a for a in self.arrays if a.home in (None, file) and not (writable and a.read_only)]

    def index(self, value, extent, used):
        """A valid index made of the loops' variables."""
        if extent == value[1] and self.chance(70):
            return value[0]
        factor = self.rng.choice([1, 1, 2, 3])
        return f"({factor} * {value[0]} + {self.rng.randrange(5)}) % ({extent})"

    def read(self, file, loops, not_of):
        """An element of an array other than that which the loop writes."""
        arrays = [a for a in self.seen(file) if a is not not_of]
        if not arrays:
            return self.constant()
        array = self.rng.choice(arrays)
        indices = []
        for position, extent in enumerate(array.extents):
            fitting = [l for l in loops if l[1] == extent]
            loop = self.rng.choice(fitting) if fitting else loops[position % len(loops)]
            indices.append(self.index(loop, extent, indices))
        return f"(u64){array.at(self.rng, indices)}"

    def expression(self, file, loops, not_of, depth=2):
        rng = self.rng
        form = rng.randrange(8)
        if depth == 0 or form == 0:
            return rng.choice([self.constant(), f"(u64){rng.choice(loops)[0]}"])
        if form <= 3:
            return self.read(file, loops, not_of)
        left = self.expression(file, loops, not_of, depth - 1)
        if form == 4:
            return f"({left} >> {rng.randrange(1, 20)})"
        right = self.expression(file, loops, not_of, depth - 1)
        return f"({left} {rng.choice(['+', '-', '*', '^', '|', '&'])} {right})"

    # Loops.

    def clauses(self, collapse=False, loops=1):
        rng = self.rng
        text = rng.choice(["", "", " schedule(static)", " schedule(static, 3)", " schedule(dynamic, 2)",
                           " schedule(guided)", " schedule(auto)", " schedule(nonmonotonic: dynamic)"])
        if collapse and loops > 1 and self.chance(30):
            text += f" collapse({rng.randrange(2, loops + 1)})"
        return text

    def heading(self, variable, extent, first=False):
        """A loop over 0 .. extent - 1 in one of its spellings."""
        forms = [f"for (int {variable} = 0; {variable} < {extent}; {variable}++)",
                 f"for (int {variable} = 0; {variable} <= {extent} - 1; ++{variable})",
                 f"for (int {variable} = {extent} - 1; {variable} >= 0; {variable}--)",
                 f"for (long {variable} = 0; {variable} < (long){extent}; {variable} += 1)",
                 f"for (int {variable} = 0; {extent} > {variable}; {variable} = {variable} + 1)",
                 f"for (unsigned {variable} = 0; {variable} < {extent}; {variable}++)",
                 f"FOR({variable}, {extent})"]
        return self.rng.choice(forms[:1] * 4 + forms)

    def nest(self, array, permuted=False):
        """Loops over all of an array: [(variable, extent)], and the headings."""
        loops = [(self.name("i"), extent) for extent in array.extents]
        order = list(loops)
        if permuted:
            self.rng.shuffle(order)
        return loops, [self.heading(v, e) for v, e in order]

    def assignment(self, file, array, loops, indices=None):
        indices = indices or [v for v, _ in loops]
        target = array.at(self.rng, indices)
        value = self.expression(file, loops, array)
        operator = self.rng.choice(["=", "=", "+=", "^=", "-="])
        if self.chance(25) and operator == "=":
            value = f"{value} + (u64){array.at(self.rng, indices)}" if array.element != "struct cell" else value
        return f"{target} {operator} {value};"

    def pragma(self, text):
        return f'_Pragma("{text}")' if self.chance(8) else f"#pragma {text}"

    def writable(self, file):
        arrays = self.seen(file, writable=True)
        return self.rng.choice(arrays) if arrays else None

    def elementwise(self, file, directive="omp parallel for"):
        array = self.writable(file)
        if not array:
            return ";"
        loops, headings = self.nest(array, permuted=self.chance(15))
        body = self.assignment(file, array, loops)
        indent = "\n" + "  "
        clauses = self.clauses(collapse="FOR(" not in "".join(headings), loops=len(loops))
        return self.pragma(f"{directive}{clauses}") + indent + indent.join(headings) + indent + "  " + body

    def region(self, file):
        """Several loops in one region, with what else is found there."""
        parts = [self.elementwise(file, "omp for") for _ in range(self.rng.randrange(1, 4))]
        array = self.writable(file)
        if array and self.chance(50):
            kind = self.rng.choice(["omp single", "omp master", "omp masked"])
            loops, headings = self.nest(array)
            nested = "\n".join(headings + ["  " + self.assignment(file, array, loops)])
            barrier = "" if kind == "omp single" else "\n#pragma omp barrier"
            parts.insert(self.rng.randrange(len(parts) + 1),
                         f"#pragma omp barrier\n#pragma {kind}\n{{\n{nested}\n}}{barrier}")
        clause = self.rng.choice(["", "", " num_threads(2)", " if(1)", " default(shared)", " proc_bind(close)"])
        return f"#pragma omp parallel{clause}\n{{\n" + "\n".join(parts) + "\n}"

    def orphan(self, file):
        function = self.name("orphan_")
        body = textwrap.indent(self.elementwise(file, "omp for"), "  ")
        self.bodies[file].append(f"static void {function}(void) {{\n{body}\n}}")
        return f"#pragma omp parallel\n{function}();" if self.chance(80) else f"{function}();"

    def reduction(self, file):
        arrays = self.seen(file)
        if not arrays:
            return ";"
        array = self.rng.choice(arrays)
        loops, headings = self.nest(array)
        operator, start = self.rng.choice([("+", "0"), ("^", "0"), ("|", "0"), ("&", "~(u64)0")])
        sum_name = self.name("sum_")
        value = f"(u64){array.at(self.rng, [v for v, _ in loops])}"
        for loop, _ in loops:
            value = f"({value} * 31u + (u64){loop})"
        nested = "\n  ".join(headings + [f"  {sum_name} {operator}= {value};"])
        clauses = self.clauses("FOR(" not in "".join(headings), len(loops))
        return (f"u64 {sum_name} = {start};\n#pragma omp parallel for reduction({operator} : {sum_name}){clauses}\n"
                f"  {nested}\ncheck = check * 31 + {sum_name};")

    def stencil(self, file):
        arrays = [a for a in self.seen(file) if len(a.extents) >= 2]
        targets = [a for a in arrays if not a.read_only]
        if not targets:
            return ";"
        to = self.rng.choice(targets)
        sources = [a for a in arrays if a is not to and a.extents == to.extents]
        if not sources:
            return ";"
        source = self.rng.choice(sources)
        loops = [(self.name("i"), e) for e in to.extents]
        lines = [f"for (int {v} = 1; {v} < {e} - 1; {v}++)" for v, e in loops]
        middle = [v for v, _ in loops]
        terms = []
        for position, (variable, _) in enumerate(loops):
            for step in ("- 1", "+ 1"):
                indices = list(middle)
                indices[position] = f"{variable} {step}"
                terms.append(f"(u64){source.at(self.rng, indices)}")
        body = f"{to.at(self.rng, middle)} = {' + '.join(terms)};"
        return f"#pragma omp parallel for{self.clauses()}\n  " + "\n  ".join(lines) + f"\n    {body}"

    def indirect(self, file):
        """Writes through a permutation."""
        array = self.writable(file)
        if not array:
            return ";"
        index, variable = self.name("order_"), self.name("i")
        extent = array.extents[0]
        self.bodies[file].append(f"static int {index}[{extent}];")
        rest = [(self.name("i"), e) for e in array.extents[1:]]
        indices = [f"{index}[{variable}]"] + [v for v, _ in rest]
        loops = [(variable, extent)] + rest
        inner = "\n  ".join([f"for (int {v} = 0; {v} < {e}; {v}++)" for v, e in rest] +
                            [self.assignment(file, array, loops, indices)])
        return (f"for (int i = 0; i < {extent}; i++)\n  {index}[i] = (i + 7) % ({extent});\n"
                f"#pragma omp parallel for{self.clauses()}\nfor (int {variable} = 0; {variable} < {extent}; "
                f"{variable}++)\n  {inner}")

    def by_thread(self, file):
        """Each thread has a row, or takes its share by its number."""
        array = self.writable(file)
        if not array or self.chance(40):
            part = self.name("part_")
            self.bodies[file].append(f"static u64 {part}[{THREADS}][1024];")
            row = self.rng.choice([f"{part}[omp_get_thread_num()]", f"&{part}[omp_get_thread_num()][0]",
                                   f"*({part} + omp_get_thread_num())"])
            return (f"memset({part}, 0, sizeof {part});\n#pragma omp parallel num_threads(3)\n{{\n  u64 *mine = {row};\n"
                    f"#pragma omp for\n  for (int i = 0; i < 5000; i++)\n    mine[(i * 17) % 1024] += (u64)i;\n}}\n"
                    f"FOR(t, {THREADS}) FOR(i, 1024) check += {part}[t][i] * (u64)(i + 1);")
        loops, _ = self.nest(array)
        first, extent = loops[0]
        inner = "\n    ".join([self.heading(v, e) for v, e in loops[1:]] + [self.assignment(file, array, loops)])
        return (f"#pragma omp parallel\n{{\n  const int me = omp_get_thread_num(), all = omp_get_num_threads();\n"
                f"  const int begin = (int)((long)({extent}) * me / all), end = (int)((long)({extent}) * (me + 1) / all);\n"
                f"  for (int {first} = begin; {first} < end; {first}++)\n    {inner}\n}}")

    def tasks(self, file):
        array = self.writable(file)
        if not array:
            return ";"
        loops, _ = self.nest(array)
        heads = [f"for (int {v} = 0; {v} < {e}; {v}++)" for v, e in loops]
        body = "\n  ".join(heads[1:] + [self.assignment(file, array, loops)])
        if self.chance(50):
            return (f"#pragma omp parallel\n#pragma omp single\n#pragma omp taskloop grainsize(5)\n{heads[0]}\n  {body}")
        variable = loops[0][0]
        return (f"#pragma omp parallel\n#pragma omp single\n{heads[0]} {{\n#pragma omp task firstprivate({variable})\n"
                f"  {body}\n}}")

    def private_things(self, file):
        array = self.writable(file)
        if not array:
            return ";"
        loops, headings = self.nest(array)
        t, last = self.name("t_"), self.name("last_")
        body = self.assignment(file, array, loops)
        target = array.at(self.rng, [v for v, _ in loops])
        return (f"u64 {t} = 5, {last} = 0, small[4] = {{1, 2, 3, 4}};\n"
                f"#pragma omp parallel for firstprivate({t}, small) lastprivate({last})\n"
                f"for (int {loops[0][0]} = 0; {loops[0][0]} < {loops[0][1]}; {loops[0][0]}++) {{\n"
                f"  small[{loops[0][0]} & 3] = {t} + (u64){loops[0][0]};\n  {last} = small[{loops[0][0]} & 3];\n  "
                + "\n  ".join(headings[1:]) + f" {{\n    {body}\n    {target} += small[{loops[0][0]} & 3];\n  }}\n}}\ncheck += {last};")

    def private_array(self, file):
        """A static array in a clause: each thread has its own copy."""
        arrays = [a for a in self.seen(file) if a.kind == "static" and not a.prefix and a.element != "struct cell"
                  and len(a.extents) == 1]
        if not arrays:
            return ";"
        array = self.rng.choice(arrays)
        extent = array.extents[0]
        total = self.name("total_")
        return (f"u64 {total} = 0;\n#pragma omp parallel for firstprivate({array.name}) reduction(+ : {total})\n"
                f"for (int i = 0; i < 64; i++)\n  {total} += (u64){array.name}[i % ({extent})] + sizeof {array.name};\n"
                f"check ^= {total};")

    def pointers(self, file):
        """The array by other names: pointers, casts, sizes."""
        array = self.writable(file)
        if not array or array.kind == "pointers":
            return ";"
        whole = array.whole()
        if array.is_heap():
            count = " * ".join(array.extents)
            size = f"({count}) * sizeof({array.element})"
        else:
            size, count = f"sizeof {whole}", f"sizeof {whole} / sizeof({array.element})"
        forms = [
            f"u8 *bytes = (u8 *){whole};\n#pragma omp parallel for\nfor (size_t i = 0; i < {size}; i++)\n  bytes[i] ^= (u8)(i * 7);",
            f"memset((void *){whole}, 3, {size});",
            f"check += (u64)((char *)({whole} + 1) - (char *){whole});",
            f"#pragma omp parallel\n{{\n  u8 *p = (u8 *){whole};\n#pragma omp for\n  for (long i = (long)({size}) - 1; i >= 0; i--)\n    *(p + i) += 1;\n}}",
            f"u64 h = 0;\nfor (const u8 *p = (const u8 *){whole}, *end = p + {size}; p < end; p++)\n  h = h * 31 + *p;\ncheck ^= h;",
        ]
        if not array.is_heap() and array.element != "struct cell":
            zeros = "[0]" * (len(array.extents))
            forms += [
                f"{array.element} *p = ({array.element} *)&{whole}{zeros};\n#pragma omp parallel for schedule(static)\n"
                f"for (size_t i = 0; i < {count}; i++)\n  p[i] += ({array.element})i;",
                f"__typeof__({whole}) *p = &{whole};\ncheck += sizeof *p + sizeof {whole}[0];",
            ]
        return self.rng.choice(forms)

    def called(self, file):
        """A function that is given the array, here or in another file."""
        arrays = [a for a in self.seen(file, writable=True) if a.kind == "static" and a.element in TYPES]
        if not arrays:
            return ";"
        array = self.rng.choice(arrays)
        function, other = self.name("apply_"), self.home()
        rest = "".join(f"[{e}]" for e in array.extents[1:])
        element = array.element
        parameter = self.rng.choice([f"{element} (*p){rest}" if rest else f"{element} *p",
                                     f"{element} p[{array.extents[0]}]{rest}", f"{element} p[]{rest}"])
        prototype = f"u64 {function}({parameter}, int n, u64 by)"
        self.prototypes.append(prototype + ";")
        access = "p[i]" + "".join(f"[j % ({e})]" for e in array.extents[1:])
        inner = f"for (int j = 0; j < {array.extents[-1]}; j++)\n      " if rest else ""
        cast = f"({element} (*){rest})" if rest else f"({element} *)"
        self.bodies[other].append(
            f"{prototype} {{\n  u64 sum = 0;\n#pragma omp parallel for reduction(+ : sum){self.clauses()}\n"
            f"  for (int i = 0; i < n; i++)\n    {inner}sum += (u64)({access} ^= ({element})(by + (u64)i));\n  return sum;\n}}")
        call = f"{function}({cast if self.chance(30) or 'volatile' in str(self.bodies) else ''}{array.whole()}, {array.extents[0]}, {self.constant()})"
        if self.chance(25):
            return f"u64 (*how)({parameter}, int, u64) = {function};\ncheck += how({cast}{array.whole()}, {array.extents[0]}, 2);"
        return f"check += {call};"

    def hidden(self, file):
        """Another variable of the same name."""
        arrays = [a for a in self.seen(file) if not a.prefix]
        if not arrays:
            return ";"
        array = self.rng.choice(arrays)
        return (f"u32 {array.name}[50];\n#pragma omp parallel for\nfor (int i = 0; i < 50; i++)\n  {array.name}[i] = (u32)i * 3;\n"
                f"check += {array.name}[7] + sizeof {array.name};\nputs(\"{array.name}[0]\");")

    def local_static(self, file):
        """A static array of a function, which keeps what it holds."""
        array = Array(self.name("kept_"), self.rng.choice(list(TYPES)), self.shape(), "static", file)
        loops, headings = self.nest(array)
        indices = [v for v, _ in loops]
        zeros = "".join(f"[{self.rng.randrange(3)}]" for _ in indices)
        body = f"{array.at(self.rng, indices)} += ({array.element})({self.expression(file, loops, array)});"
        return (f"static {array.declaration()};\n#pragma omp parallel for{self.clauses()}\n  " + "\n  ".join(headings)
                + f"\n    {body}\ncheck = check * 3 + (u64){array.name}{zeros};")

    def own_of_thread(self, file):
        own = self.name("own_")
        self.bodies[file].append(f"static u32 {own}[2000];\n#pragma omp threadprivate({own})")
        return (f"u64 all = 0;\n#pragma omp parallel reduction(max : all)\n{{\n  for (int i = 0; i < 2000; i++)\n"
                f"    {own}[i] = (u32)i * 5;\n  for (int i = 0; i < 2000; i++)\n    all += {own}[i];\n}}\ncheck += all;")

    def sections(self, file):
        arrays = self.seen(file, writable=True)
        if len(arrays) < 2:
            return ";"
        first, second = self.rng.sample(arrays, 2)
        parts = []
        for array in (first, second):
            loops, headings = self.nest(array)
            target = array.at(self.rng, [v for v, _ in loops])
            parts.append("#pragma omp section\n{\n" + "\n".join(headings) + f"\n  {target} += (u64){loops[0][0]};\n}}")
        return "#pragma omp parallel sections\n{\n" + "\n".join(parts) + "\n}"

    def atomics(self, file):
        arrays = [a for a in self.seen(file, writable=True) if a.element in TYPES]
        if not arrays:
            return ";"
        array = self.rng.choice(arrays)
        indices = [f"(i * {3 + p}) % ({e})" for p, e in enumerate(array.extents)]
        form = self.rng.choice(["#pragma omp atomic", "#pragma omp critical", "#pragma omp atomic update"])
        return (f"#pragma omp parallel for{self.clauses()}\nfor (int i = 0; i < 999; i++) {{\n{form}\n"
                f"  {array.at(self.rng, indices)} += 3;\n}}")

    def flattened(self, file):
        """One loop over all elements of a matrix, forwards or backwards, in shares of its own or OpenMP's."""
        arrays = [a for a in self.seen(file, writable=True) if len(a.extents) == 2]
        if not arrays:
            return ";"
        array = self.rng.choice(arrays)
        i, (rows, columns) = self.name("i"), array.extents
        target = array.at(self.rng, [f"{i} / ({columns})", f"{i} % ({columns})"])
        head = self.rng.choice([f"for (long {i} = 0; {i} < (long)({rows}) * ({columns}); {i}++)",
                                f"for (long {i} = (long)({rows}) * ({columns}) - 1; {i} >= 0; {i}--)"])
        if self.chance(30):
            return (f"#pragma omp parallel\n{{\n  long all = (long)({rows}) * ({columns}), team = omp_get_num_threads();\n"
                    f"  long share = (all + team - 1) / team, {i} = share * (team - 1 - omp_get_thread_num());\n"
                    f"  for (long end = {i} + share; {i} < end && {i} < all; {i}++)\n    {target} += (u32){i};\n}}")
        return f"#pragma omp parallel for{self.clauses()}\n{head}\n  {target} += (u32){i};"

    def by_value(self, file):
        """A struct with the pointer, handed over and given back by value."""
        arrays = [a for a in self.seen(file, writable=True) if a.element in TYPES and a.kind in ("static", "flat")
                  and "volatile" not in str(self.bodies)]
        if not arrays:
            return ";"
        array, view, function = self.rng.choice(arrays), self.name("view_"), self.name("viewed_")
        element, count = array.element, " * ".join(array.extents)
        self.bodies[file].append(
            f"struct {view} {{\n  long first, end;\n  {element} *data;\n}};\n"
            f"static struct {view} {function}(struct {view} v, u32 by) {{\n  struct {view} half = v;\n"
            f"#pragma omp parallel for{self.clauses()}\n  for (long i = v.first; i < v.end; i++)\n"
            f"    v.data[i] += ({element})(by + (u32)i);\n  half.end = (v.first + v.end) / 2;\n  return half;\n}}")
        whole = array.whole()
        return (f"struct {view} v = {{0, (long)({count}), ({element} *){whole}}};\nv = {function}({function}(v, 3), 5);\n"
                f"check += (u64)v.end;")

    def components(self, file):
        """Blocks of a table of a few pointers, in a struct: all have the same part of each."""
        element, tag, make = self.rng.choice(["u32", "u64", "int"]), self.name("field_"), self.name("made_")
        parts = self.rng.randrange(2, 10)
        fill = self.filler(file, element) if self.chance(40) else None
        one = fill("f->of[k]", "n") if fill else f"f->of[k] = {self.memory('n', element)};"
        self.bodies[file].append(
            f"struct {tag} {{\n  {element} *of[{parts}];\n}};\nstatic void {make}(struct {tag} *f, size_t n) {{\n"
            f"  for (int k = 0; k < {parts}; k++) {{\n    {one}\n  }}\n}}")
        return (f"struct {tag} f;\n{make}(&f, N * 99);\n#pragma omp parallel for{self.clauses()}\nfor (int j = 0; j < N; j++)\n"
                f"  for (int k = 0; k < {parts}; k++)\n    for (int i = 0; i < 99; i++)\n      f.of[k][j * 99 + i] += (u32)(i * j + k);\n"
                f"FOR(k, {parts}) FOR(i, N * 99) check = check * 31 + (u64)f.of[k][i];\nFOR(k, {parts}) free(f.of[k]);")

    def compacted(self, file):
        """Rows of a sparse matrix for the worst case, moved down in place over what they do not use."""
        start, data, form = self.name("start_"), self.name("data_"), self.rng.randrange(2)
        element = self.rng.choice(["u32", "u64"])
        self.bodies[file].append(f"static {self.rng.choice(['int', 'long'])} {start}[N + 1];"
                                 + (f"\nstatic {element} {data}[N * 99];" if form else ""))
        block = "" if form else f"{element} *{data} = {self.memory('N * 99', element)};\n"
        return (f"{block}FOR(i, N) FOR(j, 99) {data}[i * 99 + j] = (u32)(i * j);\nsize_t used = 0;\nfor (int i = 0; i < N; i++) {{\n"
                f"  {start}[i] = (int)used;\n  for (int j = 0; j < 3 + i * 7 % 90; j++)\n    {data}[used++] = {data}[i * 99 + j] + 1;\n}}\n"
                f"{start}[N] = (int)used;\nu64 sum = 0;\n#pragma omp parallel for reduction(+ : sum){self.clauses()}\n"
                f"for (int i = 0; i < N; i++)\n  for (long k = {start}[i]; k < {start}[i + 1]; k++)\n"
                f"    sum += ({data}[k] += (u32)i);\ncheck = check * 31 + sum;" + ("" if form else f"\nfree({data});"))

    # Functions and the whole.

    ITEMS = ([elementwise] * 5 + [region] * 4 + [reduction] * 3 + [stencil] * 3 + [orphan] * 2 + [indirect, by_thread, by_thread]
             + [tasks, private_things, private_array, pointers, pointers, pointers, called, called, hidden]
             + [local_static, local_static, own_of_thread, sections, atomics]
             + [flattened, flattened, by_value, by_value, components, components, compacted, compacted])

    def kernel(self):
        file = self.home()
        function = self.name("kernel_")
        self.prototypes.append(f"void {function}(void);")
        parts = []
        for _ in range(self.rng.randrange(1, 5)):
            text = self.item(self.rng.choice(self.ITEMS)(self, file))
            if text and text != ";":
                parts.append("  {\n" + textwrap.indent(text, "    ") + "\n  }\n")
        self.bodies[file].append(f"void {function}(void) {{\n" + "".join(parts) + "}")
        condition = self.rng.choice(["", "", "", "if (t & 1)\n      ", "if (t == 0)\n      "])
        self.steps.append(f"    {condition}{function}();\n    say(\"{function}\");")

    def sums(self):
        """A function in each file that adds up what that file sees."""
        for file, body in enumerate(self.bodies):
            lines = []
            for array in self.arrays:
                if (array.home or 0) != file:
                    continue
                variables = [f"x{i}" for i in range(len(array.extents))]
                heads = " ".join(f"FOR({v}, {e})" for v, e in zip(variables, array.extents))
                element = array.at(random.Random(1), variables)
                lines.append(f"  {heads} check = check * 31 + (u64){element};\n  say(\"{array.name}\");")
            body.append(f"void sum_{file}(void) {{\n" + "\n".join(lines) + "\n}")
            self.prototypes.append(f"void sum_{file}(void);")

    def program(self):
        self.steps = []
        self.make_extents()
        self.make_arrays()
        for _ in range(self.rng.randrange(3, 9)):
            self.kernel()
        self.sums()
        return self.texts()

    def texts(self):
        header = PRELUDE + "\n".join(self.header + [
            "extern u64 check;", "void say(const char *what);", "void *xmalloc(size_t bytes);", "void *xsome(size_t bytes);",
            "void *xarray(size_t count, size_t size);"] + self.prototypes) + "\n#endif\n"
        main = ["u64 check = 1;",
                'void say(const char *what) { printf("%s %016llx\\n", what, (unsigned long long)check); }',
                ALLOCATION]
        start = ["int main(void) {"] + self.calls + ["  for (int t = 0; t < 2; t++) {"] + self.steps + ["  }"]
        end = [f"  sum_{file}();" for file in range(self.files)] + self.cleanup + ["  return 0;", "}"]
        include = self.rng.choice(['#include "program.h"', '/* first */\n#include "program.h"'])
        files = {"program.h": header}
        for file, body in enumerate(self.bodies):
            parts = [include] + (main if file == 0 else []) + body + ([ "\n".join(start + end)] if file == 0 else [])
            files[f"file{file}.c"] = "\n\n".join(parts) + "\n"
        return files


def generate(seed, without=frozenset()):
    """The files of a program, name: text, and the number of items that it could have."""
    generator = Generator(seed, without)
    files = generator.program()
    return files, generator.items
