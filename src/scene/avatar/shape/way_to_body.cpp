#include "scene/avatar/shape/way_to_body.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <string>

#include "core/vector/vec.h"
#include "scene/avatar/shape/site_tree.h"

namespace tocsin::scene {
namespace {

constexpr std::array<std::string_view, 13> kNoBody{
    "world", "reference", "armature", "origin",   "scene",     "sceneroot", "trajectory",
    "rig",   "locator",   "skeleton", "rootnode", "character", "motionroot"};

/// The tree of sites takes the square of the joints of hostile skeletons.
constexpr std::size_t kMostWayJoints = 2048;
/// Offsets of a way: "World", "Reference", "Hips". A tail has more.
constexpr std::size_t kMostOffsets = 2;
/// Two branches of one length, to a tenth, as of two legs.
constexpr double kEven = 1.1;

// Over the body's height above the root.
constexpr double kOnTheGround = 0.15;  ///< so near to the root's level a branch ends on the ground
constexpr double kAtTheBody = 0.8;     ///< so high the way has come to the body
constexpr double kLegsStart = 0.4;     ///< so high legs start

class WayFinder {
 public:
  WayFinder(const Skeleton& skeleton, std::span<const Transform> local)
      : joints_(skeleton.joints()), tree_(skeleton, local), way_(joints_.size(), 0) {}

  std::vector<char> find() {
    for (std::size_t s = 0; s < tree_.sites().size(); ++s) {
      if (tree_.sites()[s].parent < 0) look_at(static_cast<int>(s));
    }
    return std::move(way_);
  }

 private:
  void look_at(int root) {
    std::vector<int> chain{root};
    while (tree_.site(chain.back()).children.size() == 1) {
      chain.push_back(tree_.site(chain.back()).children.front());
    }
    const Vec3 up = tree_.site(chain.back()).at - tree_.site(root).at;
    root_ = tree_.site(root).at;
    axis_ = along_largest(up);
    rise_ = core::dot(up, axis_);
    if (chain.size() < 2 || tree_.site(chain.back()).children.empty() || !stands(chain.back())) {
      return;
    }
    std::size_t end = 1;
    while (height(chain[end]) < kAtTheBody * rise_) ++end;
    if (end > kMostOffsets) return;
    for (std::size_t i = 1; i <= end; ++i) mark(chain[i], chain[i - 1]);
  }

  /// The axis that a way goes along: a file's up axis, whichever it is.
  static Vec3 along_largest(const Vec3& v) {
    const double x = std::fabs(v.x);
    const double y = std::fabs(v.y);
    const double z = std::fabs(v.z);
    if (y >= x && y >= z) return {0, v.y < 0.0 ? -1.0 : 1.0, 0};
    return x >= z ? Vec3{v.x < 0.0 ? -1.0 : 1.0, 0, 0} : Vec3{0, 0, v.z < 0.0 ? -1.0 : 1.0};
  }

  [[nodiscard]] double height(int site) const {
    return core::dot(tree_.site(site).at - root_, axis_);
  }

  /// Nothing is below the root, and two even branches end on its level.
  [[nodiscard]] bool stands(int body) const {
    std::vector<int> open{body};
    bool legs = false;
    while (!open.empty()) {
      const int site = open.back();
      open.pop_back();
      if (height(site) < -kOnTheGround * rise_) return false;
      legs = legs || has_legs(site);
      const std::vector<int>& next = tree_.site(site).children;
      open.insert(open.end(), next.begin(), next.end());
    }
    return legs;
  }

  [[nodiscard]] bool has_legs(int site) const {
    if (height(site) < kLegsStart * rise_) return false;
    std::vector<double> lengths;
    for (const int child : tree_.site(site).children) {
      if (lowest(child) <= kOnTheGround * rise_) lengths.push_back(tree_.branch(child));
    }
    std::sort(lengths.begin(), lengths.end());
    for (std::size_t i = 1; i < lengths.size(); ++i) {
      if (lengths[i] <= kEven * lengths[i - 1]) return true;
    }
    return false;
  }

  [[nodiscard]] double lowest(int site) const {
    std::vector<int> open{site};
    double low = height(site);
    while (!open.empty()) {
      const int here = open.back();
      open.pop_back();
      low = std::min(low, height(here));
      const std::vector<int>& next = tree_.site(here).children;
      open.insert(open.end(), next.begin(), next.end());
    }
    return low;
  }

  void mark(int site, int above) {
    for (const int joint : tree_.site(site).joints) {
      const int parent = tree_.parent(joint);
      if (parent >= 0 && tree_.site_of(parent) == above) way_[static_cast<std::size_t>(joint)] = 1;
    }
  }

  std::span<const Joint> joints_;
  SiteTree tree_;
  std::vector<char> way_;
  Vec3 root_;
  Vec3 axis_;
  double rise_ = 0.0;
};

}  // namespace

bool names_no_body(std::string_view joint) {
  const std::size_t colon = joint.rfind(':');
  if (colon != std::string_view::npos) joint.remove_prefix(colon + 1);
  std::string letters;
  for (const char c : joint) {
    if (c >= 'A' && c <= 'Z') letters += static_cast<char>(c - 'A' + 'a');
    if (c >= 'a' && c <= 'z') letters += c;
  }
  return std::find(kNoBody.begin(), kNoBody.end(), letters) != kNoBody.end();
}

std::vector<char> ways_to_body(const Skeleton& skeleton, std::span<const Transform> local) {
  const std::span<const Joint> joints = skeleton.joints();
  std::vector<char> out(joints.size(), 0);
  if (joints.size() <= kMostWayJoints) out = WayFinder(skeleton, local).find();
  std::vector<char> no_body(joints.size(), 0);
  for (std::size_t i = 0; i < joints.size(); ++i) {
    const int parent = joints[i].parent;
    const bool from_root = parent < 0 || no_body[static_cast<std::size_t>(parent)] != 0;
    if (from_root && parent >= 0) out[i] = 1;
    no_body[i] = from_root && names_no_body(joints[i].name) ? 1 : 0;
  }
  return out;
}

}  // namespace tocsin::scene
