# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A step of a flow in three dimensions, a kernel of 300 lines.

The lattice Boltzmann method with 19 directions (D3Q19), one relaxation time and
Smagorinsky's model of turbulence, around solid cells in a periodic box. All of
it is one kernel, as such programs are written: `compile.py` measures how long a
kernel of this length takes to compile.
"""

import math

import numpy as np
from numba import cuda

# Weights of the directions.
CENTER = 1 / 3
FACE = 1 / 18
EDGE = 1 / 36


@cuda.jit
def step(
    new,
    new_dye,
    density,
    velocity,
    old,
    old_dye,
    solid,
    force,
    tau,
    tau_dye,
    smagorinsky,
):
    """Streams `old` to each cell and lets it collide there.

    `new` and `old` have 19 numbers for each cell and 7 for the dye, `velocity`
    and `force` three components; each `tau` is a relaxation time in steps.
    """
    i, j, k = cuda.grid(3)
    if i >= density.shape[0] or j >= density.shape[1] or k >= density.shape[2]:
        return

    # Neighbours; the box is periodic.
    east = (i + 1) % density.shape[0]
    west = (i - 1) % density.shape[0]
    north = (j + 1) % density.shape[1]
    south = (j - 1) % density.shape[1]
    top = (k + 1) % density.shape[2]
    bottom = (k - 1) % density.shape[2]

    # What streams in, each from where it left.
    f_c = old[0, i, j, k]
    f_e = old[1, west, j, k]
    f_w = old[2, east, j, k]
    f_n = old[3, i, south, k]
    f_s = old[4, i, north, k]
    f_t = old[5, i, j, bottom]
    f_b = old[6, i, j, top]
    f_ne = old[7, west, south, k]
    f_sw = old[8, east, north, k]
    f_se = old[9, west, north, k]
    f_nw = old[10, east, south, k]
    f_et = old[11, west, j, bottom]
    f_wb = old[12, east, j, top]
    f_eb = old[13, west, j, top]
    f_wt = old[14, east, j, bottom]
    f_nt = old[15, i, south, bottom]
    f_sb = old[16, i, north, top]
    f_nb = old[17, i, south, top]
    f_st = old[18, i, north, bottom]

    # A solid cell sends everything back.
    if solid[i, j, k]:
        new[0, i, j, k] = f_c
        new[1, i, j, k] = f_w
        new[2, i, j, k] = f_e
        new[3, i, j, k] = f_s
        new[4, i, j, k] = f_n
        new[5, i, j, k] = f_b
        new[6, i, j, k] = f_t
        new[7, i, j, k] = f_sw
        new[8, i, j, k] = f_ne
        new[9, i, j, k] = f_nw
        new[10, i, j, k] = f_se
        new[11, i, j, k] = f_wb
        new[12, i, j, k] = f_et
        new[13, i, j, k] = f_wt
        new[14, i, j, k] = f_eb
        new[15, i, j, k] = f_sb
        new[16, i, j, k] = f_nt
        new[17, i, j, k] = f_st
        new[18, i, j, k] = f_nb
        density[i, j, k] = 0
        velocity[0, i, j, k] = 0
        velocity[1, i, j, k] = 0
        velocity[2, i, j, k] = 0
        new_dye[0, i, j, k] = old_dye[0, i, j, k]
        new_dye[1, i, j, k] = old_dye[2, east, j, k]
        new_dye[2, i, j, k] = old_dye[1, west, j, k]
        new_dye[3, i, j, k] = old_dye[4, i, north, k]
        new_dye[4, i, j, k] = old_dye[3, i, south, k]
        new_dye[5, i, j, k] = old_dye[6, i, j, top]
        new_dye[6, i, j, k] = old_dye[5, i, j, bottom]
        return

    # Density and velocity.
    rho = f_c
    rho += f_e
    rho += f_w
    rho += f_n
    rho += f_s
    rho += f_t
    rho += f_b
    rho += f_ne
    rho += f_sw
    rho += f_se
    rho += f_nw
    rho += f_et
    rho += f_wb
    rho += f_eb
    rho += f_wt
    rho += f_nt
    rho += f_sb
    rho += f_nb
    rho += f_st

    u = f_e
    u -= f_w
    u += f_ne
    u -= f_sw
    u += f_se
    u -= f_nw
    u += f_et
    u -= f_wb
    u += f_eb
    u -= f_wt
    u = u / rho + force[0] * tau / rho

    v = f_n
    v -= f_s
    v += f_ne
    v -= f_sw
    v -= f_se
    v += f_nw
    v += f_nt
    v -= f_sb
    v += f_nb
    v -= f_st
    v = v / rho + force[1] * tau / rho

    w = f_t
    w -= f_b
    w += f_et
    w -= f_wb
    w -= f_eb
    w += f_wt
    w += f_nt
    w -= f_sb
    w -= f_nb
    w += f_st
    w = w / rho + force[2] * tau / rho

    # What is left of each population when its equilibrium is taken off.
    square = 1 - 1.5 * (u * u + v * v + w * w)
    e_c = CENTER * rho * square
    d_c = f_c - e_c
    along = u
    e_e = FACE * rho * (square + 3 * along + 4.5 * along * along)
    d_e = f_e - e_e
    along = -u
    e_w = FACE * rho * (square + 3 * along + 4.5 * along * along)
    d_w = f_w - e_w
    along = v
    e_n = FACE * rho * (square + 3 * along + 4.5 * along * along)
    d_n = f_n - e_n
    along = -v
    e_s = FACE * rho * (square + 3 * along + 4.5 * along * along)
    d_s = f_s - e_s
    along = w
    e_t = FACE * rho * (square + 3 * along + 4.5 * along * along)
    d_t = f_t - e_t
    along = -w
    e_b = FACE * rho * (square + 3 * along + 4.5 * along * along)
    d_b = f_b - e_b
    along = u + v
    e_ne = EDGE * rho * (square + 3 * along + 4.5 * along * along)
    d_ne = f_ne - e_ne
    along = -u - v
    e_sw = EDGE * rho * (square + 3 * along + 4.5 * along * along)
    d_sw = f_sw - e_sw
    along = u - v
    e_se = EDGE * rho * (square + 3 * along + 4.5 * along * along)
    d_se = f_se - e_se
    along = -u + v
    e_nw = EDGE * rho * (square + 3 * along + 4.5 * along * along)
    d_nw = f_nw - e_nw
    along = u + w
    e_et = EDGE * rho * (square + 3 * along + 4.5 * along * along)
    d_et = f_et - e_et
    along = -u - w
    e_wb = EDGE * rho * (square + 3 * along + 4.5 * along * along)
    d_wb = f_wb - e_wb
    along = u - w
    e_eb = EDGE * rho * (square + 3 * along + 4.5 * along * along)
    d_eb = f_eb - e_eb
    along = -u + w
    e_wt = EDGE * rho * (square + 3 * along + 4.5 * along * along)
    d_wt = f_wt - e_wt
    along = v + w
    e_nt = EDGE * rho * (square + 3 * along + 4.5 * along * along)
    d_nt = f_nt - e_nt
    along = -v - w
    e_sb = EDGE * rho * (square + 3 * along + 4.5 * along * along)
    d_sb = f_sb - e_sb
    along = v - w
    e_nb = EDGE * rho * (square + 3 * along + 4.5 * along * along)
    d_nb = f_nb - e_nb
    along = -v + w
    e_st = EDGE * rho * (square + 3 * along + 4.5 * along * along)
    d_st = f_st - e_st

    # Stress, and the viscosity that Smagorinsky's model adds for it.
    sxx = d_e
    sxx += d_w
    sxx += d_ne
    sxx += d_sw
    sxx += d_se
    sxx += d_nw
    sxx += d_et
    sxx += d_wb
    sxx += d_eb
    sxx += d_wt
    syy = d_n
    syy += d_s
    syy += d_ne
    syy += d_sw
    syy += d_se
    syy += d_nw
    syy += d_nt
    syy += d_sb
    syy += d_nb
    syy += d_st
    szz = d_t
    szz += d_b
    szz += d_et
    szz += d_wb
    szz += d_eb
    szz += d_wt
    szz += d_nt
    szz += d_sb
    szz += d_nb
    szz += d_st
    sxy = d_ne
    sxy += d_sw
    sxy -= d_se
    sxy -= d_nw
    sxz = d_et
    sxz += d_wb
    sxz -= d_eb
    sxz -= d_wt
    syz = d_nt
    syz += d_sb
    syz -= d_nb
    syz -= d_st
    strain = sxx * sxx + syy * syy + szz * szz
    strain += 2 * (sxy * sxy + sxz * sxz + syz * syz)
    local = tau * tau + 18 * smagorinsky * smagorinsky * math.sqrt(strain) / rho
    omega = 2 / (tau + math.sqrt(local))

    # What leaves.
    new[0, i, j, k] = f_c - omega * d_c
    new[1, i, j, k] = f_e - omega * d_e
    new[2, i, j, k] = f_w - omega * d_w
    new[3, i, j, k] = f_n - omega * d_n
    new[4, i, j, k] = f_s - omega * d_s
    new[5, i, j, k] = f_t - omega * d_t
    new[6, i, j, k] = f_b - omega * d_b
    new[7, i, j, k] = f_ne - omega * d_ne
    new[8, i, j, k] = f_sw - omega * d_sw
    new[9, i, j, k] = f_se - omega * d_se
    new[10, i, j, k] = f_nw - omega * d_nw
    new[11, i, j, k] = f_et - omega * d_et
    new[12, i, j, k] = f_wb - omega * d_wb
    new[13, i, j, k] = f_eb - omega * d_eb
    new[14, i, j, k] = f_wt - omega * d_wt
    new[15, i, j, k] = f_nt - omega * d_nt
    new[16, i, j, k] = f_sb - omega * d_sb
    new[17, i, j, k] = f_nb - omega * d_nb
    new[18, i, j, k] = f_st - omega * d_st
    density[i, j, k] = rho
    velocity[0, i, j, k] = u
    velocity[1, i, j, k] = v
    velocity[2, i, j, k] = w

    # A dye is carried along, with seven directions of its own.
    g_c = old_dye[0, i, j, k]
    g_e = old_dye[1, west, j, k]
    g_w = old_dye[2, east, j, k]
    g_n = old_dye[3, i, south, k]
    g_s = old_dye[4, i, north, k]
    g_t = old_dye[5, i, j, bottom]
    g_b = old_dye[6, i, j, top]
    dye = g_c
    dye += g_e
    dye += g_w
    dye += g_n
    dye += g_s
    dye += g_t
    dye += g_b
    rate = 1 / tau_dye
    rest = dye / 4
    new_dye[0, i, j, k] = g_c - rate * (g_c - rest)
    rest = dye / 8 * (1 + 4 * u)
    new_dye[1, i, j, k] = g_e - rate * (g_e - rest)
    rest = dye / 8 * (1 - 4 * u)
    new_dye[2, i, j, k] = g_w - rate * (g_w - rest)
    rest = dye / 8 * (1 + 4 * v)
    new_dye[3, i, j, k] = g_n - rate * (g_n - rest)
    rest = dye / 8 * (1 - 4 * v)
    new_dye[4, i, j, k] = g_s - rate * (g_s - rest)
    rest = dye / 8 * (1 + 4 * w)
    new_dye[5, i, j, k] = g_t - rate * (g_t - rest)
    rest = dye / 8 * (1 - 4 * w)
    new_dye[6, i, j, k] = g_b - rate * (g_b - rest)


def main() -> None:
    """Runs a few steps, which must neither lose nor make mass or dye."""
    shape = (8, 6, 5)
    weights = np.array([CENTER] + 6 * [FACE] + 12 * [EDGE])
    rng = np.random.default_rng(1)
    old = weights[:, None, None, None] * rng.uniform(0.9, 1.1, (19, *shape))
    new = np.empty_like(old)
    old_dye = rng.uniform(size=(7, *shape))
    new_dye = np.empty_like(old_dye)
    density = np.empty(shape)
    velocity = np.empty((3, *shape))
    solid = rng.uniform(size=shape) < 0.1
    force = np.array([1e-5, 0, 0])
    mass, amount = old.sum(), old_dye.sum()
    for _ in range(20):
        step[(2, 2, 2), (4, 4, 4)](
            *(new, new_dye, density, velocity),
            *(old, old_dye, solid, force, 0.6, 0.7, 0.1),
        )
        old, new, old_dye, new_dye = new, old, new_dye, old_dye
    assert np.isclose(old_dye.sum(), amount, rtol=1e-12)
    assert np.isclose(old.sum(), mass, rtol=1e-12)
    print(f"greatest velocity {np.abs(velocity).max():.3g}")


if __name__ == "__main__":
    main()
