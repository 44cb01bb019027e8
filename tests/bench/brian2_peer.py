"""The same graph and the same point neuron in Brian2, timed. Usage: brian2_peer.py FOLDER; prints one JSON line.

FOLDER holds job.json (neurons, decay, threshold, refractoryTicks, floor, synapseScale, noiseKicks, noiseAmount,
settleTicks, batches, batchTicks) and little-endian arrays sources.bin, targets.bin (i4), weights.bin (i2) and
drive.bin, light.bin (f8, per neuron and tick). Noise is drawn by numpy, so spikes match in number only, not one by one.
"""

import json
import sys
import time

import numpy
from brian2 import Network, NeuronGroup, SpikeMonitor, Synapses, defaultclock, ms, network_operation, prefs
from brian2 import __version__

folder = sys.argv[1]
with open(f"{folder}/job.json", encoding="utf8") as file:
    job = json.load(file)


def array(name, dtype):
    return numpy.fromfile(f"{folder}/{name}.bin", dtype=dtype)


prefs.codegen.target = "cython"
defaultclock.dt = 1 * ms
constants = {"decay": job["decay"], "firing": job["threshold"], "lowest": job["floor"], "scale": job["synapseScale"]}
cells = NeuronGroup(
    job["neurons"],
    "v : 1\ndrive : 1 (constant)\nlight : 1 (constant)",
    threshold="v >= firing",
    reset="v = 0",
    # Brian2 lets a neuron fire again when this has passed, we one tick later
    refractory=(job["refractoryTicks"] + 1) * ms,
    namespace=constants,
)
cells.drive = array("drive", "<f8")
cells.light = array("light", "<f8")
# order 1: after Brian2 has renewed not_refractory
cells.run_regularly("v = (v + light) * decay + drive * int(not_refractory)", when="groups", order=1)
edges = Synapses(cells, cells, "w : 1", on_pre="v_post = clip(v_post + w * scale, lowest, 1e9)", namespace=constants)
edges.connect(i=array("sources", "<i4"), j=array("targets", "<i4"))
edges.w = array("weights", "<i2")
membrane = cells.variables["v"].get_value()
random = numpy.random.default_rng(1)
spikes = SpikeMonitor(cells, record=False)
marks = []


@network_operation(when="start")
def kick():
    # a few hundred draws, not one a neuron: the cheapest form of this noise that Brian2 has
    numpy.add.at(membrane, random.integers(0, job["neurons"], job["noiseKicks"]), job["noiseAmount"])


@network_operation(dt=job["batchTicks"] * ms, when="start")
def mark():
    marks.append(time.perf_counter())


network = Network(cells, edges, kick, spikes, mark)
# as in our tick: a neuron that fires is reset before the spikes of that tick arrive
network.schedule = ["start", "groups", "thresholds", "resets", "synapses", "end"]
network.run(job["settleTicks"] * ms)
before = spikes.num_spikes
marks.clear()
cpu = time.process_time()
wall = time.perf_counter()
network.run(job["batches"] * job["batchTicks"] * ms)
wall = time.perf_counter() - wall
cpu = time.process_time() - cpu
marks.append(time.perf_counter())
print(
    json.dumps(
        {
            "version": __version__,
            "spikes": int(spikes.num_spikes - before),
            "wallMs": 1000 * wall,
            "cpuMs": 1000 * cpu,
            "batchMs": [1000 * (b - a) for a, b in zip(marks, marks[1:])],
        }
    )
)
