#include "io/import/clip_sampler.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "base/quoted.h"
#include "core/vector/vec.h"
#include "io/import/key_times.h"
#include "io/import/rigid.h"

namespace tocsin::io {
namespace {

Vec3 vector_at(const SceneTrack& track, std::size_t key) {
  const double* const v = track.values.data() + 3 * key;
  return {v[0], v[1], v[2]};
}

Quat rotation_at(const SceneTrack& track, std::size_t key) {
  const double* const v = track.values.data() + 4 * key;
  return core::normalized({v[0], v[1], v[2], v[3]});
}

bool differ(const SceneTrack& track, std::size_t a, std::size_t b) {
  const auto begin = track.values.begin();
  const auto width = static_cast<std::ptrdiff_t>(track.width());
  const auto first = begin + width * static_cast<std::ptrdiff_t>(a);
  return !std::equal(first, first + width, begin + width * static_cast<std::ptrdiff_t>(b));
}

std::string fault_of(const SceneTrack& track) {
  // A quaternion shorter than this has no direction; files hold them rounded, so near 1.
  constexpr double kLeastQuaternion = 1e-3;
  for (std::size_t i = 0; i < track.times.size(); ++i) {
    if (!std::isfinite(track.times[i])) return fmt::format("key {}: its time is not finite", i);
    if (i > 0 && !(track.times[i] > track.times[i - 1])) {
      return fmt::format("key {}: its time, {} s, does not come after the one before, {} s", i,
                         track.times[i], track.times[i - 1]);
    }
    double square = 0.0;
    for (std::size_t k = 0; k < track.width(); ++k) {
      const double value = track.values[track.width() * i + k];
      if (!std::isfinite(value)) return fmt::format("key {}: its value is not finite", i);
      square += value * value;
    }
    if (track.path == TrackPath::kRotation && square < kLeastQuaternion * kLeastQuaternion) {
      return fmt::format("key {}: its quaternion is no rotation", i);
    }
  }
  return {};
}

}  // namespace

std::string key_fault(const AnimatedScene& scene, const SceneClip& clip) {
  for (const SceneTrack& track : clip.tracks) {
    const std::string fault = fault_of(track);
    if (fault.empty()) continue;
    constexpr const char* kPaths[] = {"translation", "rotation", "scale"};
    return fmt::format("clip {}, joint {}, {}, {}", base::in_quotes(clip.name),
                       base::in_quotes(scene.nodes[static_cast<std::size_t>(track.node)].name),
                       kPaths[static_cast<std::size_t>(track.path)], fault);
  }
  return {};
}

struct ClipSampler::Value {
  Vec3 vector;
  Quat rotation;
};

ClipSampler::ClipSampler(const AnimatedScene& scene, const SceneClip& clip,
                         const std::vector<int>& wanted)
    : scene_(scene),
      clip_(clip),
      tracks_(scene.nodes.size(), kNoTracks),
      moves_(scene.nodes.size(), 0),
      world_(scene.nodes.size()),
      guessed_(clip.tracks.size(), 0) {
  for (std::size_t i = 0; i < clip.tracks.size(); ++i) {
    const SceneTrack& track = clip.tracks[i];
    tracks_[static_cast<std::size_t>(track.node)][static_cast<std::size_t>(track.path)] =
        static_cast<int>(i);
  }
  std::vector<char> needed(scene.nodes.size(), 0);
  for (const int node : wanted) {
    for (int i = node; i >= 0 && needed[static_cast<std::size_t>(i)] == 0;
         i = scene.nodes[static_cast<std::size_t>(i)].parent) {
      needed[static_cast<std::size_t>(i)] = 1;
    }
  }
  for (std::size_t i = 0; i < needed.size(); ++i) {
    if (needed[i] == 0) continue;
    nodes_.push_back(i);
    const int parent = scene.nodes[i].parent;
    const bool carried = parent >= 0 && moves_[static_cast<std::size_t>(parent)] != 0;
    moves_[i] = static_cast<char>(carried || tracks_[i] != kNoTracks);
  }
  go_to_rest();
}

void ClipSampler::go_to_rest() {
  for (const std::size_t node : nodes_) {
    const SceneNode& one = scene_.nodes[node];
    world_[node] = one.parent < 0
                       ? one.local
                       : product(world_[static_cast<std::size_t>(one.parent)], one.local);
  }
}

void ClipSampler::go_to(double seconds) {
  const double tolerance = time_tolerance(seconds);
  for (const std::size_t node : nodes_) {
    if (moves_[node] == 0) continue;
    const int parent = scene_.nodes[node].parent;
    const Affine here = local(node, seconds, tolerance);
    world_[node] = parent < 0 ? here : product(world_[static_cast<std::size_t>(parent)], here);
  }
}

Affine ClipSampler::local(std::size_t node, double seconds, double tolerance) {
  const std::array<int, 3>& tracks = tracks_[node];
  if (tracks == kNoTracks) return scene_.nodes[node].local;
  const auto part = [&](TrackPath path, const Vec3& otherwise) {
    const int track = tracks[static_cast<std::size_t>(path)];
    if (track == kNone) return Value{otherwise, Quat{}};
    return value(static_cast<std::size_t>(track), seconds, tolerance);
  };
  return compose(part(TrackPath::kTranslation, {}).vector, part(TrackPath::kRotation, {}).rotation,
                 part(TrackPath::kScale, {1.0, 1.0, 1.0}).vector);
}

ClipSampler::Value ClipSampler::value(std::size_t number, double seconds, double tolerance) {
  const SceneTrack& track = clip_.tracks[number];
  const bool turns = track.path == TrackPath::kRotation;
  const auto key = [&](std::size_t i) {
    return turns ? Value{{}, rotation_at(track, i)} : Value{vector_at(track, i), {}};
  };
  const std::vector<double>& times = track.times;
  // The first key that is not before this time.
  const auto next = static_cast<std::size_t>(
      std::lower_bound(times.begin(), times.end(), seconds - tolerance) - times.begin());
  if (next == times.size()) return key(next - 1);
  if (next == 0 || times[next] <= seconds + tolerance) return key(next);
  const std::size_t before = next - 1;
  if (track.between == KeyInterpolation::kStep || !differ(track, before, next)) return key(before);
  if (track.between == KeyInterpolation::kCubic) guessed_[number] = 1;
  const double u = (seconds - times[before]) / (times[next] - times[before]);
  if (turns) return {{}, slerp(rotation_at(track, before), rotation_at(track, next), u)};
  return {(1.0 - u) * vector_at(track, before) + u * vector_at(track, next), {}};
}

std::int64_t ClipSampler::moving() const {
  return std::count_if(nodes_.begin(), nodes_.end(),
                       [this](std::size_t node) { return moves_[node] != 0; });
}

std::int64_t ClipSampler::guessed() const {
  return std::count(guessed_.begin(), guessed_.end(), 1);
}

}  // namespace tocsin::io
