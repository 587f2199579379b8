# Usage: views-in-guest.sh <numarch>
numarch=$1
show() { "$@" | grep -E '^(May use|Nodes|CPUs) '; }

echo free
show "$numarch"
echo taskset
show taskset c "$numarch"
echo numactl
show numactl --membind=1,3 "$numarch"

echo +cpuset >/sys/fs/cgroup/cgroup.subtree_control
mkdir /sys/fs/cgroup/part
echo 2-5 >/sys/fs/cgroup/part/cpuset.cpus
echo 1-2 >/sys/fs/cgroup/part/cpuset.mems
echo $$ >/sys/fs/cgroup/part/cgroup.procs
echo cgroup
show "$numarch"
echo all, the part only
show taskset 8 numactl --membind=1 "$numarch" --allowed
taskset 8 numactl --membind=1 "$numarch" --allowed --csv | grep allowed,
