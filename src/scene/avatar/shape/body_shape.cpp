#include "scene/avatar/shape/body_shape.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>

#include "core/vector/vec.h"
#include "scene/avatar/shape/hand_shape.h"
#include "scene/avatar/shape/trunk.h"

namespace tocsin::scene {
namespace {

/// Bodies with face and fingers have some 700 joints; finding coincident ones takes the square.
constexpr int kMostBodyJoints = 2048;

// Lengths over that of a leg from hip to ankle (0.84 m of a person of 1.74 m), from the joint
// places of the tests' skeletons; docs/avatars.md.
constexpr double kHeadJoint = 0.155;    ///< head joint above the shoulders
constexpr double kNeckTooLow = -0.15;   ///< of the head's branch, but still the chest's
constexpr double kShortestHead = 0.04;  ///< head joint to the top of the head
constexpr double kLongestHead = 0.6;
constexpr double kSpineStart = 0.03;   ///< what is closer to the pelvis lies in it
constexpr double kFootForward = 0.24;  ///< ankle to the tips of the toes
constexpr double kFootDown = 0.07;
constexpr double kChestBelowNeck = 0.12;  ///< joint where arms branch, below the shoulders
constexpr double kNeckAbove = 0.035;      ///< where a neck begins, above the shoulders

/// The torso's lower end, as a share of the way from pelvis to chest, where the spine's first joint
/// is above half of it: else the belly would have no link.
constexpr double kLowestSpine = 0.2;
constexpr double kHighestSpine = 0.5;
/// A cue of the front counts from this cosine on.
constexpr double kPointsForward = 0.3;
/// A knee in front of the line from hip to ankle by this share of the leg is bent.
constexpr double kKneeBent = 0.015;
/// The top of the head lies so close to the middle and to the direction up, as sines and cosines.
constexpr double kOffMiddle = 0.15;
constexpr double kTopUp = 0.75;

class Roles {
 public:
  Roles(const SiteTree& tree, const Trunk& trunk, const PoseView& pose)
      : tree_(tree), trunk_(trunk), pose_(pose) {}

  BodyShape find() {
    out_.cost = trunk_.cost;
    find_front();
    const bool first_left = core::dot(trunk_.across, core::cross(trunk_.up, front_)) > 0.0;
    const LimbPair& legs = trunk_.legs;
    const LimbPair& arms = trunk_.arms;
    put_leg("Left", first_left ? legs.first : legs.second);
    put_leg("Right", first_left ? legs.second : legs.first);
    put_arm("Left", first_left ? arms.first : arms.second);
    put_arm("Right", first_left ? arms.second : arms.first);
    put_trunk();
    for (const char* side : {"Left", "Right"}) put_clavicle(side);
    return std::move(out_);
  }

 private:
  [[nodiscard]] const Vec3& at(int site) const { return tree_.site(site).at; }
  [[nodiscard]] int front_joint(int site) const { return tree_.site(site).joints.front(); }

  void put(std::string name, int joint) {
    out_.roles.insert_or_assign(std::move(name), BodyRole{joint, {}, false});
  }
  void put_placed(std::string name, int joint, const Vec3& point) {
    out_.roles.insert_or_assign(std::move(name),
                                BodyRole{joint, tree_.in_joint(point, joint), true});
  }
  [[nodiscard]] int joint_of(const std::string& role) const { return out_.roles.at(role).joint; }

  /// Of a site's joints on the way to `below` (or of all of them, if that lies in the site), the
  /// first that turns; if none is known to, the first.
  [[nodiscard]] int first_turning(int site, int below) const {
    std::vector<int> stack;
    for (int j = tree_.last_at(site, below); j >= 0 && tree_.site_of(j) == site;
         j = tree_.parent(j)) {
      stack.push_back(j);
    }
    std::reverse(stack.begin(), stack.end());
    if (tree_.site_of(below) == site) stack = tree_.site(site).joints;
    for (const int joint : stack) {
      if (!pose_.turns.empty() && pose_.turns[static_cast<std::size_t>(joint)] != 0) return joint;
    }
    return stack.front();
  }

