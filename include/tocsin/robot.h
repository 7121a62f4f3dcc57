// A robot: what a URDF describes, as an avatar, and motions of its joint values.
#pragma once

#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "tocsin/avatar.h"
#include "tocsin/motion.h"
#include "tocsin/result.h"
#include "tocsin/types.h"

namespace tocsin {

namespace io {
struct Robot;
}

/// Pairs of a robot's links that need no check.
struct RobotPairs {
  std::vector<std::string> patterns;  ///< "LINK:LINK", for LinkPairs::ignoring(); each is one pair
  std::vector<std::string> warnings;  ///< links that the SRDF names and the robot does not have
};

/// A robot of a URDF. Immutable; copies share their data. docs/robots.md. Lengths are metres,
/// angles radians, in the axes of the file: where that is Z up, `up` turns the robot's root
/// (UpAxis).
class Robot {
 public:
  /// Reads a URDF, by liburdfdom, and the meshes of its collision elements. Errors (kInput), naming
  /// file, line where it is known, and cause: what is malformed; links that are not one tree; a
  /// mesh that is not found; no collision element; a build without liburdfdom.
  static Result<Robot> load(const std::filesystem::path& urdf);

  /// The URDF, as given.
  [[nodiscard]] const std::string& file() const;
  /// The links' shapes, to be bound to skeleton(): of a link with several collision elements each
  /// is a link, LINK.1, LINK.2, ...
  [[nodiscard]] const AvatarModel& model() const { return *model_; }
  /// A joint for each link, called like it; at rest all values are 0.
  [[nodiscard]] Result<Skeleton> skeleton(UpAxis up = UpAxis::kY) const;
  /// What motion() may be given: a joint's name; NAME/x, NAME/y and NAME/theta of a planar joint;
  /// NAME/trans_x, _y, _z, NAME/rot_x, _y, _z, _w of a floating one. Not joints that mimic others.
  [[nodiscard]] std::vector<std::string> values() const;

  /// The motion of joint values. times: seconds, increasing; the motion's frame 0 is at 0 s. names:
  /// of the columns. values: row by row, times.size() * names.size(). Joints that are not named
  /// stay at 0. Between two rows a joint's value goes straight from one to the other.
  /// MotionSource::warnings counts joints at 0, values outside of their limits and moves that are
  /// too fast. Errors (kInput), naming the row, from 0: names as values() has them not, or twice;
  /// numbers that are not finite or beyond 1e6; times that do not increase; a joint that turns by
  /// pi or more between two rows.
  [[nodiscard]] Result<Motion> motion(std::span<const double> times,
                                      std::span<const std::string> names,
                                      std::span<const double> values, UpAxis up = UpAxis::kY) const;

  /// Pairs that no joint moves apart, and those that an SRDF disables. avatar: of model() on
  /// skeleton(). srdf: empty: none is read. Errors (kInput): as for an SRDF that is malformed, with
  /// file and line; kUsage: an avatar on another skeleton.
  [[nodiscard]] Result<RobotPairs> ignored_pairs(const Avatar& avatar,
                                                 const std::filesystem::path& srdf = {}) const;

 private:
  Robot(std::shared_ptr<const io::Robot> robot, std::shared_ptr<const AvatarModel> model)
      : robot_(std::move(robot)), model_(std::move(model)) {}

  std::shared_ptr<const io::Robot> robot_;
  std::shared_ptr<const AvatarModel> model_;
};

}  // namespace tocsin
