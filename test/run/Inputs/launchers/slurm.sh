# Slurm's cells, see cells.sh: a controller and the daemons of two machines, which have two of the nodes each.
root=$SLURM_ROOT
state=$(pwd)/slurm

configure() {
  mkdir -p "$state/state" "$state/spool/n0" "$state/spool/n1"
  cat > slurm.conf << CONF
ClusterName=t
SlurmctldHost=vm(127.0.0.1)
SlurmUser=root
SlurmdUser=root
AuthType=auth/none
CredType=cred/none
PluginDir=$root/usr/lib/x86_64-linux-gnu/slurm-wlm
StateSaveLocation=$state/state
SlurmdSpoolDir=$state/spool/%n
SlurmctldPidFile=$state/control.pid
SlurmdPidFile=$state/%n.pid
SlurmctldLogFile=$state/control.log
SlurmdLogFile=$state/%n.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/affinity
JobAcctGatherType=jobacct_gather/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
MpiDefault=none
ReturnToService=2
SlurmctldPort=46817
SlurmdParameters=config_overrides
NodeName=DEFAULT CPUs=8 Sockets=4 CoresPerSocket=2 ThreadsPerCore=1 RealMemory=500
NodeName=n0 NodeHostname=vm NodeAddr=127.0.0.1 Port=46900 CpuSpecList=4-7
NodeName=n1 NodeHostname=vm NodeAddr=127.0.0.1 Port=46901 CpuSpecList=0-3
PartitionName=p Nodes=n[0-1] Default=YES State=UP
CONF
}

start() {
  "$root/usr/sbin/slurmctld-wlm" -c
  for node in n0 n1; do
    "$root/usr/sbin/slurmd-wlm" -N $node -d "$root/usr/sbin/slurmstepd-wlm"
  done
  for second in $(seq 60); do
    "$root/usr/bin/sinfo" -h -o '%T %D' | grep -q 'idle 2' && return
    sleep 1
  done
  tail "$state"/*.log
  exit 1
}

# A batch script that starts its ranks by srun. OPTIONS: of sbatch; then of srun.
batch() {
  options=$1
  shift
  "$root/usr/bin/sbatch" -Q --wait -o batch.out $options --wrap "$root/usr/bin/srun $(quoted "$@")" || true
  cat batch.out
}

quoted() {
  for each; do
    printf "'%s' " "$each"
  done
}

srun() { "$root/usr/bin/srun" "$@"; }

configure
export SLURM_CONF=$(pwd)/slurm.conf
start
cell fine 2 2 srun -N1 -n2 -c2 --cpu-bind=cores
cell fine 4 2 srun -N2 -n4 -c2 --cpu-bind=cores
cell crowded 1 2 srun -n1
cell fine 2 2 srun -N1 -n2 -c2 --cpu-bind=none
cured_cell shared 2 1 srun -N1 -n2 --cpu-bind=map_cpu:0,0
cell fine 4 2 batch "-N2 -n4 -c2" -c2 --cpu-bind=cores
cured_cell crowded 2 2 batch "-N1 -n2 -c2" --cpu-bind=cores # since Slurm 22.05 srun does not take -c from the script
