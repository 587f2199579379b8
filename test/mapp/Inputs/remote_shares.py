"""Compares the remote shares of arrays in the output of `mai-trace info --csv`, given for each program behind `== NAME`."""
import csv
import sys

shares, program = {}, None
for row in csv.reader(line.replace("\r", "") for line in sys.stdin):
    if len(row) == 1 and row[0].startswith("== "):
        program = row[0][3:]
    elif program and len(row) == 9 and row[5].isdigit() and int(row[6]) + int(row[7]) > 0:
        shares[row[0], program] = 100 * int(row[7]) / (int(row[6]) + int(row[7]))
for name in ("triangle", "in_truth_local", "dealt", "partly"):
    without, given = shares[name, "without"], shares[name, "with"]
    print(f"{name}: {without:.0f} % remote without, {given:.0f} % with the profile")
    if given > without / 2:
        sys.exit("the profile does not halve it")
