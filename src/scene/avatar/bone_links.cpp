// Links for any skeleton at all, from its bones.
#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "base/quoted.h"
#include "core/vector/vec.h"
#include "scene/avatar/avatar_binder.h"
#include "scene/avatar/shape/way_to_body.h"

namespace tocsin::scene {
namespace {

/// Radius of a link over length of its bone. The limbs of humanoid16 on the recorded takes have
/// 0.13 (shin) to 0.23 (forearm): docs/avatars.md. A larger ratio makes stouter avatars.
constexpr double kRadiusPerLength = 0.18;
/// Metres. About half a finger's breadth: below it short bones would turn into needles.
constexpr double kMinRadius = 0.01;
/// Metres. About half the depth of a chest: above it one long bone for a whole spine would fill a
/// door.
constexpr double kMaxRadius = 0.12;
/// Radius over that of a neighbour, at least: a chain of short bones between thick limbs is no
/// needle. Along a hand's bones the radius falls to a finger's.
constexpr double kOfNeighbour = 0.6;
/// Metres, for a skeleton of which all joints lie in one point: a fist, so that it can touch
/// something.
constexpr double kLoneJointRadius = 0.05;
/// An end without length goes on by this share of the bone before, in its direction: as a hand
/// beyond a forearm (humanoid16).
constexpr double kBeyond = 0.55;
/// Metres. A longer bone is none of a person or an animal: the user is told.
constexpr double kLongLink = 1.0;
/// Length over radius, at most: a machine's long bones are no needles either.
constexpr double kLongestPerRadius = 25.0;
/// Metres, all the same: what is longer than 25 m may be no bone but a way.
constexpr double kThickest = 1.0;
/// Names shown in a note.
constexpr std::size_t kNamesShown = 6;

/// A joint's name without its prefix up to the last ':', which `--ignore LINK:OBJECT` could not
/// name.
std::string short_name(const std::string& joint) {
  const std::size_t colon = joint.rfind(':');
  return colon == std::string::npos ? joint : joint.substr(colon + 1);
}

/// "A, B, ..."
std::string shown(const std::vector<std::string>& names) {
  std::string out;
  for (std::size_t i = 0; i < std::min(names.size(), kNamesShown); ++i) {
    out += (i > 0 ? ", " : "") + base::escaped(names[i]);
  }
  return out + (names.size() > kNamesShown ? ", ..." : "");
}

class BoneLinker {
 public:
  BoneLinker(const Skeleton& skeleton, const BoneEvidence& evidence)
      : joints_(skeleton.joints()), shifts_(evidence.shifts), has_child_(joints_.size(), 0) {
    for (const Joint& joint : joints_) {
      if (joint.parent >= 0) has_child_[static_cast<std::size_t>(joint.parent)] = 1;
    }
    find_way_to_body(skeleton, evidence.pose);
  }

  BoneLinks make() {
    link_of_.assign(joints_.size(), -1);
    for (std::size_t child = 0; child < joints_.size(); ++child) add_bone(child);
    widen();
    add_balls();
    if (out_.links.empty()) add_lone_joints();
    add_notes();
    return std::move(out_);
  }

 private:
  [[nodiscard]] std::string link_name(std::size_t child) const {
    const std::string& parent = joints_[static_cast<std::size_t>(joints_[child].parent)].name;
    return short_name(parent) + "-" + short_name(joints_[child].name);
  }

  /// As the rest pose shows it, or else frame 0.
  void find_way_to_body(const Skeleton& skeleton, std::span<const Transform> pose) {
    std::vector<Transform> rest;
    for (const Joint& joint : joints_) rest.push_back(joint.rest);
    way_end_ = ways_to_body(skeleton, rest);
    if (pose.empty()) return;
    const std::vector<char> posed = ways_to_body(skeleton, pose);
    for (std::size_t i = 0; i < posed.size(); ++i) {
      if (posed[i] == 0 || way_end_[i] != 0) continue;
      way_end_[i] = 1;
      out_.from_motion = true;
    }
  }

