# Open MPI's cells, see cells.sh.
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
export OMPI_MCA_plm=isolated OMPI_MCA_oob_tcp_if_include=lo # on one machine: no ssh, no network
mpirun() { mpirun.openmpi "$@"; }

cell fine 4 1 mpirun -n 4 --bind-to core
cured_cell crowded 2 2 mpirun -n 2 --bind-to core
cell fine 4 2 mpirun -n 4 --map-by ppr:1:numa:PE=2 --bind-to core
cell fine 4 2 mpirun -n 4 --map-by numa --bind-to numa
cell fine 2 4 mpirun -n 2 --bind-to none
cured_cell shared 2 1 mpirun -n 2 --cpu-set 0 --bind-to core:overload-allowed
