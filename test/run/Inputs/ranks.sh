# Two ranks of a program under mai-run --check, as launchers start them.
# ranks.sh CPUS-OF-RANK-0 CPUS-OF-RANK-1 RANK-VARIABLE SIZE-VARIABLE COMMAND...
first=$1 second=$2 rank=$3 size=$4
shift 4
env $rank=1 $size=2 PMIX_NAMESPACE=run taskset -c $second "$@" &
env $rank=0 $size=2 PMIX_NAMESPACE=run taskset -c $first "$@"
wait
