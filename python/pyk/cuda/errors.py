# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The exceptions and warnings of PyK under Numba's names.

>>> from pyk.cuda import errors
>>> issubclass(errors.TypingError, errors.NumbaError)
True
"""

from pyk._errors import (
    CompareError,
    CompileError,
    ConstantInferenceError,
    CudaAPIError,
    CudaDriverError,
    CudaInvalidValueError,
    CudaSupportError,
    DeprecationError,
    KernelMistakeWarning,
    LoweringError,
    NumbaAttributeError,
    NumbaDebugInfoWarning,
    NumbaDeprecationWarning,
    NumbaError,
    NumbaIndexError,
    NumbaInvalidConfigWarning,
    NumbaPendingDeprecationWarning,
    NumbaPerformanceWarning,
    NumbaTypeError,
    NumbaTypeSafetyWarning,
    NumbaValueError,
    NumbaWarning,
    NvvmSupportError,
    OutOfBoundsWarning,
    RequireLiteralValue,
    TypingError,
    UnsupportedError,
)

__all__ = [
    "CompareError",
    "CompileError",
    "ConstantInferenceError",
    "CudaAPIError",
    "CudaDriverError",
    "CudaInvalidValueError",
    "CudaSupportError",
    "DeprecationError",
    "KernelMistakeWarning",
    "LoweringError",
    "NumbaAttributeError",
    "NumbaDebugInfoWarning",
    "NumbaDeprecationWarning",
    "NumbaError",
    "NumbaIndexError",
    "NumbaInvalidConfigWarning",
    "NumbaPendingDeprecationWarning",
    "NumbaPerformanceWarning",
    "NumbaTypeError",
    "NumbaTypeSafetyWarning",
    "NumbaValueError",
    "NumbaWarning",
    "NvvmSupportError",
    "OutOfBoundsWarning",
    "RequireLiteralValue",
    "TypingError",
    "UnsupportedError",
]
