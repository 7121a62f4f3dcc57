#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

#include "core/query/convex_depth.h"
#include "core/query/convex_distance.h"
#include "detect/nearest/places.h"
#include "scene/shape/convex_graph.h"
#include "tocsin/nearest.h"

namespace tocsin {

namespace detail {

struct ConvexBodyData {
  scene::ConvexGraph graph;
  double radius = 0.0;
};

struct ConvexPairMemory {
  core::ConvexMemory corners;
  ConvexWork work;
};

}  // namespace detail

namespace {

using core::operator*;

/// What the search ended with, in the first one's frame, metres, without radii.
struct Found {
  double distance = 0.0;  ///< below 0: minus the depth
  double error = 0.0;
  Vec3 normal;
  core::DifferenceSimplex simplex;
};

Found search(core::ConvexMeeting& meeting, ConvexWork& work) {
  const core::ConvexAnswer answer = meeting.run();
  work = {answer.rounds, answer.steps};
  if (answer.apart) {
    return {answer.upper, std::max(0.0, answer.upper - answer.lower) + answer.error, answer.normal,
            answer.simplex};
  }
  core::ConvexDepthSearch search(meeting, answer);
  const core::ConvexDepth depth = search.run();
  work = {answer.rounds + depth.rounds, meeting.steps()};
  const bool touching = !(depth.upper > answer.error);
  return {-depth.upper, (touching ? 0.0 : depth.upper - depth.lower) + answer.error, depth.normal,
          depth.simplex};
}

Vec3 weighted(const core::DifferenceSimplex& s, bool first) {
  Vec3 out;
  for (int i = 0; i < s.count; ++i) {
    out = out + s.weight[i] * (first ? s.corner[i].a : s.corner[i].b);
  }
  return out;
}

/// The corners of one body among those with a weight, each once.
scene::ConvexFeature corners_of(const core::DifferenceSimplex& s, bool first) {
  scene::ConvexFeature out;
  for (int i = 0; i < s.count; ++i) {
    const std::uint32_t corner = first ? s.corner[i].first : s.corner[i].second;
    auto* const end = out.corner.begin() + out.corners;
    if (s.weight[i] > 0.0 && std::find(out.corner.begin(), end, corner) == end) {
      out.corner[static_cast<std::size_t>(out.corners++)] = corner;
    }
  }
  return out;
}

BodyFeature feature_of(const scene::ConvexGraph& graph, const core::DifferenceSimplex& s,
                       bool first, const Vec3& point, double enough) {
  const scene::ConvexFeature feature =
      scene::feature_at(graph, corners_of(s, first), point, enough);
  return {feature.corner, feature.corners};
}

}  // namespace

Result<ConvexBody> ConvexBody::make(const Shape& shape) {
  if (shape.empty()) return {ErrorCode::kInput, "an empty shape has no convex hull"};
  auto graph = scene::convex_graph(shape.corners());
  if (!graph) return graph.error();
  auto data = std::make_shared<detail::ConvexBodyData>();
  data->graph = std::move(graph).value();
  data->radius = shape.radius();
  return ConvexBody(std::move(data));
}

std::span<const Vec3> ConvexBody::corners() const { return data_->graph.corners; }
std::span<const std::uint32_t> ConvexBody::sources() const { return data_->graph.source; }
std::span<const TriangleIndices> ConvexBody::faces() const { return data_->graph.faces; }
double ConvexBody::radius() const { return data_->radius; }

ConvexPair::ConvexPair(ConvexBody first, ConvexBody second)
    : first_(std::move(first)),
      second_(std::move(second)),
      memory_(std::make_unique<detail::ConvexPairMemory>()) {}
ConvexPair::ConvexPair(ConvexPair&& other) noexcept = default;
ConvexPair& ConvexPair::operator=(ConvexPair&& other) noexcept = default;
ConvexPair::~ConvexPair() = default;

ConvexWork ConvexPair::work() const { return memory_->work; }
void ConvexPair::forget() { *memory_ = {}; }

Result<ConvexNearest> ConvexPair::nearest(const Transform& first, const Transform& second) {
  if (auto problem = detect::problem_with(first)) return *std::move(problem);
  if (auto problem = detect::problem_with(second)) return *std::move(problem);
  const scene::ConvexGraph& a = first_.data_->graph;
  const scene::ConvexGraph& b = second_.data_->graph;
  const core::Mat3 turn = core::to_matrix(core::normalized(first.rotation));
  const core::ConvexPlace place =
      detect::place_of(turn, second, second.translation - first.translation);
  const core::ConvexBodyView view_a = a.view();
  const core::ConvexBodyView view_b = b.view();
  core::ConvexMeeting meeting(view_a, view_b, place, memory_->corners);
  const Found found = search(meeting, memory_->work);
  const double radii = first_.radius() + second_.radius();

  ConvexNearest out;
  out.distance = found.distance - radii;
  out.error = found.error + 0x1p-50 * radii;
  out.status = out.distance > out.error    ? Proximity::kApart
               : out.distance < -out.error ? Proximity::kOverlap
                                           : Proximity::kTouching;
  const Vec3 y = weighted(found.simplex, true);
  const Vec3 x = weighted(found.simplex, false);
  out.normal = turn * found.normal;
  out.first = (turn * y + first.translation) + (-first_.radius()) * out.normal;
  out.second = (turn * x + first.translation) + second_.radius() * out.normal;
  out.first_feature = feature_of(a, found.simplex, true, y, meeting.error());
  out.second_feature =
      feature_of(b, found.simplex, false, place.back * (x - place.origin), meeting.error());
  return out;
}

}  // namespace tocsin
