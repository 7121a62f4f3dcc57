#include "wire/distances.h"

#include <fmt/format.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "wire/text.h"
#include "wire/values.h"

namespace tocsin::wire {
namespace {

void put_distance(const LinkDistance& distance, v1::Distance& out) {
  out.set_link(static_cast<std::uint32_t>(distance.link));
  out.set_object(distance.nearest.object);
  out.set_triangle(distance.nearest.triangle);
  out.set_metres(distance.distance);
  to_wire(distance.point, *out.mutable_point());
  to_wire(distance.own, *out.mutable_own_point());
  out.set_inside(distance.inside);
  if (distance.link_feature) out.set_link_triangle(*distance.link_feature);
}

LinkDistance distance_of(const v1::Distance& distance) {
  LinkDistance out;
  out.link = static_cast<std::int32_t>(distance.link());
  out.nearest = {distance.object(), distance.triangle()};
  out.distance = distance.metres();
  out.point = from_wire(distance.point());
  out.own = from_wire(distance.own_point());
  out.inside = distance.inside();
  if (distance.has_link_triangle()) out.link_feature = distance.link_triangle();
  return out;
}

/// Which value of the distance no server sends; empty: none.
std::string problem_of_one(const v1::Distance& distance) {
  if (distance.link() > std::uint32_t{std::numeric_limits<std::int32_t>::max()}) {
    return fmt::format("there is no link {}", distance.link());
  }
  if (!std::isfinite(distance.metres())) return "it is not finite";
  if (!is_finite(from_wire(distance.point())) || !is_finite(from_wire(distance.own_point()))) {
    return "one of its points is not finite";
  }
  return {};
}

}  // namespace

void put_distances(const TrackReport& report, v1::StepReport& out) {
  for (std::size_t i = 0; i < report.distances.size(); ++i) {
    v1::Distance& made = *out.add_distances();
    put_distance(report.distances[i], made);
    if (i >= report.distance_objects.size()) continue;
    put_text(report.distance_objects[i], *made.mutable_object_name());
  }
  out.set_more_distances(report.more_distances);
}

void take_distances(const v1::StepReport& report, TrackReport& out) {
  for (const v1::Distance& distance : report.distances()) {
    out.distances.push_back(distance_of(distance));
    out.distance_objects.push_back(distance.object_name());
  }
  out.more_distances = report.more_distances();
}

std::string problem_of_distances(const v1::StepReport& report) {
  for (int i = 0; i < report.distances_size(); ++i) {
    const std::string problem = problem_of_one(report.distances(i));
    if (!problem.empty()) return fmt::format("distance {}: {}", i, problem);
  }
  return {};
}

}  // namespace tocsin::wire
