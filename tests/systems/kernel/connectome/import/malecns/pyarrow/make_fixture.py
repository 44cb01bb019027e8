"""Writes the three tables beside this file with pyarrow, and expected.json with pandas: a second reader's answer.

Made with pyarrow 26.0.1, numpy and pandas; run again only when the fixture has to change.
"""

import hashlib
import json
import os
import random

import numpy as np
import pyarrow as pa
import pyarrow.feather as feather

HERE = os.path.dirname(os.path.abspath(__file__))
ANNOTATIONS = "body-annotations-male-cns-v1.0-minconf-0.5.feather"
TRANSMITTERS = "body-neurotransmitters-male-cns-v1.0.feather"
WEIGHTS = "connectome-weights-male-cns-v1.0-minconf-0.5-traced-only.feather"
BODIES = 240
ROWS = 4000
SIGNS = {"acetylcholine": 1, "gaba": -1, "glutamate": -1, "histamine": -1, "dopamine": 1, "serotonin": 1}

random.seed(3)
bodies = [10001 + 3 * i + (2**41 if i % 50 == 0 else 0) for i in range(BODIES)]
random.shuffle(bodies)


def some(value, share):
    return value if random.random() < share else None


superclass = [random.choice(["ol_intrinsic", "cb_intrinsic", "descending_neuron", "cb_motor", "vnc_motor", None]) for _ in bodies]


def cell_type(name):
    if name == "ol_intrinsic":
        return random.choice(["L1", "L1", "Tm3", "L2"])
    if name == "cb_intrinsic":
        return random.choice(["KCg-m", "KCab-c", "MBON01", "PAM01", "PPL101"])
    if name == "descending_neuron":
        return random.choice(["DNa01", "DNa02", "DNp09", "MDN", "DNg100"])
    return some("other", 0.8)


annotations = pa.table(
    {
        "bodyId": pa.array(bodies, pa.int64()),
        "status": pa.array(["Traced"] * BODIES).dictionary_encode(),
        "statusLabel": pa.array(["Roughly traced"] * BODIES),
        "superclass": pa.array(superclass).dictionary_encode(),
        "class": pa.array([some("Kenyon_Cell", 0.1) if s == "cb_intrinsic" else None for s in superclass], pa.large_string()),
        "subclass": pa.nulls(BODIES),
        "type": pa.array([cell_type(s) for s in superclass]),
        "somaSide": pa.array([random.choice(["L", "R", None, "M"]) for _ in bodies]),
        "rootSide": pa.array([random.choice(["L", "R", None]) for _ in bodies]),
        "somaLocation": pa.array([some([random.randrange(90000) for _ in range(3)], 0.8) for _ in bodies], pa.list_(pa.int64())),
        "tosomaLocation": pa.array([None] * BODIES, pa.list_(pa.int64())),
        "assignedOlHex1": pa.array([some(float(random.randrange(1, 36)), 0.9) for _ in bodies]),
        "assignedOlHex2": pa.array([float(random.randrange(1, 36)) if random.random() < 0.9 else float("nan") for _ in bodies]),
        "fruDsx": pa.array([random.choice(["fru", None]) for _ in bodies]),
        "checked": pa.array([True] * BODIES),
        "entered": pa.array([0] * BODIES, pa.timestamp("ns")),
    }
)
labels = list(SIGNS) + ["unclear", None]
transmitters = pa.table(
    {
        "body": pa.array(bodies, pa.uint64()),
        "predicted_nt": pa.array([random.choice(labels) for _ in bodies]),
        "predicted_nt_confidence": pa.array([random.random() for _ in bodies], pa.float32()),
        "consensus_nt": pa.array([random.choice(labels) for _ in bodies]).dictionary_encode(),
    }
)
pairs = set()
while len(pairs) < ROWS:
    pairs.add((random.choice(bodies), random.choice(bodies)))
pairs = sorted(pairs, key=lambda pair: hash(pair))
weights = pa.table(
    {
        "body_pre": pa.array([a for a, _ in pairs], pa.int64()),
        "body_post": pa.array([b for _, b in pairs], pa.int64()),
        "weight": pa.array([random.randrange(1, 60) for _ in pairs], pa.int64()),
        "type_pre": pa.array([random.choice(["KCg-m", "L1", None]) for _ in pairs]),
        "type_post": pa.array([random.choice(["KCg-m", "L1", None]) for _ in pairs]).dictionary_encode(),
    }
)
for name, table in [(ANNOTATIONS, annotations), (TRANSMITTERS, transmitters), (WEIGHTS, weights)]:
    feather.write_feather(table, os.path.join(HERE, name), compression="lz4", chunksize=1500)

a = feather.read_table(os.path.join(HERE, ANNOTATIONS)).to_pandas()
nt = feather.read_table(os.path.join(HERE, TRANSMITTERS)).to_pandas().set_index("body")
w = feather.read_table(os.path.join(HERE, WEIGHTS)).to_pandas()
inventory = np.sort(a[a.superclass.notna()].bodyId.values)
index = {body: i for i, body in enumerate(inventory)}


def sign(body):
    row = nt.loc[body]
    if row.consensus_nt in SIGNS:
        return SIGNS[row.consensus_nt]
    if row.predicted_nt in SIGNS and row.predicted_nt_confidence >= 0.5:
        return SIGNS[row.predicted_nt]
    return 1


def digest(array, dtype):
    return hashlib.sha256(np.ascontiguousarray(array, dtype=dtype).tobytes()).hexdigest()


kept = w[w.body_pre.isin(inventory) & w.body_post.isin(inventory)].copy()
kept["s"] = kept.body_pre.map(index)
kept["t"] = kept.body_post.map(index)
kept = kept.sort_values(["s", "t"])
signs = {body: sign(body) for body in inventory}
l1 = a[(a.type == "L1") & a.superclass.notna() & a.assignedOlHex1.notna() & a.assignedOlHex2.notna()].copy()
l1["side"] = l1.somaSide.fillna(l1.rootSide)
l1 = l1[l1.side.isin(["L", "R"])].sort_values("bodyId")
x = (l1.assignedOlHex2 - l1.assignedOlHex1) * (np.sqrt(3) / 2)
y = (l1.assignedOlHex1 + l1.assignedOlHex2) / 2


def measured(least):
    part = kept[kept.weight >= least]
    starts = np.searchsorted(part.s.values, np.arange(len(inventory) + 1))
    return {
        "edges": int(len(part)),
        "contacts": int(part.weight.sum()),
        "indptr": digest(starts, "<u4"),
        "targets": digest(part.t, "<u4"),
        "weights": digest(part.weight * part.body_pre.map(signs), "<i2"),
    }


expected = {
    "neurons": int(len(inventory)),
    "outside": int(len(w) - len(kept)),
    "columns": int(len(l1)),
    "visualIndices": digest([index[body] for body in l1.bodyId], "<u4"),
    "visualHemisphere": digest((l1.side == "R").astype(int), "u1"),
    "visualXY": digest(np.stack([x, y], axis=1), "<f4"),
    "threshold1": measured(1),
    "threshold5": measured(5),
}
with open(os.path.join(HERE, "expected.json"), "w") as out:
    json.dump(expected, out, indent=2)
    out.write("\n")
