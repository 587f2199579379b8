# Usage: teams.sh PROGRAM...
# For guest-team.test: each program in each mode.
export OMP_WAIT_POLICY=passive
for program; do
  echo "$(basename $program)"
  OMP_NUM_THREADS=3 $program default
  $program set 2
  $program late 2
  $program again 3
  $program clause 2
  $program two
done