  void find_front() {
    const Vec3 ahead = core::cross(trunk_.across, trunk_.up);
    double feet = 0.0;
    double knees = 0.0;
    for (const LimbFit* leg : {&trunk_.legs.first, &trunk_.legs.second}) {
      const Vec3& ankle = at(leg->sites[2]);
      if (leg->end >= 0) {
        const Vec3 foot = at(leg->end) - ankle;
        feet += 0.5 * core::dot(foot, ahead) / core::norm(foot);
      }
      const Vec3 line = 0.5 * (at(leg->sites[0]) + ankle);
      knees += 0.5 * core::dot(at(leg->sites[1]) - line, ahead) / leg->length;
    }
    front_ = ahead;
    if (std::fabs(feet) >= kPointsForward) {
      out_.front = "the feet";
      if (feet < 0.0) front_ = -ahead;
    } else if (std::fabs(knees) >= kKneeBent) {
      out_.front = "the knees";
      if (knees < 0.0) front_ = -ahead;
    } else {
      out_.sides_known = false;
      const Vec3 left = core::cross(trunk_.up, ahead);
      if (left.x < 0.0) front_ = -ahead;
    }
  }

  void put_leg(const std::string& side, const LimbFit& leg) {
    const int below = leg.end >= 0 ? front_joint(leg.end) : front_joint(leg.sites[2]);
    const int foot = first_turning(leg.sites[2], below);
    const int shin = tree_.last_at(leg.sites[1], foot);
    put(side + "Foot", foot);
    put(side + "Leg", shin);
    put(side + "UpLeg", tree_.last_at(leg.sites[0], shin));
    const std::string toes = side + "ToeBase_end";
    if (leg.end >= 0) return put(toes, below);
    const double size = trunk_.leg();
    // Without a front there is no telling where the toes are: the foot is a ball.
    const Vec3 tip =
        out_.sides_known ? kFootForward * size * front_ - kFootDown * size * trunk_.up : Vec3{};
    put_placed(toes, foot, at(leg.sites[2]) + tip);
  }

  void put_arm(const std::string& side, const LimbFit& arm) {
    const int wrist = arm.sites[2];
    const double forearm = core::norm(at(wrist) - at(arm.sites[1]));
    const auto fingers = find_fingers(tree_, wrist, forearm);
    const int end = fingers ? (*fingers)[2].back() : farthest(wrist, forearm);
    const int below = end >= 0 ? front_joint(end) : front_joint(wrist);
    const int hand = first_turning(wrist, below);
    const int lower = tree_.last_at(arm.sites[1], hand);
    put(side + "Hand", hand);
    put(side + "ForeArm", lower);
    put(side + "Arm", tree_.last_at(arm.sites[0], lower));
    if (end >= 0) put(side.substr(0, 1) + "Fingers_end", below);
    if (fingers) put_fingers(side + "Hand", *fingers);
  }

  /// The site below that is farthest away, but no farther than the forearm is long: not a tool.
  [[nodiscard]] int farthest(int wrist, double forearm) const {
    int best = -1;
    double most = 0.0;
    std::vector<int> open = tree_.site(wrist).children;
    while (!open.empty()) {
      const int site = open.back();
      open.pop_back();
      const double away = core::norm(at(site) - at(wrist));
      if (away <= forearm && (away > most || (away == most && site < best))) {
        best = site;
        most = away;
      }
      const auto& next = tree_.site(site).children;
      open.insert(open.end(), next.begin(), next.end());
    }
    return best;
  }

  void put_fingers(const std::string& hand, const HandSites& fingers) {
    constexpr const char* kNames[] = {"Thumb", "Index", "Middle", "Ring", "Pinky"};
    for (std::size_t f = 0; f < fingers.size(); ++f) {
      const int tip = front_joint(fingers[f].back());
      for (std::size_t i = 0; i < fingers[f].size(); ++i) {
        // The third bone may start where the chain ends; a fourth joint is only a place.
        const bool last = i + 1 == fingers[f].size();
        put(hand + kNames[f] + std::to_string(i + 1),
            last ? first_turning(fingers[f][i], tip) : tree_.last_at(fingers[f][i], tip));
      }
    }
  }

  /// From the chest up, the sites that go on upwards in the middle.
  [[nodiscard]] std::vector<int> head_way() const {
    std::vector<int> way{trunk_.neck};
    while (true) {
      int best = -1;
      double most = 0.0;
      for (const int child : tree_.site(way.back()).children) {
        const Vec3 step = at(child) - at(way.back());
        const double length = core::norm(step);
        const double up = core::dot(step, trunk_.up);
        if (up < kTopUp * length || up <= most) continue;
        if (std::fabs(core::dot(step, trunk_.across)) > kOffMiddle * length) continue;
        best = child;
        most = up;
      }
      if (best < 0) return way;
      way.push_back(best);
    }
  }

  [[nodiscard]] double above_shoulders(const Vec3& point) const {
    return core::dot(point - trunk_.shoulders, trunk_.up) / trunk_.leg();
  }

