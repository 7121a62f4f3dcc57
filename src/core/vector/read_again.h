// read_again: what a kernel that has no registers to spare reads from memory each time.
#pragma once

#include "core/vector/hd.h"

namespace tocsin::core {

/// The same pointer. On a device the compiler does not know that: it reads what lies there once
/// more, and keeps no copy in registers meanwhile. Values do not change. On the CPU it does
/// nothing.
template <class T>
TOCSIN_HD inline const T* read_again(const T* p) {
#ifdef __CUDA_ARCH__
  asm volatile("" : "+l"(p));
#endif
  return p;
}

}  // namespace tocsin::core
