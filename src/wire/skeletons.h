// Skeletons and avatar models on the wire. Received values are checked here: results are in range,
// not too large, and finite.
#pragma once

#include <vector>

#include "tocsin/avatar.h"
#include "tocsin/result.h"
#include "tocsin/skeleton.h"
#include "tocsin/track.h"
#include "tocsin/v1/collision.pb.h"

namespace tocsin::wire {

/// Links of an inline model.
inline constexpr int kMostLinks = 16'384;

void to_wire(const Skeleton& skeleton, v1::Skeleton& out);
/// Errors (kInput): as Skeleton::create; a name that is too long or no UTF-8.
Result<Skeleton> from_wire(const v1::Skeleton& skeleton);

void to_wire(const AvatarModel& model, v1::AvatarModel& out);
/// Errors (kInput), naming the link: numbers that are not finite, too many links, names that are
/// too long. Avatar::bind checks the rest.
Result<AvatarModel> from_wire(const v1::AvatarModel& model);
/// The same of one whose links may have shapes that the server has: `loaded` gets them. Errors
/// also: kResource: shapes with too many triangles.
Result<AvatarModel> from_wire(const v1::AvatarModel& model, std::vector<LoadedShape>& loaded);

}  // namespace tocsin::wire
