"""A map of many pencil states by Dask on two local workers and on one: wall time, CPU time and memory of the processes.

    python python/benches/dask_map.py [SIDE [REPEATS]]         SIDE x SIDE verdicts, 10000 and 3 if nothing is said

Workers are processes with one thread each. The times of one and of two are taken in turns and the best of each is compared, since other work on the
machine makes all of them longer. Parts are written to a temporary folder, and their hashes are compared.
"""

import os
import sys
import tempfile
import time
from pathlib import Path

import mechan
import mechan.dask


def peak(_=None):
    """Largest resident memory of this process, MB."""
    status = Path("/proc/self/status").read_text()
    return int(status.split("VmHWM:")[1].split()[0]) / 1024


def cpu():
    """CPU time of this process, s."""
    times = os.times()
    return times.user + times.system


def once(pencil, side, workers):
    from distributed import Client, LocalCluster

    with LocalCluster(n_workers=workers, threads_per_worker=1, dashboard_address=None) as cluster, Client(cluster) as client:
        client.run(__import__, "mechan.dask")
        with tempfile.TemporaryDirectory() as folder:
            before, begun = sum(client.run(cpu).values()), time.perf_counter()
            data = mechan.dask.map(
                client, pencil, ("theta", 0, 1.5, side), ("mu", 0, 3, side), state="slipping_with_the_lean", output=Path(folder) / "map"
            )
            wall = time.perf_counter() - begun
            spent = sum(client.run(cpu).values()) - before
            size = sum(path.stat().st_size for path in data.files) / 1e6
            assert data.manifest["rows"] == side * side and data.boundaries
            hashes = [part["sha256"] for part in data.manifest["parts"]]
        return wall, spent, max(client.run(peak).values()), size, hashes


def main():
    side = int(sys.argv[1]) if len(sys.argv) > 1 else 10_000
    repeats = int(sys.argv[2]) if len(sys.argv) > 2 else 3
    pencil = mechan.model("falling_pencil")
    best, bits = {}, None
    for _ in range(repeats):
        for workers in (1, 2):
            wall, spent, memory, size, hashes = once(pencil, side, workers)
            assert bits in (None, hashes), "the bits depend on the workers"
            bits = hashes
            best[workers] = min(best.get(workers, wall), wall)
            load = os.getloadavg()[0]
            print(
                f"{workers} workers: {wall:.2f} s, CPU of workers {spent:.2f} s, at most {memory:.0f} MB a worker, {peak():.0f} MB here, "
                f"{len(hashes)} parts, {size:.0f} MB, load {load:.1f}",
                flush=True,
            )
    print(f"{side * side:.0e} cells: two workers are {best[1] / best[2]:.2f} times as fast as one")


if __name__ == "__main__":
    main()
