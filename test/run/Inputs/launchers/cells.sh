# Ranks in a virtual machine of four nodes with two cores each, started by a launcher of a cluster: what mai-run --check says of
# them, and what the kernel says. Prints a line a cell.
#   sh cells.sh LAUNCHER MAI-RUN PROGRAM...
# LAUNCHER.sh beside this file starts the launcher and has its cells; PROGRAM is rank.c by one compiler each.
set -eu

inputs=$(dirname "$0")
launcher=$1 mai_run=$2
shift 2
programs=$*

# Launchers look for a machine with a name and an address of its own, and for the user's name.
make_network() {
  ip link set lo up
  ip addr add 10.0.0.1/8 dev lo
  hostname vm
  echo "127.0.0.1 vm localhost" > /etc/hosts
  echo "root:x:0:0:root:/:/bin/sh" > /etc/passwd
  echo "root:x:0:" > /etc/group
}

# CPU NODE CPU NODE ..., of all CPUs.
nodes_of_cpus() {
  for place in /sys/devices/system/cpu/cpu*/node*; do
    cpu=${place%/node*}
    echo "${cpu##*/cpu} ${place##*/node}"
  done
}

# How many ranks and threads wrote what they got, how many CPUs they are on, and how often pages lie on a node that has none of
# their rank's threads.
judge() {
  cat got.* | awk -v nodes="$nodes" '
    BEGIN { count = split(nodes, word); for (i = 1; i < count; i += 2) node_of[word[i]] = word[i + 1] }
    { ranks++; split("", own); pages = 0
      for (i = 2; i <= NF; i++)
        if ($i == "nodes") pages = 1
        else if (pages) { if (!($i in own)) strangers++ }
        else { threads++; if ($i >= 0) { cpus[$i] = 1; own[node_of[$i]] = 1 } } }
    END { for (cpu in cpus) distinct++; print ranks + 0, threads + 0, distinct + 0, strangers + 0 }'
}

# try WHAT-TO-SAY RANKS THREADS CPUS LAUNCHER...: the ranks' command follows the launcher's. Leaves what is said in $said.
try() {
  awaited=$1 numbers="$2 $(($2 * $3)) $4 0"
  export OMP_NUM_THREADS=$3 RANKS=$2
  ranks=$2
  shift 4
  rm -f got.*
  said=$("$@" "$mai_run" --check -p '*: block' "$program" 2>&1) || said="$said
status $?"
  found=$(judge)
  if echo "$said" | grep -qE "$awaited" && [ "$found" = "$numbers" ] && [ "$(echo "$said" | grep -c '^524287$')" = $ranks ]; then
    echo "right: ${program##*/}, $awaited: $*"
  else
    echo "WRONG: ${program##*/}, $awaited: $*: ranks, threads, CPUs, pages elsewhere: $found instead of $numbers"
    echo "$said"
  fi
}

# Does what the last verdict advises, which is to be fine.
follow() {
  advice=$(echo "$said" | sed -n 's/.*; write: OMP_NUM_THREADS=//p')
  threads=${advice%% *}
  try "$fine" $ranks $threads $((ranks * threads)) ${advice#* }
}

fine='check: fine' # with or without cores that are idle

# cell fine|crowded|shared RANKS THREADS LAUNCHER...: what comes out, with one of the programs, in turn: what a launcher
# binds does not depend on the compiler, and what a run-time makes of that not on the launcher's options.
cell() {
  kind=$1 cell_ranks=$2 cell_threads=$3
  shift 3
  program=${programs%% *}
  programs="${programs#* } $program"
  case $kind in
  fine) try "$fine" $cell_ranks $cell_threads $((cell_ranks * cell_threads)) "$@" ;;
  crowded) try "$cell_threads threads on 1 core" $cell_ranks $cell_threads $cell_ranks "$@" ;;
  shared) try 'on cores of rank [01], too' $cell_ranks $cell_threads 1 "$@" ;;
  esac
}

# And then follows what is said.
cured_cell() {
  cell "$@"
  follow
}

make_network
nodes=$(nodes_of_cpus)
cd "$(mktemp -d)"
. "$inputs/$launcher.sh"
