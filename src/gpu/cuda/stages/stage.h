// The stages of a batch.
#pragma once

#include <cstddef>
#include <cstdint>

namespace tocsin::cuda {

/// The stages whose costs are told apart; copies down are part of the stage that needs them.
enum class Stage : std::uint8_t { kUpload, kBounds, kTraversal, kCertify, kLinkPairs };
inline constexpr std::size_t kStages = 5;

}  // namespace tocsin::cuda
