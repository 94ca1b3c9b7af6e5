# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""abTEM: kernels for electron microscopy against NumPy and its host stencil."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from checks import absent, case, close, host_cupy, load, main


def _kernels(checkout: Path) -> Any:
    host_cupy()
    return load(checkout / "abtem/core/_cuda.py", "abtem_cuda")


@case
def batch_crop(checkout: Path) -> None:
    kernels = _kernels(checkout)
    rng = np.random.default_rng(1)
    array = rng.random((4, 30, 40))
    corners = np.array([[0, 0], [3, 5], [10, 2], [14, 20]])
    got = kernels.batch_crop_2d(array, corners, (16, 20))
    for image, (y, x), cut in zip(array, corners, got, strict=True):
        close(cut, image[y : y + 16, x : x + 20])


@case
def sum_run_length_encoded(checkout: Path) -> None:
    kernels = _kernels(checkout)
    array = np.random.default_rng(1).random((3, 50))
    separators = np.array([0, 7, 7, 30, 50])
    got = np.zeros((3, 4))
    kernels.sum_run_length_encoded(array, got, separators)
    for i, (start, end) in enumerate(zip(separators, separators[1:])):
        close(got[:, i], array[:, start:end].sum(axis=1))


@case
def interpolate_radial_functions(checkout: Path) -> None:
    kernels = _kernels(checkout)
    rng = np.random.default_rng(1)
    array = np.zeros((24, 20))
    positions = rng.random((5, 2)) * [12.0, 10.0]
    sampling = np.array([0.5, 0.5])
    disk = np.array([(i, j) for i in range(-4, 5) for j in range(-4, 5)])
    radial = np.geomspace(0.05, 3.0, 16)
    functions = rng.random((5, 16))
    slopes = rng.random((5, 16))
    expected = array.copy()
    dt = np.log(radial[-1] / radial[0]) / 15
    for p, f, s in zip(positions, functions, slopes, strict=True):
        for offset in disk:
            k, m = np.rint(p / sampling).astype(int) + offset
            if not (0 <= k < 24 and 0 <= m < 20):
                continue
            r = np.hypot(*(np.array([k, m]) * sampling - p))
            i = int(np.log(r / radial[0] + 1e-12) / dt)
            if i < 0:
                expected[k, m] += f[0]
            elif i < 15:
                expected[k, m] += f[i] + (r - radial[i]) * s[i]
    kernels.interpolate_radial_functions(
        array, positions, disk, sampling, radial, functions, slopes
    )
    close(array, expected)


def _laplace(checkout: Path, dtype: type, rtol: float) -> None:
    absent("scipy", "scipy.ndimage", "sympy", "dask", "dask.array")
    absent("abtem", "abtem.antialias", "abtem.core", "abtem.core.energy")
    absent("abtem.core.backend")
    program = load(checkout / "abtem/finite_difference.py", "abtem_stencils")
    program.get_array_module = lambda array: np
    host, device = (
        program._laplace_operator_stencil(4, 0.5, dtype=dtype, device=device)
        for device in ("cpu", "gpu")
    )
    rng = np.random.default_rng(1)
    waves = rng.random((2, 12, 14)).astype(dtype)
    if np.dtype(dtype).kind == "c":
        waves += 1j * rng.random((2, 12, 14)).astype(waves.real.dtype)
    close(device(waves), host(waves), rtol)


@case
def laplace_stencil_real(checkout: Path) -> None:
    _laplace(checkout, np.float64, 1e-9)


@case
def laplace_stencil_complex(checkout: Path) -> None:
    _laplace(checkout, np.complex64, 1e-5)


main()
