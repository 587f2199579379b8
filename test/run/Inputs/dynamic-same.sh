# dynamic-same.sh PROGRAM MAI-RUN FILE: what the program computes by each pattern, without mai-run in FILE.plain, with
# memory that moves at random in FILE.moved; the policies that were found last are in FILE.learned.
export OMP_NUM_THREADS=4 OMP_WAIT_POLICY=passive MAI_NEIGHBOURS=0 MAI_DYNAMIC_CHAOS=1
for pattern in laplace phases drift random short; do
  "$1" $pattern 256 40
done >"$3.plain"
for pattern in laplace phases drift random short; do
  "$2" -q --dynamic --learn "$3.learned" "$1" $pattern 256 40
done >"$3.moved"
