# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`cuda.random` beside the published algorithms, computed with plain integers.

The states and the float64 numbers of `NUMBA` are also what Numba CUDA gives.
"""

import functools
import re
import warnings

import numpy as np
import pytest

from pyk import cuda
from pyk.cuda import random
from pyk.cuda.random import (
    create_xoroshiro128p_states,
    init_xoroshiro128p_state,
    init_xoroshiro128p_states,
    uint64_to_unit_float32,
    uint64_to_unit_float64,
    xoroshiro128p_dtype,
    xoroshiro128p_jump,
    xoroshiro128p_next,
    xoroshiro128p_normal_float32,
    xoroshiro128p_normal_float64,
    xoroshiro128p_uniform_float32,
    xoroshiro128p_uniform_float64,
)

#: By count, seed and first subsequence.
NUMBA = {
    (4, 1, 0): [
        (0x910A2DEC89025CC1, 0x910A2DEC89025CC1),
        (0x73C19A5348FC9098, 0x6C96C932F21D71EE),
        (0x0B3D0CD6DDFA7A4C, 0xD3C2C33E9B8E707A),
        (0x3B80C389FCD31EE7, 0xB43C70624D182BBB),
    ],
    (3, 12345, 2): [
        (0xACC916A8455438FF, 0x4E05835506937906),
        (0x81677962ECC05FC7, 0x6AD0E4DAB75AD20B),
        (0xBEFA25F3118B9BBF, 0x6C72B22D7DB22783),
    ],
    (2, 2**64 - 1, 0): [
        (0xE4D971771B652C20, 0xE4D971771B652C20),
        (0xF06E5493D9197688, 0x5D1905E55C940204),
    ],
    (2, 0, 5): [
        (0xC9F8B8E1B9CCCC0A, 0xC1C81685BB0DDA2C),
        (0xBA0E2C974771AB35, 0x53D93A8BA07915A2),
    ],
}

WORD = 2**64 - 1


# The oracle. A state is one integer, s0 in its lower half.


def step(state):
    s0, s1 = state & WORD, state >> 64
    s1 ^= s0
    rotated = (s0 << 55 | s0 >> 9) & WORD
    s0 = rotated ^ s1 ^ (s1 << 14 & WORD)
    s1 = (s1 << 36 | s1 >> 28) & WORD
    return s0 | s1 << 64


def apply(columns, state):
    """A matrix over the field of two elements times a state."""
    result = 0
    while state:
        low = state & -state
        result ^= columns[low.bit_length() - 1]
        state ^= low
    return result


@functools.cache
def power(exponent):
    """The columns of 2**exponent steps."""
    if exponent == 0:
        return [step(1 << bit) for bit in range(128)]
    half = power(exponent - 1)
    return [apply(half, column) for column in half]


def seeded(seed, start=0):
    """The first state of a subsequence."""
    z = (seed + 0x9E3779B97F4A7C15) & WORD
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9 & WORD
    z = (z ^ z >> 27) * 0x94D049BB133111EB & WORD
    z ^= z >> 31
    state = z | z << 64
    for bit in range(start.bit_length()):
        if start >> bit & 1:
            state = apply(power(64 + bit), state)
    return state


def outputs(state, count):
    """The next `count` numbers."""
    found = []
    for _ in range(count):
        found.append(((state & WORD) + (state >> 64)) & WORD)
        state = step(state)
    return np.array(found, np.uint64)


def uniform(state, count, dtype):
    return np.array(
        [(int(x) >> 11) / 2**53 for x in outputs(state, count)], np.float64
    ).astype(dtype)


def pairs(states):
    return [tuple(map(int, state)) for state in states.copy_to_host()]


# Arrays of states.


@pytest.mark.parametrize("count, seed, start", NUMBA)
def test_states(count, seed, start):
    states = create_xoroshiro128p_states(count, seed, subsequence_start=start)
    assert states.dtype == xoroshiro128p_dtype
    assert pairs(states) == NUMBA[count, seed, start]
    expected = [seeded(seed, start + i) for i in range(count)]
    assert pairs(states) == [(s & WORD, s >> 64) for s in expected]


def test_many_states():
    states = create_xoroshiro128p_states(1_000_000, seed=7).copy_to_host()
    places = [0, 1, 4095, 4096, 4097, 8191, 8192, 65_537, 500_000, 999_999]
    for place in places:
        state = seeded(7, place)
        assert tuple(states[place]) == (state & WORD, state >> 64), place
    assert len(np.unique(states)) == 1_000_000


def test_far_subsequences():
    for start in (2**63, 2**64 - 1):
        state = seeded(3, start)
        found = create_xoroshiro128p_states(1, 3, subsequence_start=start)
        assert pairs(found) == [(state & WORD, state >> 64)]
    # 2**64 subsequences of 2**64 numbers are all, but for the state of zeros.
    (last,) = pairs(create_xoroshiro128p_states(1, 3, 2**64 - 1))
    assert tuple(map(hex, last)) != tuple(map(hex, NUMBA[4, 1, 0][0]))


def test_a_negative_seed_wraps_around():
    (found, _) = pairs(create_xoroshiro128p_states(2, seed=-1))
    assert found == NUMBA[2, 2**64 - 1, 0][0]


def test_no_states():
    assert create_xoroshiro128p_states(0, seed=1).shape == (0,)


def test_states_that_exist_are_filled_on_a_stream():
    stream = cuda.stream()
    states = cuda.device_array(3, xoroshiro128p_dtype, stream=stream)
    init_xoroshiro128p_states(states, 12345, 2, stream)
    stream.synchronize()
    assert pairs(states) == NUMBA[3, 12345, 2]
    other = create_xoroshiro128p_states(
        n=4, seed=1, subsequence_start=0, stream=stream
    )
    stream.synchronize()
    assert pairs(other) == NUMBA[4, 1, 0]


def test_every_second_state_is_not_filled():
    states = cuda.device_array(4, xoroshiro128p_dtype)
    with pytest.raises(ValueError, match="contiguous"):
        init_xoroshiro128p_states(states[::2], 1)


@pytest.mark.parametrize(
    "states, message",
    [
        (
            np.zeros(2, xoroshiro128p_dtype),
            r"init_xoroshiro128p_states expects a device array but got <class "
            r"'numpy.ndarray'>; create_xoroshiro128p_states makes one",
        ),
        (
            cuda.device_array(2, np.uint64),
            "init_xoroshiro128p_states expects one dimension of "
            "xoroshiro128p_dtype but got 1 of uint64",
        ),
        (
            cuda.device_array((2, 2), xoroshiro128p_dtype),
            "xoroshiro128p_dtype but got 2 of",
        ),
    ],
)
def test_what_are_no_states(states, message):
    with pytest.raises(TypeError, match=message):
        init_xoroshiro128p_states(states, 1)


def test_what_is_no_number():
    with pytest.raises(TypeError, match=r"seed expects an int but got 1\.5"):
        create_xoroshiro128p_states(1, 1.5)
    with pytest.raises(
        TypeError, match="subsequence_start expects an int but got '2'"
    ):
        create_xoroshiro128p_states(1, 1, "2")
    for start in (-1, 2**64):
        message = "subsequence_start expects 0 to 2**64 - 1 but got "
        with pytest.raises(ValueError, match=re.escape(f"{message}{start}")):
            create_xoroshiro128p_states(1, 1, start)


# Kernels.


@cuda.jit
def draw_words(states, out):
    i = cuda.grid(1)
    if i < out.shape[0]:
        for j in range(out.shape[1]):
            out[i, j] = xoroshiro128p_next(states, i)


@cuda.jit
def draw_uniform(states, narrow, wide):
    i = cuda.grid(1)
    if i < narrow.shape[0]:
        for j in range(narrow.shape[1]):
            narrow[i, j] = xoroshiro128p_uniform_float32(states, i)
            wide[i, j] = xoroshiro128p_uniform_float64(states, i)


def draw_normal(states, narrow, wide):
    i = cuda.grid(1)
    if i < narrow.shape[0]:
        for j in range(narrow.shape[1]):
            narrow[i, j] = xoroshiro128p_normal_float32(states, i)
            wide[i, j] = xoroshiro128p_normal_float64(states, i)


def test_next():
    states = create_xoroshiro128p_states(5, seed=42)
    out = np.zeros((5, 100), np.uint64)
    draw_words[2, 3](states, out)
    for i in range(5):
        assert np.array_equal(out[i], outputs(seeded(42, i), 100))
    # The states have been advanced.
    draw_words[2, 3](states, out)
    for i in range(5):
        assert np.array_equal(out[i], outputs(seeded(42, i), 200)[100:])


def test_uniform():
    states = create_xoroshiro128p_states(4, seed=1)
    narrow = np.zeros((4, 50), np.float32)
    wide = np.zeros((4, 50), np.float64)
    draw_uniform[1, 4](states, narrow, wide)
    assert wide[0, 0] == 0.37805969057650834
    assert narrow[3, 0] == np.float32(0.9364807605743408)
    for i in range(4):
        state = seeded(1, i)
        assert np.array_equal(narrow[i], uniform(state, 100, "f4")[::2])
        assert np.array_equal(wide[i], uniform(state, 100, "f8")[1::2])


def test_ends_of_the_unit_interval():
    @cuda.jit
    def convert(words, narrow, wide):
        for i in range(words.size):
            narrow[i] = uint64_to_unit_float32(words[i])
            wide[i] = uint64_to_unit_float64(words[i])

    words = np.array([0, 2**11 - 1, 2**11, 2**63, 2**64 - 1], np.uint64)
    narrow = np.zeros(5, np.float32)
    wide = np.zeros(5, np.float64)
    convert[1, 1](words, narrow, wide)
    assert wide.tolist() == [0, 0, 2**-53, 0.5, 1 - 2**-53]
    # Numba rounds the last up to 1.
    assert narrow.tolist() == [0, 0, 2**-53, 0.5, 1 - 2**-24]
    for word, one, other in zip(words, narrow, wide, strict=True):
        assert uint64_to_unit_float32(word) == one
        assert uint64_to_unit_float64(word) == other


def test_uniform_stays_below_one():
    states = create_xoroshiro128p_states(64, seed=1).copy_to_host()
    # The first draws are 2**64 - 1 and what lies below, of which some are
    # rounded up to 1 and some are not.
    states["s0"] = np.uint64(2**64 - 1) - (
        np.arange(64, dtype=np.uint64) << np.uint64(34)
    )
    states["s1"] = 0
    doubles = (states["s0"] >> np.uint64(11)) / 2.0**53
    rounded = doubles.astype(np.float32)
    assert 10 < np.count_nonzero(rounded == 1) < 50

    @cuda.jit
    def draw(states, narrow):
        i = cuda.grid(1)
        if i < narrow.size:
            narrow[i] = xoroshiro128p_uniform_float32(states, i)

    narrow = np.zeros(64, np.float32)
    draw[2, 32](cuda.to_device(states), narrow)
    below = np.nextafter(np.float32(1), np.float32(0))
    assert np.array_equal(narrow, np.where(rounded == 1, below, rounded))
    for i in range(64):
        assert xoroshiro128p_uniform_float32(states, i) == narrow[i]


def normals(count):
    """Arguments for `draw_normal`."""
    states = create_xoroshiro128p_states(count, seed=99)
    return states, *(np.zeros((count, 64), kind) for kind in ("f4", "f8"))


def test_normal():
    states, narrow, wide = normals(64)
    cuda.jit(draw_normal)[2, 32](states, narrow, wide)
    expected32 = np.zeros((64, 64), np.longdouble)
    expected64 = np.zeros((64, 64), np.longdouble)
    for i in range(64):
        u1, u2, u3, u4 = uniform(seeded(99, i), 256, "f4").reshape(-1, 4).T
        for found, u, v in (expected32, u1, u2), (expected64, u3, u4):
            # The product is the formula's own, in its precision.
            kind = np.float32 if found is expected32 else np.float64
            angle = kind(2 * np.pi) * v.astype(kind)
            radius = np.sqrt(-2 * np.log(u.astype(np.longdouble)))
            found[i] = radius * np.cos(angle.astype(np.longdouble))
    for found, expected in (narrow, expected32), (wide, expected64):
        unit = np.spacing(np.abs(expected).astype(found.dtype))
        assert (np.abs(found - expected) / unit).max() <= 4
        # Four standard deviations of the mean and of the variance.
        assert abs(found.mean()) < 4 / 64
        assert abs(found.var() - 1) < 4 * 2**0.5 / 64


@pytest.mark.on_the_cpu(reason="it has no other way to run a kernel")
def test_normal_has_the_same_bits_however_a_kernel_runs():
    def with_a_barrier(states, narrow, wide):
        draw(states, narrow, wide)
        cuda.syncthreads()

    draw = cuda.jit(device=True)(draw_normal)
    expected = normals(32)
    cuda.jit(draw_normal)[1, 32](*expected)
    for kernel, grid, block in (
        (cuda.jit(draw_normal), 32, 1),
        (cuda.jit(draw_normal, typing="narrow"), 1, 37),
        (cuda.jit(draw_normal, debug=True), 2, 16),
        (cuda.jit(with_a_barrier), 4, 8),
    ):
        found = normals(32)
        kernel[grid, block](*found)
        for one, other in zip(found[1:], expected[1:], strict=True):
            assert one.tobytes() == other.tobytes()
        assert pairs(found[0]) == pairs(expected[0])


def test_states_are_made_in_kernels():
    @cuda.jit
    def fill(states, seed):
        i = cuda.grid(1)
        init_xoroshiro128p_state(states, i, seed)
        for _ in range(i):
            xoroshiro128p_jump(states, i)

    for seed in (1, -1):
        states = cuda.device_array(4, xoroshiro128p_dtype)
        fill[1, 4](states, seed)
        expected = create_xoroshiro128p_states(4, seed)
        assert pairs(states) == pairs(expected)


def test_arrays_of_the_host_are_states_too():
    states = create_xoroshiro128p_states(2, seed=5).copy_to_host()
    out = np.zeros((2, 3), np.uint64)
    draw_words[1, 2](states, out)
    assert np.array_equal(out[1], outputs(seeded(5, 1), 3))


def test_host():
    states = np.zeros(1, xoroshiro128p_dtype)
    init_xoroshiro128p_state(states, 0, 1)
    words = [xoroshiro128p_next(states, 0) for _ in range(3)]
    assert words == outputs(seeded(1), 3).tolist()
    init_xoroshiro128p_state(states, 0, 1)
    xoroshiro128p_jump(states, 0)
    assert [tuple(map(int, states[0]))] == NUMBA[4, 1, 0][1:2]
    assert xoroshiro128p_normal_float32(states, 0).dtype == np.float32
    assert isinstance(xoroshiro128p_normal_float64(states, 0), float)


def test_the_host_draws_as_kernels_do():
    states = create_xoroshiro128p_states(1, seed=8)
    drawn = [np.zeros((1, 40), kind) for kind in ("f4", "f8")]
    cuda.jit(draw_normal)[1, 1](states, *drawn)
    state = np.zeros(1, xoroshiro128p_dtype)
    with warnings.catch_warnings():
        # NumPy's about integers that wrap around.
        warnings.simplefilter("error")
        init_xoroshiro128p_state(state, 0, 8)
        for narrow, wide in zip(drawn[0][0], drawn[1][0], strict=True):
            found = xoroshiro128p_normal_float32(state, 0)
            np.testing.assert_allclose(found, narrow, rtol=1e-5)
            found = xoroshiro128p_normal_float64(state, 0)
            np.testing.assert_allclose(found, wide, rtol=1e-12)


def test_rotl():
    @cuda.jit
    def rotate(words, out):
        for i in range(words.size):
            out[i] = random.rotl(words[i], i + 1)

    words = np.full(63, 0x8000000000000003, np.uint64)
    out = np.zeros_like(words)
    rotate[1, 1](words, out)
    for i, found in enumerate(out):
        word = 0x8000000000000003
        rotated = (word << i + 1 | word >> 63 - i) & WORD
        assert found == rotated == random.rotl(words[i], i + 1)


def test_what_are_no_states_in_a_kernel():
    @cuda.jit
    def wrong(a):
        a[0] = xoroshiro128p_uniform_float32(a, 0)

    with pytest.raises(
        cuda.errors.TypingError,
        match=r"(?s)expects an array or a tuple to index but got float64.*"
        r"'xoroshiro128p_uniform_float32' is called here with "
        r"\(array\(float64, 1d, C\), int64\)",
    ):
        wrong[1, 1](np.zeros(1))


def test_a_state_out_of_bounds():
    @cuda.jit(debug=True)
    def wrong(states, out):
        out[0] = xoroshiro128p_next(states, 2)

    with pytest.raises(
        IndexError,
        match="index 2 is out of bounds for axis 0 of 'states' with size 2",
    ):
        wrong[1, 1](
            create_xoroshiro128p_states(2, 1), cuda.device_array(1, np.uint64)
        )