  [[nodiscard]] bool shifts(std::size_t joint) const {
    return !shifts_.empty() && shifts_[joint] != 0;
  }

  void add_bone(std::size_t child) {
    const int parent = joints_[child].parent;
    if (parent < 0) return;
    const Vec3& offset = joints_[child].rest.translation;
    const double length = core::norm(offset);
    if (shifts(child)) {
      shifting_.push_back(link_name(child));
      out_.from_motion = true;
      return;
    }
    if (way_end_[child] != 0) {
      if (length > 0.0) ways_.push_back(link_name(child));
      return;
    }
    Link link;
    link.name = link_name(child);
    link.joint = parent;
    if (length > 0.0) {
      link.b = offset;
    } else if (has_child_[child] == 0 && !make_end(child, link)) {
      return;
    } else if (has_child_[child] != 0) {
      return;
    }
    link.radius = radius_for(core::norm(link.b - link.a));
    link_of_[child] = static_cast<int>(out_.links.size());
    above_.push_back(link_before(child));
    out_.links.push_back(std::move(link));
  }

  static double radius_for(double length) {
    return std::max(core::clamp_to(kRadiusPerLength * length, kMinRadius, kMaxRadius),
                    std::min(length / kLongestPerRadius, kThickest));
  }

  /// The link that ends where this joint's parent is, or -1.
  [[nodiscard]] int link_before(std::size_t child) const {
    for (int j = joints_[child].parent; j >= 0; j = joints_[static_cast<std::size_t>(j)].parent) {
      const int link = link_of_[static_cast<std::size_t>(j)];
      if (link >= 0) return link;
      // What lies in one place is passed over; behind a gap nothing is attached.
      if (core::norm(joints_[static_cast<std::size_t>(j)].rest.translation) > 0.0) return -1;
    }
    return -1;
  }

  /// An end in its parent's place goes on in the direction of the bone before. False: none is
  /// before.
  bool make_end(std::size_t child, Link& link) {
    Vec3 way;
    for (int j = joints_[child].parent; j >= 0; j = joints_[static_cast<std::size_t>(j)].parent) {
      const Transform& rest = joints_[static_cast<std::size_t>(j)].rest;
      way = core::rotate(core::conjugate(rest.rotation), rest.translation + way);
      if (joints_[static_cast<std::size_t>(j)].parent >= 0 && core::norm(way) > 0.0) break;
    }
    if (!(core::norm(way) > 0.0) || link_before(child) < 0) return false;
    link.b = kBeyond * way;
    made_.push_back(link.name);
    return true;
  }

  /// Links are in an order in which the one before comes first.
  void widen() {
    std::vector<Link>& links = out_.links;
    for (std::size_t i = links.size(); i-- > 0;) {
      if (above_[i] < 0) continue;
      Link& before = links[static_cast<std::size_t>(above_[i])];
      before.radius = std::max(before.radius, kOfNeighbour * links[i].radius);
    }
    for (std::size_t i = 0; i < links.size(); ++i) {
      if (above_[i] < 0) continue;
      const Link& before = links[static_cast<std::size_t>(above_[i])];
      links[i].radius = std::max(links[i].radius, kOfNeighbour * before.radius);
    }
  }

  /// Per joint: the first of those that lie in its place and do not move against each other.
  [[nodiscard]] std::vector<std::size_t> homes() const {
    std::vector<std::size_t> out(joints_.size());
    for (std::size_t i = 0; i < joints_.size(); ++i) {  // parents come first
      const bool own =
          joints_[i].parent < 0 || shifts(i) || core::norm(joints_[i].rest.translation) > 0.0;
      out[i] = own ? i : out[static_cast<std::size_t>(joints_[i].parent)];
    }
    return out;
  }

