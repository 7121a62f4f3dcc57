// An avatar: a skeleton with its links, each a line swept sphere (LSS).
#pragma once

#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "tocsin/result.h"
#include "tocsin/skeleton.h"
#include "tocsin/types.h"

namespace tocsin {

/// One end of a link in a model: a vector in the link's joint frame, or the rest position of a
/// descendant joint.
struct EndPoint {
  Vec3 offset;        ///< metres; used if `joint` is empty
  std::string joint;  ///< name of a descendant joint, or empty
};

/// A link as a model file describes it (`avatar_models/*.json`, "tocsin.avatar.v1").
struct LinkModel {
  std::string name;
  std::string joint;
  EndPoint a;
  EndPoint b;
  double radius = 0.0;  ///< metres, at least 1e-6
};

/// A set of links that can be bound to a skeleton.
struct AvatarModel {
  std::string name;
  std::string description;
  std::vector<LinkModel> links;
  /// Joint name used by the links -> other names for it.
  std::vector<std::pair<std::string, std::vector<std::string>>> aliases;
  std::string file;  ///< where it was read from; empty if built from memory
};

/// A line swept sphere: all points within `radius` of the segment a-b, fixed in one joint's frame.
/// Paper 004, section 3.1.
struct Link {
  std::string name;
  int joint = 0;        ///< index into the skeleton
  Vec3 a;               ///< joint frame, metres
  Vec3 b;               ///< joint frame, metres
  double radius = 0.0;  ///< metres
};

/// An immutable skeleton with links. Copies share their data.
class Avatar {
 public:
  Avatar() = default;

  /// Binds a model to a skeleton. A joint name matches exactly first, then by the model's aliases,
  /// each time ignoring case and any prefix up to the last ':'. Errors (kInput): a joint that is
  /// missing (lists the skeleton's joints), an end point that is not a descendant, a radius below
  /// 1e-6 m or not finite, no links.
  static Result<Avatar> bind(const AvatarModel& model, const Skeleton& skeleton);
  /// The same; an error in `model` is passed on.
  static Result<Avatar> bind(const Result<AvatarModel>& model, const Skeleton& skeleton);

  /// One link per bone (joint to child joint), radius a fraction of the bone's length, for any
  /// skeleton at all. Errors (kInput): an empty skeleton.
  static Result<Avatar> automatic(const Skeleton& skeleton);

  /// Links built from memory. Errors as in bind().
  static Result<Avatar> create(std::string name, Skeleton skeleton, std::vector<Link> links);

  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] const Skeleton& skeleton() const;
  [[nodiscard]] std::span<const Link> links() const { return links_; }

 private:
  std::string name_;
  std::shared_ptr<const Skeleton> skeleton_;
  std::vector<Link> links_;
};

}  // namespace tocsin
