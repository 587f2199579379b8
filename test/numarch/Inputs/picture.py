"""Check the picture on standard input and count what is in it: picture.py NAME"""

import re
import sys
import xml.etree.ElementTree

SVG = "{http://www.w3.org/2000/svg}"
root = xml.etree.ElementTree.parse(sys.stdin).getroot()
assert root.tag == SVG + "svg"
left, top, width, height = map(float, root.get("viewBox").split())
boxes = []
for box in root.iter(SVG + "rect"):
    x, y, w, h = (float(box.get(name)) for name in ("x", "y", "width", "height"))
    assert w >= 0 and h >= 0, (x, y, w, h)
    boxes.append((x, y, x + w, y + h))
assert boxes[0] == (left, top, left + width, top + height)


def contains(outer, inner):
    return (outer[0] <= inner[0] and outer[1] <= inner[1]
            and inner[2] <= outer[2] and inner[3] <= outer[3])


def apart(a, b):
    return a[2] <= b[0] or b[2] <= a[0] or a[3] <= b[1] or b[3] <= a[1]


for i, box in enumerate(boxes):
    assert contains(boxes[0], box), box
    for other in boxes[i + 1:]:
        assert contains(box, other) or contains(other, box) or apart(box, other), (box, other)

texts = ["".join(text.itertext()) for text in root.iter(SVG + "text")]


def count(pattern):
    return sum(bool(re.fullmatch(pattern, text)) for text in texts)


print(f"{sys.argv[1]}: {count(r'Package [0-9]+')} packages, {count(r'Node [0-9]+: .*')} nodes,"
      f" {count(r'Core [0-9]+')} cores, {count(r'CPU [0-9]+')} CPUs")