  /// A head, a hand or any joint below a root that no link reaches, because offsets to and from it
  /// vary or have no length, gets a ball.
  void add_balls() {
    const std::vector<std::size_t> home = homes();
    std::vector<double> radius(joints_.size(), 0.0);  // per home: of the thickest link there
    std::vector<char> on_way(joints_.size(), 0);      // the way to the body goes on from there
    for (std::size_t child = 0; child < joints_.size(); ++child) {
      if (joints_[child].parent < 0) continue;
      const std::size_t from = home[static_cast<std::size_t>(joints_[child].parent)];
      if (way_end_[child] != 0) on_way[from] = 1;
      if (link_of_[child] < 0) continue;
      const double r = out_.links[static_cast<std::size_t>(link_of_[child])].radius;
      for (const std::size_t end : {home[child], from}) radius[end] = std::max(radius[end], r);
    }
    std::vector<double> near = radius;  // of the nearest place above that has links
    for (std::size_t i = 0; i < joints_.size(); ++i) {
      if (joints_[i].parent < 0 || home[i] != i) continue;
      if (!(near[i] > 0.0)) near[i] = near[home[static_cast<std::size_t>(joints_[i].parent)]];
      if (radius[i] > 0.0 || on_way[i] != 0 || names_no_body(joints_[i].name)) continue;
      add_ball(i, near[i]);
    }
  }

  void add_ball(std::size_t joint, double near) {
    Link ball;
    ball.name = short_name(joints_[joint].name);
    ball.joint = static_cast<int>(joint);
    const double own = radius_for(core::norm(joints_[joint].rest.translation));
    ball.radius = std::min(near > 0.0 ? std::max(near, own) : kLoneJointRadius, kMaxRadius);
    balls_.push_back(ball.name);
    out_.links.push_back(std::move(ball));
  }

  void add_lone_joints() {
    for (std::size_t i = 0; i < joints_.size(); ++i) {
      Link link;
      link.name = short_name(joints_[i].name);
      link.joint = static_cast<int>(i);
      link.radius = kLoneJointRadius;
      out_.links.push_back(std::move(link));
    }
    above_.clear();
  }

  void add_notes() {
    const auto note = [&](const std::vector<std::string>& names, const char* what) {
      if (!names.empty()) out_.notes.push_back(fmt::format("{}: {}", what, shown(names)));
    };
    note(shifting_, "no link along offsets that vary in the motion");
    note(ways_, "no link along the way from the root to the body");
    note(made_, "ends without length were given one");
    note(balls_, "a ball stands for joints that no link reaches");
    std::vector<std::string> longer;
    std::vector<std::string> loose;
    for (std::size_t i = 0; i < out_.links.size(); ++i) {
      const Link& link = out_.links[i];
      if (core::norm(link.b - link.a) > kLongLink) longer.push_back(link.name);
      if (i < above_.size() && above_[i] < 0 && hangs(link.joint)) loose.push_back(link.name);
    }
    note(longer, "links longer than 1 m");
    note(loose, "links that are not attached to what is above them");
  }

  /// True if there is a gap between this joint and the root.
  [[nodiscard]] bool hangs(int joint) const {
    for (; joint >= 0; joint = joints_[static_cast<std::size_t>(joint)].parent) {
      const auto j = static_cast<std::size_t>(joint);
      if (way_end_[j] != 0) return false;
      if (joints_[j].parent >= 0 && core::norm(joints_[j].rest.translation) > 0.0) return true;
    }
    return false;
  }

  std::span<const Joint> joints_;
  std::span<const char> shifts_;
  std::vector<char> has_child_;
  std::vector<char> way_end_;  ///< the way to the body ends in this joint
  std::vector<int> link_of_;   ///< per joint: the link from its parent to it, or -1
  std::vector<int> above_;     ///< per link: the link that it is attached to, or -1
  BoneLinks out_;
  std::vector<std::string> shifting_;
  std::vector<std::string> ways_;
  std::vector<std::string> made_;
  std::vector<std::string> balls_;
};

}  // namespace

BoneLinks bone_links(const Skeleton& skeleton, const BoneEvidence& evidence) {
  return BoneLinker(skeleton, evidence).make();
}

}  // namespace tocsin::scene
