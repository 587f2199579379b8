# Makes the files by which a kernel tells its settings: those of a healthy server, but for what the
# arguments say.  kernel.sh ROOT [PATH=VALUE]...
root=$1; shift
rm -rf "$root"
put() { mkdir -p "$root/${1%/*}" && printf '%s\n' "$2" > "$root/$1"; }
put proc/sys/kernel/osrelease 6.1.0-test
put proc/sys/kernel/numa_balancing 0
put proc/sys/kernel/perf_event_paranoid 2
put proc/sys/vm/zone_reclaim_mode 0
put proc/self/cgroup 0::/job/step
put sys/fs/cgroup/job/cpu.max 'max 100000'
put sys/fs/cgroup/job/step/cpu.max 'max 100000'
put sys/kernel/mm/transparent_hugepage/enabled 'always [madvise] never'
put sys/devices/system/cpu/cpu0/cpufreq/scaling_governor performance
put sys/devices/system/cpu/cpu0/cpufreq/scaling_driver acpi-cpufreq
put sys/bus/event_source/devices/cpu/type 4
for change; do put "${change%%=*}" "${change#*=}"; done
