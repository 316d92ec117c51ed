"""A coin that is thrown: what asymp sample coin p=1/3 says."""

import math

import numpy as np

from asymp.model import Found, Model
from asymp.sample.estimate import make_estimate


def run(values, size, seed, device, progress, level):
    """The share of heads in so many throws."""
    p = float(values["p"])
    heads = np.random.default_rng(seed).binomial(size, p) / size
    stderr = math.sqrt(heads * (1 - heads) / size)
    return Found({"heads": make_estimate(heads, stderr, size, level, seed, "numpy")})


MODEL = Model(
    name="coin",
    parameters={"p": ("strictly between 0 and 1", lambda p: 0 < p < 1)},
    run=run,
    title="a coin",
    size=10**5,
)
