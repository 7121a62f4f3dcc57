// The shapes of a session's links that the server has: found, placed and counted.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "service/access/memory_budget.h"
#include "service/rooms/environments.h"
#include "service/session/problem.h"
#include "tocsin/track.h"

namespace tocsin::service {

/// What became of TrackOptions::shapes.
struct FoundShapes {
  /// In the order of TrackOptions::shapes; sessions keep them alive, so that they are counted.
  std::vector<std::shared_ptr<const Room>> of;
  std::optional<MemoryBudget::Hold> hold;  ///< until the session is open
};

/// Gives the links of `options.model` the shapes that TrackOptions::shapes names, each copied where
/// it is put. `memory`: null: no limit. Problems: kInvalid: a link that there is not; a placement
/// or radius that no shape has; kNotFound: no such shape; kOverloaded: a limit, named: triangles of
/// all shapes of the model, memory.
std::optional<Problem> find_shapes(const Environments& rooms, const Principal& principal,
                                   TrackOptions& options, MemoryBudget* memory, FoundShapes& out);

}  // namespace tocsin::service
