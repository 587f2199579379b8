# Usage: measure-in-guest.sh <numarch> <numarch with measurements of its own>
numarch=$1
measured=$2
measure() { "$measured" --measure=quick "$@" 2>/dev/null; }

text=$(measure --measure-bytes=256K)
echo "text $?"
echo "$text"

echo files
for folder in /run/new /run/new/cache /run/new/cache/minas; do
  echo "$(ls -ld $folder | cut -c 1-10) $folder"
done
ls -lA /run/new/cache/minas | awk '$9 { print substr($1, 1, 10), $9 }'
echo end of files

echo afterwards
"$numarch" --csv | grep -E '^node,[03],factor,2'

echo bound to the CPUs of node 2
taskset c "$measured" --measure=quick --measure-bytes=256K --csv 2>/dev/null | grep '^node,.*,latency,'
echo all
"$numarch" --csv | grep '^node,.*,latency,'

"$measured" --measure=quick --measure-bytes=1G --json >/run/bounded 2>/dev/null
echo "bounded $?"
file=$(echo /run/new/cache/minas/*)
[ "$(sed 's/.*"bytes": \([0-9]*\).*/\1/' "$file")" -lt 120000000 ] && echo yes

echo real
"$numarch" --measure=quick --measure-bytes=256K --csv >/run/real 2>/run/told
status=$?
values=$(grep -c '^node,.*,[a-z_]*\(latency\|bandwidth\),.*,measured$' /run/real)
[ $status -eq 0 ] && [ "$values" -eq 42 ] || { [ $status -eq 4 ] && grep -q 'not kept' /run/told; } &&
  echo each value is there or told
