"""Whether libraries together with libgomp have no more thread-local memory than so many bytes."""
import subprocess
import sys

LIBGOMP = subprocess.run(["gcc", "-print-file-name=libgomp.so"], check=True, capture_output=True, text=True).stdout.strip()
most, *libraries = sys.argv[1:]
sizes = {}
for library in [*libraries, LIBGOMP]:
    headers = subprocess.run(["readelf", "-lW", library], check=True, capture_output=True, text=True).stdout
    segments = [line.split() for line in headers.splitlines() if line.split()[:1] == ["TLS"]]
    sizes[library] = sum(int(segment[5], 16) for segment in segments)
assert all(sizes.values()), sizes
assert sum(sizes.values()) <= int(most), sizes
