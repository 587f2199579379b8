# Usage: each-picture.sh <Inputs>
set -euo pipefail
draw() { numarch --svg | python3 "$inputs/picture.py" "$1"; }

inputs=$1
for machine in epyc xeon-snc hbm-flat grace-hopper cxl; do
  HWLOC_XMLFILE=<(python3 "$inputs/machines.py" $machine) draw $machine
done
for machine in node-gaps cpuless-nodes allowed-part; do
  HWLOC_XMLFILE=$inputs/$machine.xml draw $machine
done
for machine in "node:80 core:1 pu:1" "pu:3" "numa:2 pack:2 core:2 pu:1"; do
  HWLOC_SYNTHETIC=$machine draw "$machine"
done
