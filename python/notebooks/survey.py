# %% [markdown]
# # A figure of the survey in twenty lines, and the same a hundred times finer
# Where does a sliding pencil, leaning towards its slip, have a consistent contact force? Below 4/3 nothing happens; above, there is a tongue.

# %%
import mechan

pencil = mechan.model("falling_pencil")
found = pencil.map(("theta", 0.02, 1.5, 80), ("mu", 0.1, 3, 60), state="slipping_with_the_lean")
found

# %%
analysis = pencil.analyze("slipping_with_the_lean", mu=1.5, theta="atan(1/2)")
assert abs(analysis.critical_friction["tip"].mu - 4 / 3) < 1e-9
paradox = found.y[(found.values == "inconsistent").any(axis=1) | (found.values == "indeterminate").any(axis=1)]
print("least friction with a paradox:", analysis.critical_friction["tip"].mu, "on this grid:", paradox.min())
assert 4 / 3 < paradox.min() < 4 / 3 + 0.1
analysis

# %% [markdown]
# With a client the same map in pieces, here ten times finer each way: a folder that is read in pieces, too.

# %%
import tempfile
from collections import Counter

from distributed import Client, LocalCluster

import mechan.dask

folder = tempfile.mkdtemp()
with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster, Client(cluster) as client:
    fine = mechan.dask.map(
        client, pencil, ("theta", 0.02, 1.5, 800), ("mu", 0.1, 3, 600), state="slipping_with_the_lean", points=60_000, output=folder + "/map"
    )
print(fine)
count = Counter()
for batch in fine.batches(["verdict"]):
    count.update(str(word) for word in batch.column(0).to_pylist())
assert sum(count.values()) == 480_000
count
