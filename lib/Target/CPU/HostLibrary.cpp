// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Collects the addresses of HostLibrary.def and Libdevice.def. Taking them
// here, and not by a search of the process at run time, makes a missing one an
// error of PyK's build and keeps a kernel from calling anything by accident.

#include "HostLibrary.h"
#include "HostMath.h"
#include "pyk/runtime/ABI.h"

#include <cmath>
#include <cstring>
#include <cwchar>

// The compiler's library has no header, and its names are as they are.
// NOLINTBEGIN(bugprone-reserved-identifier,readability-identifier-naming)
extern "C" {
float __extendhfsf2(_Float16);
_Float16 __truncdfhf2(double);
_Float16 __truncsfhf2(float);
double __powidf2(double, int);
float __powisf2(float, int);
__int128 __divti3(__int128, __int128);
__int128 __modti3(__int128, __int128);
unsigned __int128 __udivti3(unsigned __int128, unsigned __int128);
unsigned __int128 __umodti3(unsigned __int128, unsigned __int128);
__int128 __fixdfti(double);
__int128 __fixsfti(float);
unsigned __int128 __fixunsdfti(double);
unsigned __int128 __fixunssfti(float);
double __floattidf(__int128);
float __floattisf(__int128);
double __floatuntidf(unsigned __int128);
float __floatuntisf(unsigned __int128);
}
// NOLINTEND(bugprone-reserved-identifier,readability-identifier-naming)

using namespace pyk;

template <typename F>
static void *addressOf(F *function) {
  return reinterpret_cast<void *>(function);
}

const llvm::StringMap<void *> &pyk::getHostLibrary() {
  static const llvm::StringMap<void *> library = [] {
    llvm::StringMap<void *> symbols;
    for (const HostMath &row : getHostMath())
      if (row.address)
        symbols[row.host] = row.address;
#define HOST_SYMBOL(NAME, ...) symbols[#NAME] = addressOf<__VA_ARGS__>(&NAME);
#include "HostLibrary.def"
    return symbols;
  }();
  return library;
}
