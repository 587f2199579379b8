# MPICH's cells, see cells.sh.
mpiexec() { mpiexec.hydra "$@"; }

cell fine 4 1 mpiexec -n 4 -bind-to core
cured_cell crowded 2 2 mpiexec -n 2 -bind-to core
cell fine 4 2 mpiexec -n 4 -bind-to core:2
cell fine 4 2 mpiexec -n 4 -bind-to numa
cell fine 2 4 mpiexec -n 2
cured_cell shared 2 1 mpiexec -n 2 -bind-to user:0,0
