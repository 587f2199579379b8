# Usage: every-policy.sh POLICIES-PROGRAM NODES WEIGHTS A B
# Every policy by every unit, with huge pages off and on, on a machine with NODES nodes with memory, of which
# A and B are two; WEIGHTS has a number for each.  See policies.c for what is printed.
program=$1
nodes=$2
weights=$3
subset=$4,$5

every_policy() {
  $program -s $nodes 64x512 "bind $5" "bind $subset" block "block by pages" "block by columns" \
    "block 3..60" "block 60.." "block for 3 threads" "block on $subset" "block-cyclic 1" \
    "block-cyclic 5" "block-cyclic 3 by pages" "block-cyclic 100 by columns" "block-cyclic 7 2..50" \
    cyclic "cyclic by rows" "cyclic by columns" "cyclic on $subset" "cyclic on threads" "cyclic strict" \
    skew "skew by rows" "skew by columns" "skew on $subset" "skew strict" "prime 11" \
    "prime 13 by rows" "prime 101 by columns" "random 5" "random 6 by rows" "random 7 by columns" \
    weighted "weighted $weights" "weighted $weights by rows" "weighted 3,1 on $subset" \
    "irregular 10,20,3 by rows" "irregular 10,0,3 by pages" "irregular 100,200 by columns" \
    local next-touch replicate first-touch "tier largest" "tier fastest" "tier latency" \
    "block populate" "cyclic populate" "skew populate" "bind $5 strict populate" "local populate"
  $program -s $nodes -e 24 7x9x31x43 "block by dimension 1" "block by dimension 2" \
    "block by blocks 2x3x4" "cyclic by blocks 3x2x31" "skew by blocks 1x1x5" "prime 11 by dimension 2" \
    "random 1 by blocks 2x2x2" "weighted $weights by dimension 1" "irregular 3,9 by blocks 1x3x31" \
    "block-cyclic 2 by dimension 3" "block-cyclic 2 by blocks 2x2x2"
  $program -s $nodes -e 1 1 block cyclic skew "prime 11" "random 1"
  $program -s $nodes -e 4097 1 block cyclic skew "cyclic strict"
}

# Enough for huge pages to be distributed, and no multiple of them.
large() {
  options=$1
  shift
  $program $options -e 4 -s $nodes $((nodes * 4210))x1000 "$@"
}

for pages in never always; do
  echo $pages >/sys/kernel/mm/transparent_hugepage/enabled
  every_policy "$@"
done
large "" cyclic skew "weighted $weights" block "block-cyclic 1000" "block by columns" "cyclic strict"
large "-h off" cyclic skew
echo madvise >/sys/kernel/mm/transparent_hugepage/enabled
large "-h transparent" cyclic "prime 11"
