# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""xarray-spatial: each raster kernel against the NumPy twin in its file."""

from __future__ import annotations

import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
from checks import absent, case, host_cupy, load, main


class Raster:
    """What the program needs of xarray's class."""

    def __init__(self, data: Any) -> None:
        self.data = data


def _module(checkout: Path, name: str) -> Any:
    host_cupy()
    absent("dask", "dask.array", "dask.dataframe", "pandas", "xarray")
    absent("datashader", "datashader.colors", "datashader.transfer_functions")
    sys.modules["xarray"].DataArray = Raster
    # Rasters are asked whether they are such arrays.
    sys.modules["dask.array"].Array = type("Array", (), {})
    sys.modules["dask"].array = sys.modules["dask.array"]
    # The package itself imports far more than its kernels need.
    package = ModuleType("xrspatial")
    package.__path__ = [str(checkout / "xrspatial")]
    sys.modules["xrspatial"] = package
    return load(checkout / f"xrspatial/{name}.py", f"xrspatial.{name}")


def _raster(seed: int = 1, holes: bool = True) -> Any:
    rng = np.random.default_rng(seed)
    raster = rng.random((30, 41)) * 100
    if holes:
        raster[rng.random(raster.shape) < 0.05] = np.nan
    return raster


def close(got: Any, expected: Any, rtol: float = 1e-4) -> None:
    np.testing.assert_allclose(got, expected, rtol=rtol, atol=rtol)


@case
def slope(checkout: Path) -> None:
    module = _module(checkout, "slope")
    data = _raster()
    close(module._run_cupy(data, 2.0, 3), module._run_numpy(data, 2.0, 3))


@case
def aspect(checkout: Path) -> None:
    module = _module(checkout, "aspect")
    data = _raster()
    close(module._run_cupy(data), module._run_numpy(data))


@case
def curvature(checkout: Path) -> None:
    module = _module(checkout, "curvature")
    data = _raster()
    close(module._run_cupy(data, 2), module._run_numpy(data, 2), 1e-3)


@case
def hillshade(checkout: Path) -> None:
    module = _module(checkout, "hillshade")
    data = _raster()
    close(module._run_cupy(data, 225, 25), module._run_numpy(data, 225, 25))


@case
def classify_binary(checkout: Path) -> None:
    module = _module(checkout, "classify")
    data = np.rint(_raster())
    values = np.array([3.0, 20.0, 21.0, 77.0])
    got = module._run_cupy_binary(data, values)
    close(got, module._run_numpy_binary(data, values))


@case
def classify_bin(checkout: Path) -> None:
    module = _module(checkout, "classify")
    data = _raster()
    bins = np.array([10.0, 35.0, 60.0, 99.0])
    new_values = np.array([4.0, 3.0, 2.0, 1.0])
    got = module._run_cupy_bin(data, bins, new_values)
    close(got, module._run_numpy_bin(data, bins, new_values))


@case
def convolution(checkout: Path) -> None:
    module = _module(checkout, "convolution")
    data = _raster()
    kernel = np.random.default_rng(2).random((5, 3))
    got = module._convolve_2d_cupy(data, kernel)
    close(got, module._convolve_2d_numpy(data, kernel))


@case
def focal_mean(checkout: Path) -> None:
    module = _module(checkout, "focal")
    data = _raster()
    excludes = np.array([np.nan, data[3, 4]])
    got = module._mean_cupy(data, excludes)
    close(got, module._mean_numpy(data, excludes))


@case
def focal_stats(checkout: Path) -> None:
    module = _module(checkout, "focal")
    data = _raster(holes=False)
    kernel = np.array([[0, 1.0, 0], [1, 1, 1], [0, 1, 0]])
    functions = ("mean", "sum", "range", "max", "min", "std", "var")
    for name in functions:
        got = module._focal_stats_func_cupy(
            data, kernel, getattr(module, f"_focal_{name}_cuda")
        )
        host = getattr(module, f"_calc_{name}")
        expected = module._apply_numpy(data, kernel, host)
        close(got, expected, 1e-3)


@case
def hotspots(checkout: Path) -> None:
    module = _module(checkout, "focal")
    raster = Raster(_raster(holes=False))
    raster.data[10:14, 10:14] += 300
    kernel = np.ones((3, 3))
    got = module._hotspots_cupy(raster, kernel)
    expected = module._hotspots_numpy(raster, kernel)
    assert len(np.unique(expected)) > 1
    np.testing.assert_array_equal(got, expected)


@case
def perlin(checkout: Path) -> None:
    module = _module(checkout, "perlin")
    got, expected = (
        run(np.zeros((24, 32), np.float32), (2, 3), 5)
        for run in (module._perlin_cupy, module._perlin_numpy)
    )
    assert np.ptp(got) > 0.9
    close(got, expected, 1e-3)


@case
def multispectral(checkout: Path) -> None:
    module = _module(checkout, "multispectral")
    # Chosen so that no denominator is a small difference.
    a, b, c = (_raster(seed).astype(np.float32) for seed in (1, 2, 3))
    a, c = a + 200, c / 20
    pairs = {
        "arvi": (a, b, c),
        "evi": (a, b, c, 6.0, 7.5, 1.0, 2.5),
        "gci": (a, b),
        "savi": (a, b, 0.5),
        "sipi": (a, b, c),
        "ebbi": (a, b, c),
    }
    for name, args in pairs.items():
        got = getattr(module, f"_{name}_cupy")(*args)
        close(got, getattr(module, f"_{name}_cpu")(*args))
    close(
        module._run_normalized_ratio_cupy(a, b),
        module._normalized_ratio_cpu(a, b),
    )


main()
