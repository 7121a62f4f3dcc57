#pragma once

namespace tocsin {
/// Semantic version of this library; also the report's "version" field.
inline constexpr const char* kVersion = "0.2.0";
}  // namespace tocsin
