# Usage: each-broken-cache.sh <cache.py> <folder>
# What numarch says of each broken file of measured values, and the NUMA factor that it has then.
set -euo pipefail
export HWLOC_THISSYSTEM=1 HWLOC_SYNTHETIC="node:2 pu:1" XDG_CACHE_HOME=$2
for how in foreign format zero negative huge infinite text row rows no-table no-nodes same-node \
  many-nodes negative-node bytes empty cut deep big pipe folder anybody open-folder linked-folder \
  linked-file; do
  rm -rf "$2"
  mkdir "$2"
  python3 "$1" $how
  printf '%s: ' $how
  timeout 10 numarch 2>&1 >"$2/out"
  grep '^NUMA factor' "$2/out"
done
