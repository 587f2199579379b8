# Usage: neighbours-soak.sh PROGRAM ROUNDS SEED, in a guest of 8 CPUs.  Starts up to 8 programs of 1 to 4 threads at random, up to
# three at once, and kills others at random.  Says where two programs have a CPU, and where a thread has none while there is one
# that nobody has.
program=$1
mkdir -p /dev/shm /pinned /rounds
cd /

# In each round: programs to kill, counted from the oldest, and threads of those to start.
awk -v rounds="$2" -v seed="$3" 'BEGIN {
  srand(seed)
  for (round = 1; round <= rounds; round++) {
    kill = start = ""
    for (i = int(rand() * 3); i > 0; i--) kill = kill " " int(rand() * 8)
    for (i = 1 + int(rand() * 3); i > 0; i--) start = start " " 1 + int(rand() * 4)
    print round ";" kill ";" start
  }
}' >/rounds/all

pinned() { cat /pinned/* 2>/dev/null | tr ' ' '\n' | grep -v , | sort -n; }

end() { # NAME
  kill -9 "$(cat "/rounds/$1.process")"
  while [ -d "/proc/$(cat "/rounds/$1.process")" ]; do sleep 0.05; done
  rm "/pinned/$1"
  killed=$((killed + 1))
}

begin() { # NAME THREADS
  OMP_NUM_THREADS=$2 setsid "$program" "/rounds/$1" &
  echo $! >"/rounds/$1.process"
  started=$((started + 1))
}

while IFS=';' read -r round kills starts; do
  for number in $kills; do
    name=$(ls /pinned | sed -n "$((number + 1))p")
    [ -n "$name" ] && end "$name"
  done
  free=$((8 - $(pinned | wc -l)))
  names=
  for threads in $starts; do
    [ "$(ls /pinned | wc -l)" -ge 8 ] && break
    name=$(printf '%03d-%d' "$round" $threads$((started % 10)))
    begin "$name" "$threads"
    names="$names $name"
    free=$((free - threads))
  done
  for name in $names; do
    while [ ! -e "/rounds/$name" ]; do sleep 0.1; done
    mv "/rounds/$name" "/pinned/$name"
  done
  for cpu in $(pinned | uniq -d); do echo "round $round: CPU $cpu is used twice"; done
  [ "$free" -ge 0 ] && for name in $names; do
    grep -q , "/pinned/$name" && echo "round $round: $free CPUs are free, and $name has: $(cat "/pinned/$name")"
  done
done </rounds/all

for name in $(ls /pinned); do end "$name"; done
begin last 8
while [ ! -e /rounds/last ]; do sleep 0.1; done
echo "$started started, $killed killed; the last has: $(cat /rounds/last)"
kill -9 "$(cat /rounds/last.process)"
