// An avatar: a skeleton with its links, each a line swept sphere (LSS).
#pragma once

#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "tocsin/result.h"
#include "tocsin/shape.h"
#include "tocsin/skeleton.h"
#include "tocsin/types.h"

namespace tocsin {

class Avatar;
namespace scene {
struct AvatarTree;
const std::shared_ptr<const AvatarTree>& tree_of(const Avatar& avatar);
}  // namespace scene

/// One end of a link in a model: a vector in the link's joint frame, or the rest position of a
/// descendant joint.
struct EndPoint {
  Vec3 offset;        ///< metres; used if `joint` is empty
  std::string joint;  ///< name of a descendant joint, or empty
  /// For a skeleton that lacks `joint`: name of a joint at or above the link's own. The end lies on
  /// the straight line from it to the link's joint in the rest pose, `times` that distance beyond
  /// the link's joint. Empty: such a skeleton does not fit.
  std::string beyond = {};
  double times = 0.0;  ///< 0 to 10
};

/// A link as a model file describes it (`avatar_models/*.json`, "tocsin.avatar.v1"). One with a
/// shape has neither ends nor a radius of its own, and its size is not scaled.
struct LinkModel {
  std::string name;
  std::string joint;
  EndPoint a;
  EndPoint b;
  double radius = 0.0;  ///< metres, at least 1e-6
  /// Metres: the link's length on the body that has this radius; 0: not known. Only the ratio of
  /// a skeleton's bones to it matters (RadiusScale).
  double length = 0.0;
  Shape shape = {};  ///< in the joint's frame
};

/// How a model's radii are made to fit a body of another size.
struct RadiusScale {
  /// True: every radius is multiplied by the median, over the links that say their length, of the
  /// skeleton's length to that.
  bool automatic = false;
  double factor = 1.0;  ///< used if not automatic; finite, above 0
};

/// The joint names of one source of motions, tried as a whole. Two sources may use one name for
/// different joints ("RightShoulder": a collarbone in one, an upper arm in the other), so names of
/// several schemes may not be mixed.
struct NamingScheme {
  std::string name;
  /// Not empty: the scheme is the model's own joint names and aliases with this before each.
  std::string prefix = {};
  /// Else: joint name used by the links -> its names in this scheme, tried in order. The scheme
  /// lacks joints that are not listed.
  std::vector<std::pair<std::string, std::vector<std::string>>> joints = {};
};

/// A set of links that can be bound to a skeleton.
struct AvatarModel {
  std::string name;
  std::string description;
  std::vector<LinkModel> links;
  /// Joint name used by the links -> other names for it.
  std::vector<std::pair<std::string, std::vector<std::string>>> aliases;
  std::string file;  ///< where it was read from; empty if built from memory
  /// Tried in order where the model's own names (the links', with `aliases`) do not fit.
  std::vector<NamingScheme> schemes = {};
};

/// What moves with one joint. A line swept sphere: all points within `radius` of the segment a-b,
/// fixed in the joint's frame (paper 004, section 3.1). Or a shape; then a, b and radius are those
/// of a line swept sphere that holds it.
struct Link {
  std::string name;
  int joint = 0;        ///< index into the skeleton
  Vec3 a;               ///< joint frame, metres
  Vec3 b;               ///< joint frame, metres
  double radius = 0.0;  ///< metres
  Shape shape = {};     ///< empty: a line swept sphere
};

/// A link with a shape, and the line swept sphere that holds it.
Link link_of_shape(std::string name, int joint, Shape shape);

/// An immutable skeleton with links. Copies share their data.
class Avatar {
 public:
  Avatar() = default;
  // Copies are cheap, and one that was moved from would have no body.
  Avatar(const Avatar&) = default;
  Avatar& operator=(const Avatar&) = default;
  ~Avatar() = default;

  /// Binds a model to a skeleton. A joint name matches exactly first, then by the model's aliases,
  /// each time ignoring case and any prefix up to the last ':'. If not all joints are found so, the
  /// model's naming schemes are tried, each as a whole. Errors (kInput): a joint that is
  /// missing (lists the skeleton's joints), an end point that is not a descendant, a radius below
  /// 1e-6 m or not finite, no links; automatic scaling of a model that says no lengths. kUsage: a
  /// factor that is not finite or not above 0, or that makes a radius too small or too large.
  static Result<Avatar> bind(const AvatarModel& model, const Skeleton& skeleton,
                             const RadiusScale& scale = {});
  /// The same; an error in `model` is passed on.
  static Result<Avatar> bind(const Result<AvatarModel>& model, const Skeleton& skeleton,
                             const RadiusScale& scale = {});

  /// One link per bone (joint to child joint), radius a fraction of the bone's length, for any
  /// skeleton at all. The radii fit the body by themselves: automatic scaling changes nothing; a
  /// factor multiplies them. Errors (kInput): an empty skeleton; kUsage: a factor as in bind().
  static Result<Avatar> automatic(const Skeleton& skeleton, const RadiusScale& scale = {});

  /// Links built from memory; of those with shapes, the capsule is found here.
  /// Errors as in bind().
  static Result<Avatar> create(std::string name, Skeleton skeleton, std::vector<Link> links);

  /// The same avatar with more links behind its own. Errors as in create().
  [[nodiscard]] Result<Avatar> with_links(std::vector<Link> more) const;

  [[nodiscard]] const std::string& name() const { return body_->name; }
  [[nodiscard]] const Skeleton& skeleton() const { return body_->skeleton; }
  [[nodiscard]] std::span<const Link> links() const { return body_->links; }
  /// What the model's radii were multiplied by when it was bound.
  [[nodiscard]] double radius_factor() const { return radius_factor_; }

 private:
  friend const std::shared_ptr<const scene::AvatarTree>& scene::tree_of(const Avatar& avatar);
  struct Body {
    std::string name;
    Skeleton skeleton;
    std::vector<Link> links;
    std::shared_ptr<const scene::AvatarTree> tree;  ///< of these two
  };
  /// Of avatars without links.
  static const std::shared_ptr<const Body>& nobody();

  std::shared_ptr<const Body> body_ = nobody();
  double radius_factor_ = 1.0;
};

}  // namespace tocsin
