"""Compares the remote shares of arrays in the output of `mai-trace info --csv`, given for each program behind `== NAME`."""
import csv
import sys

counts, program = {}, None


def add(name, local, remote):
    before = counts.get((name, program), (0, 0))
    counts[name, program] = before[0] + local, before[1] + remote


def share(name, of):
    local, remote = counts[name, of]
    return 100 * remote / (local + remote)


def compare(name, of):
    without, given = share(name, f"{of}-without"), share(name, f"{of}-with")
    print(f"{name}: {without:.0f} % remote without, {given:.0f} % with the profile")
    if given > without / 2:
        sys.exit("the profile does not halve it")


for row in csv.reader(line.replace("\r", "") for line in sys.stdin):
    if len(row) == 1 and row[0].startswith("== "):
        program = row[0][3:]
    elif program and len(row) == 9 and row[5].isdigit():
        add("blocks of the heap" if row[1] == "heap" else row[0], int(row[6]), int(row[7]))
for name in ("triangle", "in_truth_local", "distributed", "partly"):
    compare(name, "counted")
compare("blocks of the heap", "counted_blocks")
