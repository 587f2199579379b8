"""Prints a program that is larger in one way than what people write: large.py SHAPE NUMBER."""

import sys

BEGIN = """static double a[100000];
int main(int argc, char **argv) {
"""
LOOP = """#pragma omp parallel for
  for (int i = 0; i < 1000; i++)
    a[i] = {};
  return (int)a[argc];
}}
"""


def calls(n):
    """So many calls inside one another."""
    functions = "".join(f"static void f{k}(double *p) {{ f{k - 1}(p); }}\n" for k in range(1, n))
    return (
        f"static void f0(double *p) {{ p[0] = 1; }}\n{functions}" + BEGIN + f"  f{n - 1}(a);\n" + LOOP.format("i")
    )


def doublings(n):
    """So many functions, each of which calls the one before twice."""
    functions = "".join(f"static void f{k}(double *p) {{ f{k - 1}(p); f{k - 1}(p + {k}); }}\n" for k in range(1, n))
    return f"static void f0(double *p) {{ p[0] = 1; }}\n{functions}" + BEGIN + f"  f{n - 1}(a);\n" + LOOP.replace("1000", "100000").format("i")


def pointers(n):
    """A pointer that is copied so many times."""
    names = "".join(f"static double *p{k};\n" for k in range(n))
    copies = "".join(f"  p{k} = p{k - 1};\n" for k in range(1, n))
    return names + BEGIN + f"  p0 = a;\n{copies}  p{n - 1}[0] = 1;\n" + LOOP.format("i")


def lists(n):
    """So many pointers, any of which may be any other, and accesses through each in many functions."""
    names = "".join(f"static double *p{k} = a;\n" for k in range(n))
    copies = "".join(f"  p{k} = p{(k + 1) % n};\n" for k in range(n))
    accesses = "".join(f"  p{k}[{k}] += p{(7 * k + 1) % n}[i];\n" for k in range(n))
    functions = "".join(f"static void f{k}(int i) {{\n{accesses}}}\n" for k in range(20))
    calls = "".join(f"  f{k}(argc);\n" for k in range(20))
    return (
        f"static double a[100000];\n{names}{functions}int main(int argc, char **argv) {{\n{copies}{calls}" + LOOP.format("i")
    )


def floats(n):
    """So many floating-point numbers, each twice the one before."""
    sums = "".join(f"  double x{k} = x{k - 1} + x{k - 1};\n" for k in range(1, n))
    return BEGIN + f"  double x0 = argc;\n{sums}" + LOOP.format(f"a[(int)x{n - 1} + i] + 1")


def loops(n):
    """So many loops inside one another, all of the same variable."""
    return BEGIN + "  int k = 0;\n  " + "while (k++ < 2)\n  " * n + "  a[0] += k;\n" + LOOP.format("i")


def branches(n):
    """A chain of so many branches."""
    chain = "".join(f"if (argc == {k})\n    k = {k};\n  else " for k in range(n))
    return BEGIN + f"  int k = 0;\n  {chain}k = -1;\n" + LOOP.format("i + k")


def terms(n):
    return BEGIN + LOOP.format(" + ".join(f"a[i + {k}]" for k in range(n)))


def elements(n):
    table = ", ".join(str(k) for k in range(n))
    return f"static int table[] = {{{table}}};\n" + BEGIN + LOOP.format("table[i]")


def arrays(n):
    names = "".join(f"static double a{k}[1000];\n" for k in range(n))
    uses = "".join(f"    a{k}[i] = 1;\n" for k in range(n))
    return names + BEGIN + "#pragma omp parallel for\n  for (int i = 0; i < 1000; i++) {\n" + uses + "  }\n" + LOOP.format("i")


SHAPES = (calls, doublings, pointers, lists, floats, loops, branches, terms, elements, arrays)

if __name__ == "__main__":
    shape = {s.__name__: s for s in SHAPES}[sys.argv[1]]
    print(shape(int(sys.argv[2])))
