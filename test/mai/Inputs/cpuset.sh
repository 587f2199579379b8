# Usage: cpuset.sh PROGRAM, in a guest of 4 nodes with 2 CPUs each.  Runs the program in cpusets, each with its CPUs and memory
# nodes in the line before.
program=$1
echo +cpuset >/sys/fs/cgroup/cgroup.subtree_control
mkdir /sys/fs/cgroup/part

in_cpuset() { # CPUS MEMS [VARIABLE=VALUE]
  echo "$1" >/sys/fs/cgroup/part/cpuset.cpus
  echo "$2" >/sys/fs/cgroup/part/cpuset.mems
  echo "CPUs $1, memory $2 $3"
  sh -c "echo \$\$ >/sys/fs/cgroup/part/cgroup.procs; exec env $3 $program"
}

in_cpuset 0-7 0-1
in_cpuset 0-7 0,2
in_cpuset 0-7 0-2
in_cpuset 0-2 0-3
in_cpuset 1,4-5 0-3
in_cpuset 0-2 0-3 MAI_MAPPING=none
in_cpuset 0-7 0-1 MAI_MAPPING=none
