# Part of Minas, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The shape of the guest's machine, and QEMU's arguments for it.

Linux numbers the nodes of an x86 machine in the order in which the firmware's affinity table names
them: first those of CPUs, then those of memory alone.  So a node without CPUs comes after all nodes
with CPUs.  A *gap*, a number that no node has, is a node whose socket is empty: Linux counts it as
possible and never brings it online.
"""

from dataclasses import dataclass, field

# What processors have to be fast or safe, and an emulator spends time on: copying by bytes, which it does one by one, a fifth
# level of page tables, and keeping the kernel from users' memory, of which it has separate tables then.
_SLOW_FEATURES = ("erms=off", "la57=off", "smap=off")

_REMOTE_DISTANCE = 20  # what Linux takes where the firmware says nothing


class BadShape(ValueError):
    """A machine that cannot be built."""


@dataclass
class Machine:
    """Nodes are numbered from 0; the first socket_count() of them have a socket, maybe empty."""

    nodes: int  # with CPUs
    cores: int = 1  # per node
    threads: int = 1  # per core
    cpuless: int = 0  # nodes without CPUs
    gaps: frozenset = frozenset()  # numbers of nodes with an empty socket
    memory: list = field(default_factory=lambda: [512])  # MiB of each node, or of every node
    distances: list = None  # rows of the matrix of the nodes that exist, or None
    equal: bool = False  # all CPUs are equally fast

    def __post_init__(self):
        if min(self.nodes, self.cores, self.threads) < 1:
            raise BadShape("a machine has at least one node, core and thread")
        if 0 in self.gaps:
            raise BadShape("node 0 cannot be a gap: the machine boots on its CPU")
        last = self.socket_count() + self.cpuless - 1
        if self.gaps and max(self.gaps) >= min(last, self.socket_count()):
            raise BadShape(f"node {max(self.gaps)} cannot be a gap: a node must come after it, and "
                           "nodes without CPUs come last")
        if len(self.memory) == 1:
            self.memory = self.memory * len(self.existing())
        if len(self.memory) != len(self.existing()):
            raise BadShape(f"{len(self.existing())} nodes, but {len(self.memory)} sizes of memory")
        if self.equal and self.gaps:
            raise BadShape("CPUs can be equally fast only where all numbers of nodes are in use")
        if self.distances is not None:
            self._check_distances()

    def _check_distances(self):
        count = len(self.existing())
        if [len(row) for row in self.distances] != [count] * count:
            raise BadShape(f"{count} nodes need {count} rows of {count} distances")

    def socket_count(self):
        return self.nodes + len(self.gaps)

    def existing(self):
        """The numbers of the nodes that exist."""
        return [n for n in range(self.socket_count() + self.cpuless) if n not in self.gaps]

    def qemu_arguments(self, folder, shared):
        """The memory of node N is the file `folder`/memoryN, which the machine changes if it is `shared`."""
        return [*self._memory(folder, "on" if shared else "off"), *self._cpus(), *self._distances()]

    def kernel_arguments(self):
        """With more than 8 possible CPUs Linux addresses interrupts to one CPU, not to a set of
        them; QEMU 7.2 loses those to a set that includes a CPU after an empty socket."""
        if self.equal:
            return [f"possible_cpus={len(self._plugged())}", "iomem=relaxed"]
        return [f"possible_cpus={max(9, len(self._plugged()))}"] if self.gaps else []

    def _memory(self, folder, share):
        size = dict(zip(self.existing(), self.memory))
        yield from ("-m", f"{sum(self.memory)}M")
        for node in range(self.socket_count() + self.cpuless):
            if size.get(node):
                yield "-object"
                yield (f"memory-backend-file,id=memory{node},size={size[node]}M,"
                       f"mem-path={folder}/memory{node},share={share}")
                yield from ("-numa", f"node,nodeid={node},memdev=memory{node}")
            else:
                yield from ("-numa", f"node,nodeid={node}")

    def _cpus(self):
        """One socket a node; QEMU plugs the first CPU, and devices plug the others."""
        sockets = self.socket_count() * (2 if self.equal else 1)
        possible = sockets * self.cores * self.threads
        # Linux believes what an Intel processor says about threads that share a core.
        yield from ("-cpu", ",".join(("max,vendor=GenuineIntel", *_SLOW_FEATURES)))
        yield "-smp"
        yield f"1,maxcpus={possible},sockets={sockets},cores={self.cores},threads={self.threads}"
        for socket in range(sockets):
            yield from ("-numa", f"cpu,node-id={socket % self.socket_count()},socket-id={socket}")
        for socket, core, thread in self._in_turn()[1:]:
            yield "-device"
            yield f"max-x86_64-cpu,socket-id={socket},core-id={core},thread-id={thread}"

    def _in_turn(self):
        """Where all are to be equally fast each is followed by one that Linux does not use: a turn ends with a timer, and in the
        next turn QEMU 7.2 runs what waits for that one, not the CPU."""
        if not self.equal:
            return self._plugged()
        return [each for socket, *rest in self._plugged()
                for each in ((socket, *rest), (socket + self.socket_count(), *rest))]

    def _plugged(self):
        return [
            (socket, core, thread)
            for socket in range(self.socket_count())
            if socket not in self.gaps
            for core in range(self.cores)
            for thread in range(self.threads)
        ]

    def _distances(self):
        if self.distances is None:
            return
        place = {node: i for i, node in enumerate(self.existing())}
        count = self.socket_count() + self.cpuless
        for source in range(count):
            for target in range(count):
                if source in place and target in place:
                    distance = self.distances[place[source]][place[target]]
                else:
                    distance = _REMOTE_DISTANCE if source != target else 10
                yield from ("-numa", f"dist,src={source},dst={target},val={distance}")
