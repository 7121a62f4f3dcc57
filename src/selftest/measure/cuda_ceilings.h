// What a device can do at most: bytes and operations a second, copies.
#pragma once

#include <cmath>
#include <cstddef>
#include <memory>

#include "core/vector/hd.h"
#include "gpu/cuda/device/device.h"
#include "tocsin/result.h"

namespace tocsin::selftest {

/// Kernel body: to[i] = from[i].
struct CopyNumbers {
  const double* from;
  double* to;
  TOCSIN_HD void operator()(std::size_t i) const { to[i] = from[i]; }
};

/// Kernel body: eight chains of multiplications and additions, `rounds` of each. Tocsin's own are
/// never fused, as their bits would be others; fused ones show what that costs.
template <bool kFused>
struct MultiplyAndAdd {
  static constexpr int kChains = 8;  ///< more than a pipe is deep
  double factor;
  int rounds;
  double* to;
  TOCSIN_HD void operator()(std::size_t i) const {
    double x[kChains];
    for (int c = 0; c < kChains; ++c) x[c] = static_cast<double>(i) + c;
    for (int r = 0; r < rounds; ++r) {
      for (int c = 0; c < kChains; ++c) {
        if constexpr (kFused) {
          x[c] = ::fma(x[c], factor, 1e-3);
        } else {
          x[c] = x[c] * factor + 1e-3;
        }
      }
    }
    double sum = 0.0;
    for (int c = 0; c < kChains; ++c) sum += x[c];
    to[i] = sum;
  }
};

/// Per second, the best of several tries.
struct CudaCeilings {
  double bytes = 0.0;       ///< of device memory, read and written
  double operations = 0.0;  ///< in double precision: multiplications and additions, not fused
  double fused = 0.0;       ///< the same, fused: each fused operation counts as two
  double up = 0.0;          ///< bytes copied from pinned memory to the device
  double down = 0.0;
};

/// `quick`: smaller, and not to be quoted. Where memory is short, of arrays that fit, down to an
/// eighth of a gigabyte each. Errors: the device's.
Result<CudaCeilings> measure_ceilings(const std::shared_ptr<cuda::Device>& device, bool quick);

}  // namespace tocsin::selftest
