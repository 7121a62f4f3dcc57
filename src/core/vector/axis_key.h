// A coordinate as an integer of the same order, for sorting on the CPU and on devices.
#pragma once

#include <bit>
#include <cstdint>

#include "core/vector/hd.h"

namespace tocsin::core {

/// x < y exactly if axis_key(x) < axis_key(y); -0 and +0 have one key. Comparing integers is as
/// fast, and leaves keys beyond all numbers: 0 is below them, 0xFFFFFFFF above. Precondition: x is
/// not NaN.
TOCSIN_HD constexpr std::uint32_t axis_key(float x) {
  const auto bits = std::bit_cast<std::uint32_t>(x + 0.0F);
  constexpr std::uint32_t kSign = 0x80000000U;
  return (bits & kSign) != 0 ? ~bits : bits | kSign;
}

}  // namespace tocsin::core
