// Changes of rooms on the wire.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "tocsin/result.h"
#include "tocsin/scene_change.h"
#include "tocsin/v1/collision.pb.h"

namespace tocsin::wire {

/// Edits of one change. Each may be about all objects of a small room.
inline constexpr std::size_t kMostEdits = 4096;

void to_wire(const SceneEdit& edit, v1::SceneEdit& out);
/// Errors: kInput: names, as label_problem(); no verb; a shape, as ShapeReader; an enumerator that
/// is unknown; not 1 to kMostEdits edits. kResource: too many triangles. The edit is named.
Result<std::vector<SceneEdit>> from_wire(const v1::UpdateEnvironmentRequest& request);

}  // namespace tocsin::wire
