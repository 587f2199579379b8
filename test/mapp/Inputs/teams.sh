# Usage: teams.sh GCC-PROGRAM CLANG-PROGRAM
# For guest-team.test: each mode; with libomp, which is slow in the guest, those that pass by its own ways.
export OMP_WAIT_POLICY=passive
OMP_NUM_THREADS=3 $1 default
$1 set 2
$1 again 3
$1 clause 2
$1 two
$2 late 2
$2 clause 2
