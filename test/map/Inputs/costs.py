"""Compares the costs that two map files tell."""

import re
import sys

first, second = (
    float(re.search(r"^# cost ([0-9.e+]+);", open(name).read(), re.M).group(1))
    for name in sys.argv[1:]
)
print("within a hundredth" if abs(first - second) <= first / 100 else f"{first} {second}")
