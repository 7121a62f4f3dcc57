// Options of a session on the wire.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "wire/limits.h"
#include "wire/shapes.h"
#include "wire/skeletons.h"
#include "wire/text.h"
#include "wire/values.h"

namespace tocsin::wire {
namespace {

/// Patterns of a session: each is compared with every name of a link and of an object.
constexpr int kMostPatterns = 256;
/// Bytes of a pattern: room for the longest names of both sides, with some glob characters.
constexpr std::size_t kLongestPattern = 2 * kLongestName + 64;
/// Characters of a label, and the most bytes that they have.
constexpr std::size_t kLongestLabel = 128;
constexpr std::size_t kLongestLabelBytes = 4 * kLongestLabel;
/// Metres along each axis. As far as a motion's transforms may be. Farther: no room reaches there.
constexpr double kFarthestPlace = 1e6;
/// Degrees: a hundred turns. More: an error of the client.
constexpr double kMostYaw = 36'000.0;
/// A body of 1.7 m becomes one of 1.7 km. More: an error of the client.
constexpr double kMostRadiusFactor = 1000.0;
/// Metres: as one unit of a room's files.
constexpr double kLeastUnit = 1e-6;
constexpr double kMostUnit = 1e6;
/// Step time. A wider bracket would be longer than the step.
constexpr double kMostTolerance = 1.0;
/// Seconds, as the frame time of a motion file.
constexpr double kMostFrameSeconds = 1e6;

std::string out_of_range(std::string_view field, double value, std::string_view range) {
  return fmt::format("{} is {}; must be {}", field, value, range);
}

bool is_within(double value, double most) { return std::abs(value) <= most; }

/// Written so that a NaN fails.
std::string place_problem(const Placement& place) {
  const Vec3& v = place.translation;
  for (const double along : {v.x, v.y, v.z}) {
    if (is_within(along, kFarthestPlace)) continue;
    return out_of_range("place", along, fmt::format("from -{0} to {0} m", kFarthestPlace));
  }
  if (is_within(place.yaw_degrees, kMostYaw)) return {};
  return out_of_range("place_yaw_degrees", place.yaw_degrees,
                      fmt::format("from -{0} to {0}", kMostYaw));
}

/// Written so that a NaN fails.
std::string numbers_problem(const TrackOptions& options) {
  if (!(options.spec.margin >= 0.0 && options.spec.margin <= kMostMargin)) {
    return out_of_range("margin", options.spec.margin, fmt::format("from 0 to {} m", kMostMargin));
  }
  if (!(options.nearest >= 0.0 && options.nearest <= kMostNearest)) {
    return out_of_range("nearest", options.nearest, fmt::format("from 0 to {} m", kMostNearest));
  }
  if (options.most_distances < 1 || options.most_distances > kMostDistances) {
    return out_of_range("most_distances", options.most_distances,
                        fmt::format("from 1 to {}, or left out", kMostDistances));
  }
  if (!(options.lookahead >= 0.0 && options.lookahead <= kMostLookahead)) {
    return out_of_range("lookahead", options.lookahead,
                        fmt::format("from 0 to {} s", kMostLookahead));
  }
  const auto is_positive = [](double value, double most) { return value > 0.0 && value <= most; };
  if (!is_positive(options.spec.tolerance, kMostTolerance)) {
    return out_of_range("tolerance", options.spec.tolerance,
                        fmt::format("above 0 and at most {}", kMostTolerance));
  }
  if (!is_positive(options.avatar.radii.factor, kMostRadiusFactor)) {
    return out_of_range("radius_factor", options.avatar.radii.factor,
                        fmt::format("above 0 and at most {}", kMostRadiusFactor));
  }
  if (const auto seconds = options.frame_seconds;
      seconds && !is_positive(*seconds, kMostFrameSeconds)) {
    return out_of_range("frame_seconds", *seconds,
                        fmt::format("above 0 and at most {}, or left out", kMostFrameSeconds));
  }
  return place_problem(options.avatar.place);
}

std::size_t characters(std::string_view utf8) {
  return static_cast<std::size_t>(std::count_if(utf8.begin(), utf8.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U;
  }));
}

template <class Patterns>
std::string patterns_problem(const char* field, const Patterns& patterns) {
  if (patterns.size() > kMostPatterns) {
    return fmt::format("{}: {} patterns; a session has at most {}", field, patterns.size(),
                       kMostPatterns);
  }
  for (int i = 0; i < patterns.size(); ++i) {
    std::string problem = label_problem(patterns.Get(i), kLongestPattern);
    if (!problem.empty()) return fmt::format("{}: pattern {} {}", field, i, problem);
  }
  return {};
}

std::string texts_problem(const v1::Open& open) {
  if (std::string problem = label_problem(open.environment()); !problem.empty()) {
    return "environment " + problem;
  }
  if (std::string problem = label_problem(open.model()); !problem.empty()) {
    return "model " + problem;
  }
  if (std::string problem = label_problem(open.label(), kLongestLabelBytes); !problem.empty()) {
    return "label " + problem;
  }
  if (const std::size_t length = characters(open.label()); length > kLongestLabel) {
    return fmt::format("label has {} characters, may have {}", length, kLongestLabel);
  }
  if (std::string problem = patterns_problem("ignore", open.ignore()); !problem.empty()) {
    return problem;
  }
  return patterns_problem("surface", open.surface());
}

/// Which enumerator this version does not know; empty: none.
std::string enumerators_problem(const v1::Open& open) {
  if (!v1::InBetween_IsValid(open.in_between())) {
    return fmt::format(
        "in_between: {} is none of IN_BETWEEN_SCREW (0), IN_BETWEEN_TRANSLATE_ROTATE (1)",
        static_cast<int>(open.in_between()));
  }
  if (!v1::Contacts_IsValid(open.contacts())) {
    return fmt::format("contacts: {} is none of CONTACTS_PAIRS (0), CONTACTS_FIRST (1)",
                       static_cast<int>(open.contacts()));
  }
  return {};
}

/// In place of the link's ends. A shape of no link is not sent: the client has refused it.
void put(const LoadedShape& shape, v1::AvatarModel& out) {
  if (shape.link >= static_cast<std::size_t>(out.links_size())) return;
  v1::Link& link = *out.mutable_links(static_cast<int>(shape.link));
  link.clear_a();
  link.clear_b();
  link.clear_radius();
  link.clear_length();
  to_wire(shape, *link.mutable_shape());
}

void read_avatar(const v1::Open& open, TrackOptions& out, std::optional<Error>& error) {
  if (!open.model().empty()) out.avatar.model = open.model();
  if (!open.has_inline_model()) return;
  auto model = from_wire(open.inline_model(), out.shapes);
  if (!model) {
    error = Error{model.error().code, "inline_model: " + model.error().message};
    return;
  }
  out.model = std::move(model).value();
}

/// Empty, or what no client may mean.
std::string read_tracker(const v1::Tracker& tracker, TrackerPoses& out) {
  out.world = tracker.world();
  if (!v1::MissingJoints_IsValid(tracker.missing())) {
    return fmt::format(
        "tracker.missing: {} is none of MISSING_JOINTS_BAD (0), MISSING_JOINTS_HELD (1)",
        static_cast<int>(tracker.missing()));
  }
  out.hold_missing = tracker.missing() == v1::MISSING_JOINTS_HELD;
  const double unit = tracker.unit() == 0.0 ? 1.0 : tracker.unit();
  if (!(unit >= kLeastUnit && unit <= kMostUnit)) {
    return out_of_range("tracker.unit", unit,
                        fmt::format("from {} to {} m, or left out", kLeastUnit, kMostUnit));
  }
  const v1::Axes& axes = tracker.axes();
  for (const v1::Axis axis : {axes.x(), axes.y(), axes.z()}) {
    if (v1::Axis_IsValid(axis)) continue;
    return fmt::format("tracker.axes: {} is none of AXIS_X (0) to AXIS_MINUS_Z (5)",
                       static_cast<int>(axis));
  }
  const auto along = [](v1::Axis axis) { return static_cast<AxisAlong>(axis); };
  if (!tracker.has_axes()) {
    out.axes = Axes(AxisAlong::kX, AxisAlong::kY, AxisAlong::kZ, unit);
    return {};
  }
  if (!Axes::are_axes(along(axes.x()), along(axes.y()), along(axes.z()))) {
    return "tracker.axes: x, y and z must each be along another axis";
  }
  out.axes = Axes(along(axes.x()), along(axes.y()), along(axes.z()), unit);
  return {};
}

void put(const TrackerPoses& tracker, v1::Tracker& out) {
  out.set_world(tracker.world);
  const auto axis = [&](std::size_t i) { return static_cast<v1::Axis>(tracker.axes.along(i)); };
  out.mutable_axes()->set_x(axis(0));
  out.mutable_axes()->set_y(axis(1));
  out.mutable_axes()->set_z(axis(2));
  out.set_unit(tracker.axes.unit());
  out.set_missing(tracker.hold_missing ? v1::MISSING_JOINTS_HELD : v1::MISSING_JOINTS_BAD);
}

void read_numbers(const v1::Open& open, TrackOptions& out) {
  out.avatar.radii.automatic = open.radius_auto();
  if (open.has_radius_factor()) out.avatar.radii.factor = open.radius_factor();
  out.avatar.place = {from_wire(open.place()), open.place_yaw_degrees()};
  out.spec.margin = open.margin();
  if (open.has_tolerance()) out.spec.tolerance = open.tolerance();
  // Zero is "left out"; that is how proto3 sends it.
  if (open.frame_seconds() != 0.0) out.frame_seconds = open.frame_seconds();
  out.nearest = open.nearest();
  if (open.most_distances() != 0) out.most_distances = open.most_distances();
  out.lookahead = open.lookahead();
}

}  // namespace

