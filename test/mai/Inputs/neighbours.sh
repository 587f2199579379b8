# Usage: neighbours.sh PROGRAM, in a guest of 4 nodes with 2 CPUs each.  Runs the program several times at once and shows on which
# CPUs the threads of each may run.
program=$1
mkdir -p /dev/shm
cd /

# VARIABLE=VALUE ... NAME [HOW]
start() {
  setsid env "$@" & # what has no session would pass for a thread of the kernel
}
await() { # NAME ...
  for name; do while [ ! -e "$name" ]; do sleep 0.1; done; done
}
show() { # WORDS NAME ...
  echo "$1: "
  shift
  await "$@"
  cat "$@" | sort
}
end() {
  kill -9 $(pidof "${program##*/}") && wait 2>/dev/null
  rm -f a b c d
}

start OMP_NUM_THREADS=4 "$program" a
start OMP_NUM_THREADS=4 "$program" b
show "two at once" a b
start OMP_NUM_THREADS=2 "$program" c
show "one too many" c
end

start OMP_NUM_THREADS=4 "$program" a
show "all were killed" a
taskset 10 setsid sleep 1000 &
sleep 0.5
start OMP_NUM_THREADS=4 "$program" b
show "CPU 4 is another tool's" b
echo "1 3 1" >/map
start OMP_NUM_THREADS=3 MAI_MAP_FILE=/map MAI_VERBOSE=1 "$program" c 2>said
show "a map" c
grep used said
kill $(pidof sleep)
end

start OMP_NUM_THREADS=8 "$program" a idle
await a
start OMP_NUM_THREADS=8 "$program" b
show "beside an idle one" b
start OMP_NUM_THREADS=1 MAI_NEIGHBOURS=0 "$program" c
show "alone" c
end

start OMP_NUM_THREADS=8 "$program" a fork
show "the child of an idle one" a
end

chmod 1777 /dev/shm
mkdir -m 1777 /users
start OMP_NUM_THREADS=4 "$program" a
await a
start OMP_NUM_THREADS=4 "$program" /users/a user
show "another user" /users/a
end
# Both may run on two CPUs, so they are not pinned.
for i in 1 2; do
  taskset 3 sh -c 'while :; do :; done' &
  loops="$loops $!"
done
mount -o remount,hidepid=2 /proc
# On emulated CPUs a loop may happen not to run when the load is looked at.
for try in 1 2 3 4 5 6 7 8; do
  rm -f /users/b
  start OMP_NUM_THREADS=4 "$program" /users/b user
  await /users/b
  grep -q "^2" /users/b && break
  kill -9 $(pidof "${program##*/}")
done
show "a user who is not seen" /users/b
mount -o remount,hidepid=0 /proc
kill $loops
end

for rank in 2 0 3 1; do
  start OMP_NUM_THREADS=2 OMPI_COMM_WORLD_LOCAL_RANK=$rank OMPI_COMM_WORLD_LOCAL_SIZE=4 "$program" "$rank"
done
show "ranks" 0 1 2 3
end
start SLURM_LOCALID=1 SLURM_STEP_TASKS_PER_NODE='4(x2)' "$program" a
show "a rank with too many threads" a
end

rm -r /dev/shm/minas-0
mkdir /elsewhere
chmod 700 /elsewhere
ln -s /elsewhere /dev/shm/minas-0
start OMP_NUM_THREADS=1 "$program" a
show "a link" a
end
rm /dev/shm/minas-0
mkdir -m 755 /dev/shm/minas-0
start OMP_NUM_THREADS=1 XDG_RUNTIME_DIR=/elsewhere "$program" a
show "a folder for all" a
end
ls /dev/shm/minas-0 /elsewhere
