// Where two hulls touch whose pair and time are known.
#pragma once

#include "core/query/certify_hulls.h"
#include "core/query/contact_point.h"

namespace tocsin::detect {

/// Two frames in the world, as core::frame_pair takes them.
struct WorldFrames {
  const core::FrameMotion& first;
  const core::FrameMotion& second;
};

/// The point of g, without its radius, that is nearest to f at a time; the normal points to f.
/// World, where shared joints count again.
core::ContactPoint place_of(const WorldFrames& frames, const core::FramePair& pair,
                            const core::Hull& f, const core::Hull& g, double time);

}  // namespace tocsin::detect