  void put_trunk() {
    const std::vector<int> way = head_way();
    std::size_t head = 0;
    for (std::size_t i = 1; i < way.size(); ++i) {
      const auto off = [&](std::size_t k) {
        return std::fabs(above_shoulders(at(way[k])) - kHeadJoint);
      };
      if (off(i) < off(head)) head = i;
    }
    const int top = put_top(way, head);
    const int head_joint = first_turning(way[head], top >= 0 ? top : front_joint(way[head]));
    put("Head", head_joint);
    split_ = tree_.common_joint(joint_of("LeftArm"), joint_of("RightArm"));
    split_ = tree_.common_joint(split_, head_joint);
    put("Hips", tree_.common_joint(
                    tree_.common_joint(joint_of("LeftUpLeg"), joint_of("RightUpLeg")), split_));
    put_spine();
    put_neck(head_joint);
  }

  /// The top of the head, if the skeleton has one: a joint there, or -1.
  int put_top(const std::vector<int>& way, std::size_t head) {
    if (head + 1 >= way.size()) return -1;
    const double length = core::norm(at(way[head + 1]) - at(way[head])) / trunk_.leg();
    if (length < kShortestHead || length > kLongestHead) return -1;
    const int top = front_joint(way[head + 1]);
    put("Head_end", top);
    return top;
  }

  void put_spine() {
    const std::vector<int> way = tree_.way(trunk_.pelvis, trunk_.chest);
    const Vec3& pelvis = at(trunk_.pelvis);
    std::size_t i = 1;
    while (i + 1 < way.size() && core::norm(at(way[i]) - pelvis) < kSpineStart * trunk_.leg()) ++i;
    const int spine = tree_.last_at(way[i], split_);
    const Vec3 torso = trunk_.shoulders - pelvis;
    if (core::norm(at(way[i]) - pelvis) <= kHighestSpine * core::norm(torso)) {
      return put("Spine", spine);
    }
    put_placed("Spine", spine, pelvis + kLowestSpine * (at(way[i]) - pelvis));
  }

  /// The first joint of the head's branch, or what stands for it.
  void put_neck(int head) {
    std::vector<int> between;  // from the split down to the head, neither included
    for (int j = tree_.parent(head); j > split_; j = tree_.parent(j)) between.push_back(j);
    std::reverse(between.begin(), between.end());
    std::erase_if(between, [&](int j) { return tree_.site_of(j) == tree_.site_of(head); });
    const auto height = [&](int j) { return above_shoulders(tree_.place(j).translation); };
    std::size_t i = 0;
    while (i + 1 < between.size() && height(between[i]) < kNeckTooLow) ++i;
    if (!between.empty()) return put("Neck", tree_.last_at(tree_.site_of(between[i]), head));
    if (height(split_) > -kChestBelowNeck && split_ != joint_of("Spine"))
      return put("Neck", split_);
    const Vec3 start = tree_.place(split_).translation;
    const Vec3 way = tree_.place(head).translation - start;
    const double rise = core::dot(way, trunk_.up);
    const double wanted =
        core::dot(trunk_.shoulders - start, trunk_.up) + kNeckAbove * trunk_.leg();
    const double share = rise > 0.0 ? core::clamp_to(wanted / rise, 0.0, 1.0) : 1.0;
    put_placed("Neck", split_, start + share * way);
  }

  void put_clavicle(const std::string& side) {
    const int arm = joint_of(side + "Arm");
    int first = arm;  // the first joint below the split on the way to the arm
    while (tree_.parent(first) > split_) first = tree_.parent(first);
    if (tree_.site_of(first) == tree_.site_of(arm)) {
      return put_placed(side + "Shoulder", split_, trunk_.shoulders);
    }
    put(side + "Shoulder", tree_.last_at(tree_.site_of(first), arm));
  }

  const SiteTree& tree_;
  const Trunk& trunk_;
  const PoseView& pose_;
  BodyShape out_;
  Vec3 front_;      ///< unit
  int split_ = -1;  ///< the last joint above both arms and the head
};

}  // namespace

BodyAnswer find_body(const Skeleton& skeleton, const PoseView& pose) {
  if (skeleton.size() > kMostBodyJoints) return {{}, "it has more joints than a person"};
  const SiteTree tree(skeleton, pose.local);
  const TrunkAnswer found = find_trunk(tree);
  if (!found.trunk) return {{}, found.why};
  return {Roles(tree, *found.trunk, pose).find(), {}};
}

}  // namespace tocsin::scene
