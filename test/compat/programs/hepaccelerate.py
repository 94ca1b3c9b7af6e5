# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""hepaccelerate: each kernel against its twin in backend_cpu.py, or NumPy."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from checks import case, close, host_cupy, load, main

OFFSETS = np.array([0, 3, 3, 8, 12, 13, 20])


def _backends(checkout: Path) -> tuple[Any, Any]:
    host_cupy()
    folder = checkout / "hepaccelerate"
    return (
        load(folder / "backend_cuda.py", "backend_cuda"),
        load(folder / "backend_cpu.py", "backend_cpu"),
    )


def _events() -> tuple[Any, Any, Any]:
    """Values of all objects, which events count and which objects do."""
    rng = np.random.default_rng(1)
    content = rng.normal(size=20).astype(np.float32)
    rows = np.array([True, True, False, True, True, True])
    return content, rows, rng.random(20) < 0.7


def _reduction(name: str, checkout: Path) -> None:
    device, host = _backends(checkout)
    content, rows, mask = _events()
    got, expected = (
        getattr(backend, name)(OFFSETS, content, rows, mask)
        for backend in (device, host)
    )
    close(got, expected, 1e-5)


@case
def sum_in_offsets(checkout: Path) -> None:
    _reduction("sum_in_offsets", checkout)


@case
def prod_in_offsets(checkout: Path) -> None:
    _reduction("prod_in_offsets", checkout)


@case
def max_in_offsets(checkout: Path) -> None:
    # The twin takes its arguments in another order.
    device, _ = _backends(checkout)
    content, rows, mask = _events()
    got = device.max_in_offsets(OFFSETS, content, rows, mask)
    _extremum(got, content, rows, mask, np.max)


@case
def min_in_offsets(checkout: Path) -> None:
    device, _ = _backends(checkout)
    content, rows, mask = _events()
    got = device.min_in_offsets(OFFSETS, content, rows, mask)
    _extremum(got, content, rows, mask, np.min)


def _extremum(got: Any, content: Any, rows: Any, mask: Any, of: Any) -> None:
    for i, (start, end) in enumerate(zip(OFFSETS, OFFSETS[1:])):
        chosen = content[start:end][mask[start:end]]
        assert got[i] == (of(chosen) if rows[i] and len(chosen) else 0)


@case
def get_and_set_in_offsets(checkout: Path) -> None:
    device, host = _backends(checkout)
    content, rows, mask = _events()
    indices = np.array([0, 0, 1, 1, 0, 3])
    got, expected = (
        backend.get_in_offsets(OFFSETS, content, indices, rows, mask)
        for backend in (device, host)
    )
    close(got, expected)
    target = np.arange(6, dtype=np.float32)
    results = []
    for backend in (device, host):
        changed = content.copy()
        backend.set_in_offsets(OFFSETS, changed, indices, target, rows, mask)
        results.append(changed)
    close(*results)


@case
def histogram(checkout: Path) -> None:
    device, _ = _backends(checkout)
    rng = np.random.default_rng(1)
    data = rng.normal(size=3000).astype(np.float32)
    weights = rng.random(3000).astype(np.float32)
    bins = np.linspace(-3, 3, 21, dtype=np.float32)
    inside = (data >= bins[0]) & (data < bins[-1])
    expected = np.histogram(data[inside], bins, weights=weights[inside])[0]
    for mask in (None, np.ones(3000, bool)):
        got, _, _ = device.histogram_from_vector(data, weights, bins, mask)
        # The kernels put what lies above the last edge into the last bin.
        close(got[:-1], expected[:-1], 1e-4)
    ((several, _, _),) = device.histogram_from_vector_several(
        [(data, bins)], weights, np.ones(3000, bool)
    )
    close(several[:-1], expected[:-1], 1e-4)


@case
def searchsorted(checkout: Path) -> None:
    device, _ = _backends(checkout)
    edges = np.array([0.0, 1.0, 2.5, 4.0])
    values = np.array([0.0, 0.5, 1.0, 3.0, 3.9])
    got = device.searchsorted(edges, values)
    close(got, np.searchsorted(edges, values, "right"))


@case
def opposite_sign(checkout: Path) -> None:
    device, host = _backends(checkout)
    charges = np.where(np.arange(20) % 3 == 0, 1, -1).astype(np.int32)
    mask = _events()[2]
    got, expected = (
        backend.select_opposite_sign(OFFSETS, charges, mask)
        for backend in (device, host)
    )
    close(got, expected)


@case
def cartesian_and_spherical(checkout: Path) -> None:
    device, _ = _backends(checkout)
    rng = np.random.default_rng(1)
    p = [rng.random(50) + 0.5 for _ in range(4)]
    px, py, pz, e = device.spherical_to_cartesian(*p)
    close(px, p[0] * np.cos(p[2]))
    close(pz, p[0] * np.sinh(p[1]))
    for got, expected in zip(
        device.cartesian_to_spherical(px, py, pz, e), p, strict=True
    ):
        close(got, expected, 1e-6)


@case
def mask_deltar(checkout: Path) -> None:
    device, host = _backends(checkout)
    rng = np.random.default_rng(1)
    objects = [
        {
            "eta": rng.normal(size=20).astype(np.float32),
            "phi": rng.uniform(-3, 3, 20).astype(np.float32),
            "offsets": OFFSETS,
        }
        for _ in range(2)
    ]
    masks = [rng.random(20) < 0.8 for _ in range(2)]
    got, expected = (
        backend.mask_deltar_first(
            objects[0], masks[0], objects[1], masks[1], 0.7
        )
        for backend in (device, host)
    )
    close(got, expected)


@case
def broadcast_and_bin_contents(checkout: Path) -> None:
    device, _ = _backends(checkout)
    out = np.zeros(20, np.float32)
    values = np.arange(6, dtype=np.float32)
    device.broadcast(OFFSETS, values, out)
    close(out, np.repeat(values, np.diff(OFFSETS)))
    edges = np.array([0.0, 1.0, 2.0, 3.0])
    contents = np.array([5.0, 6.0, 7.0])
    got = np.zeros(3)
    device.get_bin_contents(np.array([-1.0, 0.5, 1.5]), edges, contents, got)
    close(got, [5.0, 6.0, 7.0])


@case
def copies_and_offsets(checkout: Path) -> None:
    device, host = _backends(checkout)
    to = np.zeros(6)
    device.copyto_dst_indices(to, np.array([1.0, 2.0]), np.array([4, 0]))
    close(to, [2, 0, 0, 0, 1, 0])


main()
