# Usage: neighbours-at-once.sh PROGRAM ROUNDS, in a guest of 8 CPUs.  In each round starts four programs of two threads at once, while
# another never ends its turn to choose.  Says where a CPU is not used by just one of their threads.
program=$1
mkdir -p /dev/shm /seen
cd /

setsid "$program" /turn turn &
while [ ! -e /turn ]; do sleep 0.1; done

for round in $(seq "$2"); do
  programs=
  for name in a b c d; do
    OMP_NUM_THREADS=2 setsid "$program" "/seen/$name" &
    programs="$programs $!"
  done
  for name in a b c d; do
    while [ ! -e "/seen/$name" ]; do sleep 0.05; done
  done
  cpus=$(cat /seen/? | tr ' ' '\n' | sort | tr '\n' ' ')
  [ "$cpus" = "0 1 2 3 4 5 6 7 " ] || echo "round $round: $cpus"
  kill -9 $programs
  wait $programs
  rm /seen/?
done 2>/dev/null
echo "$2 rounds"
kill -9 "$(pidof "${program##*/}")"