void to_wire(const TrackOptions& options, v1::Open& out) {
  out.Clear();
  put_text(options.environment, *out.mutable_environment());
  to_wire(options.skeleton, *out.mutable_skeleton());
  if (options.model) {
    to_wire(*options.model, *out.mutable_inline_model());
    for (const LoadedShape& shape : options.shapes) put(shape, *out.mutable_inline_model());
  } else {
    put_text(options.avatar.model, *out.mutable_model());
  }
  if (options.avatar.radii.automatic) {
    out.set_radius_auto(true);
  } else {
    out.set_radius_factor(options.avatar.radii.factor);
  }
  to_wire(options.avatar.place.translation, *out.mutable_place());
  out.set_place_yaw_degrees(options.avatar.place.yaw_degrees);
  out.set_in_between(options.spec.in_between == InBetween::kTranslateRotate
                         ? v1::IN_BETWEEN_TRANSLATE_ROTATE
                         : v1::IN_BETWEEN_SCREW);
  out.set_contacts(options.spec.contacts == Contacts::kFirst ? v1::CONTACTS_FIRST
                                                             : v1::CONTACTS_PAIRS);
  out.set_margin(options.spec.margin);
  out.set_tolerance(options.spec.tolerance);
  out.set_clearance(options.spec.clearance);
  for (const std::string& pattern : options.spec.ignore) put_text(pattern, *out.add_ignore());
  for (const std::string& pattern : options.spec.surfaces) put_text(pattern, *out.add_surface());
  out.set_coalesce(options.coalesce);
  out.set_stop_pose(options.stop_pose);
  if (options.frame_seconds) out.set_frame_seconds(*options.frame_seconds);
  put_text(options.label, *out.mutable_label());
  out.set_meet(options.meet);
  out.set_self(options.spec.self);
  out.set_ignore_rest(options.ignore_rest);
  out.set_nearest(options.nearest);
  out.set_most_distances(options.most_distances);
  out.set_lookahead(options.lookahead);
  if (options.tracker != TrackerPoses{}) put(options.tracker, *out.mutable_tracker());
}

