# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Bodies that attract each other, in an array of records.

A record in a kernel is a reference: `body = bodies[i]` copies nothing, and
assigning to a field of it changes the array.
"""

import math

import numpy as np
from numba import cuda

BODY = np.dtype(
    [("place", "f4", 2), ("speed", "f4", 2), ("mass", "f4"), ("alive", "?")],
    align=True,
)


@cuda.jit(device=True)
def push(body, fx, fy, dt):
    body.speed[0] += fx / body.mass * dt
    body.speed[1] += fy / body.mass * dt


@cuda.jit
def step(bodies, places, dt):
    i = cuda.grid(1)
    if i >= bodies.size or not bodies[i].alive:
        return
    body = bodies[i]
    fx = fy = np.float32(0)
    for other in bodies:
        dx = other.place[0] - body.place[0]
        dy = other.place[1] - body.place[1]
        square = dx * dx + dy * dy + np.float32(0.01)
        force = body.mass * other.mass / (square * math.sqrt(square))
        fx += force * dx
        fy += force * dy
    push(body, fx, fy, dt)
    for axis in range(2):
        places[i, axis] = body.place[axis] + body.speed[axis] * dt


@cuda.jit
def move(bodies, places):
    i = cuda.grid(1)
    if i < bodies.size and bodies[i].alive:
        bodies[i].place[:] = places[i]


random = np.random.default_rng(1)
bodies = np.zeros(100, BODY)
bodies["place"] = random.random((100, 2))
bodies["mass"] = random.random(100) + 1
bodies["alive"] = np.arange(100) % 10 != 0
expected = bodies.copy()

on_device = cuda.to_device(bodies)
places = cuda.device_array((100, 2), np.float32)
for _ in range(3):
    step[2, 64](on_device, places, np.float32(0.001))
    move[2, 64](on_device, places)
bodies = on_device.copy_to_host()

alive = expected["alive"]
for _ in range(3):
    place, mass = expected["place"].astype(float), expected["mass"]
    way = place[None, :] - place[:, None]
    square = (way**2).sum(axis=2) + 0.01
    pull = (way * (mass[None, :] / square**1.5)[..., None]).sum(axis=1)
    expected["speed"][alive] += (pull * 0.001)[alive]
    expected["place"][alive] += (expected["speed"] * 0.001)[alive]
for name in ("place", "speed"):
    assert np.allclose(bodies[name], expected[name], rtol=1e-3, atol=1e-5), name
print(f"{alive.sum()} bodies moved, {(~alive).sum()} did not, in 3 steps")
