# Usage: policies.sh PROGRAM MAP-FILE MAP-FILE
# For guest-policies.test: what allocate.c prints, under huge pages off and on.
for pages in never always; do
  echo $pages >/sys/kernel/mm/transparent_hugepage/enabled
  echo "huge pages $pages"
  $1 'bind 2' 100 4096
  $1 block 64 4096
  MAI_MAP_FILE=$2 $1 block 64 4096
  MAI_MAP_FILE=$3 $1 block 64 4096
  $1 cyclic 64 4096
done
$1 block 5000 4096
$1 cyclic 16500 4096