Result<TrackOptions> from_wire(const v1::Open& open) {
  std::string problem = texts_problem(open);
  if (problem.empty()) problem = enumerators_problem(open);
  if (!problem.empty()) return {ErrorCode::kInput, std::move(problem)};

  TrackOptions out;
  read_numbers(open, out);
  problem = numbers_problem(out);
  if (problem.empty()) problem = read_tracker(open.tracker(), out.tracker);
  if (!problem.empty()) return {ErrorCode::kInput, std::move(problem)};

  auto skeleton = from_wire(open.skeleton());
  if (!skeleton) return skeleton.error();
  out.skeleton = std::move(skeleton).value();
  std::optional<Error> error;
  read_avatar(open, out, error);
  if (error) return *error;

  out.environment = open.environment();
  out.spec.in_between = open.in_between() == v1::IN_BETWEEN_TRANSLATE_ROTATE
                            ? InBetween::kTranslateRotate
                            : InBetween::kScrew;
  out.spec.contacts = open.contacts() == v1::CONTACTS_FIRST ? Contacts::kFirst : Contacts::kPairs;
  out.spec.clearance = open.clearance();
  out.spec.ignore.assign(open.ignore().begin(), open.ignore().end());
  out.spec.surfaces.assign(open.surface().begin(), open.surface().end());
  out.coalesce = !open.has_coalesce() || open.coalesce();
  out.stop_pose = open.stop_pose();
  out.label = open.label();
  out.meet = open.meet();
  out.spec.self = open.self();
  out.ignore_rest = open.ignore_rest();
  return out;
}

}  // namespace tocsin::wire
