// What a batch is asked about one avatar.
#pragma once

#include <cstdint>

#include "tocsin/active_pairs.h"
#include "tocsin/avatar.h"
#include "tocsin/link_pairs.h"
#include "tocsin/motion.h"

namespace tocsin::cuda {

/// One avatar's step, and what is asked about it. What is pointed to must outlive the batch.
struct BatchItem {
  const Avatar* avatar = nullptr;
  const Step* step = nullptr;           ///< of the avatar's skeleton
  const ActivePairs* active = nullptr;  ///< never null; fits avatar and room
  const LinkPairs* self = nullptr;      ///< never null; fits the avatar
  std::uint32_t group = 0;              ///< avatars of one group meet, if the batch is asked to
};

}  // namespace tocsin::cuda
