// What a device says that leaves instants with shapes to the CPU.
#pragma once

#include <string_view>

namespace tocsin::detect {

/// Detector::fallback() then, unless something failed.
inline constexpr std::string_view kShapesLeft = "links with shapes are checked by the CPU";

}  // namespace tocsin::detect
