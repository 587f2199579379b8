# dynamic-same.sh PROGRAMS MAI-RUN FILE: what the programs whose names begin with PROGRAMS compute, without mai-run in FILE.plain, with
# memory that moves at random in FILE.moved; the policies that were found by the first are in FILE.learned.
export OMP_NUM_THREADS=4 OMP_WAIT_POLICY=passive MAI_NEIGHBOURS=0 MAI_DYNAMIC_CHAOS=1
while read -r program options; do
  "$1.$program" $options >>"$3.plain"
  "$2" -q --dynamic --learn "$3.$program.learned" "$1.$program" $options >>"$3.moved"
done <<end
laplacian --rows=256 --passes=60
phases --rows=32 --columns=4096 --passes=15
drift --rows=128 --passes=30
random --pages=128 --passes=10
triad --pages=128 --passes=60
server --pages=32 --batches=40
stream --pages=128 --buffers=20
end
