// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which versions of PTX fit which chip.

#ifndef PYK_LIB_TARGET_PTX_CHIPS_H
#define PYK_LIB_TARGET_PTX_CHIPS_H

#include "pyk/Target/PTX.h"

namespace pyk {

/// `version` if PTX of that version can be made for `chip`; the chip's own if
/// it is 0. The error says what would do.
llvm::Expected<unsigned> choosePtxVersion(const Chip &chip, unsigned version);

} // namespace pyk

#endif // PYK_LIB_TARGET_PTX_CHIPS_H
