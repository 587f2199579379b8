"""The pairs of a ring of so many threads, some of which share with others far away."""
import sys

count = int(sys.argv[1])
print("a,b,volume")
for thread in range(count):
    print(f"{thread},{(thread + 1) % count},100")
    print(f"{thread},{(thread * 37 + 11) % count},{thread % 7 + 1}")
