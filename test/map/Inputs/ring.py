"""Prints the sharing matrix of twelve threads in a ring, with shuffled numbers."""

order = [5, 2, 9, 0, 7, 11, 4, 1, 10, 3, 8, 6]
for i in order:
    print(*[int((i - j) % 12 in (1, 11)) for j in order])
