#include "io/robot/plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <utility>

#include "base/quoted.h"
#include "base/text_file.h"
#include "core/vector/trig.h"
#include "io/pose_parts.h"

namespace tocsin::io {
namespace {

constexpr double kLatestRow = 1e6;      // seconds; TakePart::start
constexpr double kGreatestValue = 1e6;  // rad or m; Motion::create
constexpr double kUnitRotation = 1e-3;  // Motion::create
/// Radians below pi. Poses are quaternions, rounded to 2^-53: what turns by more than this would be
/// taken the other way round where rounding says so.
constexpr double kBelowHalfTurn = 1e-6;
/// Of a limit, so that a value that was written with nine digits is not outside of it.
constexpr double kLimitSlack = 1e-9;
constexpr std::size_t kMostNamed = 10;
/// Bytes of poses; more is not a plan.
constexpr std::size_t kMostPlanBytes = std::size_t{1} << 32U;

std::string first_names(const std::vector<std::string>& names) {
  std::vector<std::string> out(names.begin(), names.begin() + static_cast<std::ptrdiff_t>(std::min(
                                                                  names.size(), kMostNamed)));
  for (std::string& name : out) name = base::escaped(name);
  std::string text = fmt::format("{}", fmt::join(out, ", "));
  if (names.size() > kMostNamed) text += fmt::format(" and {} more", names.size() - kMostNamed);
  return text;
}

/// A value of a joint.
struct ValuePlace {
  std::size_t link;
  std::size_t slot;  ///< of value_names()
};

/// All values of a robot, link by link.
struct Values {
  explicit Values(const Robot& robot) {
    for (std::size_t link = 0; link < robot.links.size(); ++link) {
      first.push_back(places.size());
      const std::vector<std::string> of_joint = value_names(robot.links[link].joint);
      for (std::size_t slot = 0; slot < of_joint.size(); ++slot) {
        index.emplace(of_joint[slot], places.size());
        places.push_back({link, slot});
        names.push_back(of_joint[slot]);
      }
      const std::vector<double> zero = zero_values(robot.links[link].joint.kind);
      zeros.insert(zeros.end(), zero.begin(), zero.end());
    }
  }
  std::vector<std::size_t> first;  ///< of each link
  std::vector<ValuePlace> places;
  std::vector<std::string> names;
  std::vector<double> zeros;
  std::map<std::string, std::size_t> index;
};

/// Why a name is no column; empty: it is one.
std::string column_fault(const Robot& robot, const Values& all, const std::string& name) {
  if (name.empty()) return "has no name";
  if (const auto found = all.index.find(name); found != all.index.end()) {
    const RobotJoint& joint = robot.links[all.places[found->second].link].joint;
    if (!joint.mimic) return {};
    return fmt::format("joint {} follows {}; leave its column out", base::in_quotes(name),
                       base::in_quotes(robot.links[joint.mimic->link].joint.name));
  }
  for (const RobotLink& link : robot.links) {
    const RobotJoint& joint = link.joint;
    if (joint.name != name || joint.name.empty()) continue;
    if (joint.kind == RobotJointKind::kFixed) {
      return fmt::format("joint {} is fixed; leave its column out", base::in_quotes(name));
    }
    return fmt::format("joint {} has several values: {}", base::in_quotes(name),
                       fmt::join(value_names(joint), ", "));
  }
  std::vector<std::string> free;
  for (std::size_t i = 0; i < all.names.size(); ++i) {
    if (!robot.links[all.places[i].link].joint.mimic) free.push_back(all.names[i]);
  }
  return fmt::format("{} has no joint {}; it has {}", robot.file.empty() ? "the robot" : robot.file,
                     base::in_quotes(name), free.empty() ? "none that moves" : first_names(free));
}

/// A count, and the words about the first.
struct Count {
  std::size_t count = 0;
  std::string first;
  template <class Words>
  void add(const Words& words) {
    if (count++ == 0) first = words();
  }
};

/// Makes the frames of a plan.
class PlanFrames {
 public:
  PlanFrames(const Robot& robot, const PlanTable& table, UpAxis up)
      : robot_(robot), table_(table), up_(up), all_(robot) {}

  Result<Motion> make() {
    auto columns = plan_columns(robot_, table_.names, 1);
    if (!columns) return columns.error();
    columns_ = std::move(columns).value();
    if (auto fits = check_size(); !fits) return fits.error();
    order_mimics();
    std::vector<double> now = all_.zeros;
    for (std::size_t row = 0; row < table_.times.size(); ++row) {
      if (auto read = take_row(row, now); !read) return read.error();
      add_poses(now);
      before_ = now;
    }
    return finish();
  }

 private:
  [[nodiscard]] Error fault(std::size_t row, std::string_view text) const {
    return {ErrorCode::kInput, fmt::format("{}: {}", place(row), text)};
  }

  /// Where a row is: "plan.csv:17".
  [[nodiscard]] std::string place(std::size_t row) const {
    const std::string where =
        table_.lines.empty() ? fmt::format("row {}", row) : fmt::format("{}", table_.lines[row]);
    if (table_.file.empty()) return where;
    return table_.file + (table_.lines.empty() ? ": " : ":") + where;
  }

  [[nodiscard]] std::string whose() const {
    return table_.file.empty() ? std::string("the plan") : table_.file;
  }

  Status check_size() const {
    const std::size_t rows = table_.times.size();
    if (rows == 0) return Error{ErrorCode::kInput, whose() + ": has no row"};
    if (table_.values.size() != rows * columns_.size()) {
      return Error{ErrorCode::kInput, fmt::format("{}: has {} values, not {} rows of {}", whose(),
                                                  table_.values.size(), rows, columns_.size())};
    }
    if (rows > kMostPlanBytes / (sizeof(Transform) * robot_.links.size())) {
      return Error{ErrorCode::kInput,
                   fmt::format("{}: {} rows of {} links are more than 4 GiB of poses", whose(),
                               rows, robot_.links.size())};
    }
    return Nothing{};
  }

  /// Every mimic behind the joint that it follows.
  void order_mimics() {
    std::vector<char> placed(robot_.links.size(), 0);
    for (std::size_t link = 0; link < robot_.links.size(); ++link) {
      std::vector<std::size_t> chain;
      for (std::size_t at = link; robot_.links[at].joint.mimic && placed[at] == 0;
           at = robot_.links[at].joint.mimic->link) {
        placed[at] = 1;
        chain.push_back(at);
      }
      mimics_.insert(mimics_.end(), chain.rbegin(), chain.rend());
    }
  }

  Status take_row(std::size_t row, std::vector<double>& now) {
    const double time = table_.times[row];
    if (!(std::fabs(time) <= kLatestRow)) {
      return fault(row, fmt::format("a time must be within 1e6 s, is {}", time));
    }
    if (row > 0 && !(time > table_.times[row - 1])) {
      return fault(
          row, fmt::format("times must increase: {} comes after {}", time, table_.times[row - 1]));
    }
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      now[columns_[i]] = table_.values[row * columns_.size() + i];
    }
    for (const std::size_t link : mimics_) {
      const RobotMimic& mimic = *robot_.links[link].joint.mimic;
      // One that is fixed is at 0.
      const bool moves = has_one_value(robot_.links[mimic.link].joint.kind);
      const double leader = moves ? now[all_.first[mimic.link]] : 0.0;
      now[all_.first[link]] = mimic.multiplier * leader + mimic.offset;
    }
    for (std::size_t i = 0; i < now.size(); ++i) {
      if (!(std::fabs(now[i]) <= kGreatestValue)) {
        return fault(row, fmt::format("{}: a value must be within 1e6, is {}",
                                      base::escaped(all_.names[i]), now[i]));
      }
    }
    return check_joints(row, now);
  }

  Status check_joints(std::size_t row, const std::vector<double>& now) {
    for (std::size_t link = 0; link < robot_.links.size(); ++link) {
      const RobotJoint& joint = robot_.links[link].joint;
      const std::size_t at = all_.first[link];
      if (joint.kind == RobotJointKind::kFloating) {
        const double length = std::sqrt(now[at + 3] * now[at + 3] + now[at + 4] * now[at + 4] +
                                        now[at + 5] * now[at + 5] + now[at + 6] * now[at + 6]);
        if (!(std::fabs(length - 1.0) <= kUnitRotation)) {
          return fault(row,
                       fmt::format("{}: rot_x, rot_y, rot_z and rot_w must have length 1, have "
                                   "{}",
                                   base::escaped(joint.name), length));
        }
      }
      if (auto turns = check_turn(row, link, now); !turns) return turns;
      if (has_one_value(joint.kind)) count_limits(row, link, now[at]);
    }
    return Nothing{};
  }

  Status check_turn(std::size_t row, std::size_t link, const std::vector<double>& now) const {
    const RobotJoint& joint = robot_.links[link].joint;
    const bool one =
        joint.kind == RobotJointKind::kRevolute || joint.kind == RobotJointKind::kContinuous;
    if (row == 0 || !(one || joint.kind == RobotJointKind::kPlanar)) return Nothing{};
    const std::size_t at = all_.first[link] + (one ? 0 : 2);
    const double turn = std::fabs(now[at] - before_[at]);
    if (turn < core::kPi - kBelowHalfTurn) return Nothing{};
    return fault(row, fmt::format("{} turns by {} rad since the row before; it must be less than "
                                  "pi, or the way round is not told: give rows in between",
                                  base::escaped(all_.names[at]), turn));
  }

  void count_limits(std::size_t row, std::size_t link, double value) {
    const RobotJoint& joint = robot_.links[link].joint;
    const char* const unit = joint.kind == RobotJointKind::kPrismatic ? "m" : "rad";
    if (joint.limits) {
      const double low = (*joint.limits)[0];
      const double high = (*joint.limits)[1];
      if (value < low - kLimitSlack || value > high + kLimitSlack) {
        outside_.add([&] {
          return fmt::format("{}: {} is at {} {}, its limits are {} and {}", place(row),
                             base::escaped(joint.name), value, unit, low, high);
        });
      }
    }
    if (row == 0 || !(joint.velocity > 0.0)) return;
    const double speed =
        std::fabs(value - before_[all_.first[link]]) / (table_.times[row] - table_.times[row - 1]);
    if (speed <= joint.velocity * (1.0 + kLimitSlack)) return;
    fast_.add([&] {
      return fmt::format("{}: {} moves at {} {}/s, its limit is {}", place(row),
                         base::escaped(joint.name), speed, unit, joint.velocity);
    });
  }

  void add_poses(const std::vector<double>& now) {
    for (std::size_t link = 0; link < robot_.links.size(); ++link) {
      const std::size_t begin = all_.first[link];
      const std::size_t end =
          link + 1 < all_.first.size() ? all_.first[link + 1] : all_.places.size();
      const Transform local =
          joint_transform(robot_.links[link].joint, std::span(now).subspan(begin, end - begin));
      poses_.push_back(link == 0 ? turned_up_root(local, up_) : local);
    }
  }

  [[nodiscard]] std::vector<std::string> warnings() const {
    std::vector<std::string> out;
    std::vector<std::string> still;
    for (std::size_t link = 0; link < robot_.links.size(); ++link) {
      const RobotJoint& joint = robot_.links[link].joint;
      if (joint.kind == RobotJointKind::kFixed || joint.mimic) continue;
      const bool moved =
          std::find(columns_.begin(), columns_.end(), all_.first[link]) != columns_.end();
      if (!moved) still.push_back(joint.name);
    }
    const auto many = [](std::size_t n, const char* one, const char* more) {
      return fmt::format("{} {}", n, n == 1 ? one : more);
    };
    if (!still.empty()) {
      out.push_back(fmt::format("{}: {} no column and stay{} at 0: {}", whose(),
                                many(still.size(), "joint has", "joints have"),
                                still.size() == 1 ? "s" : "", first_names(still)));
    }
    if (outside_.count > 0) {
      out.push_back(fmt::format("{} outside of the limits of joints; first {}",
                                many(outside_.count, "value is", "values are"), outside_.first));
    }
    if (fast_.count > 0) {
      out.push_back(fmt::format("{} faster than the limits of joints; first {}",
                                many(fast_.count, "move is", "moves are"), fast_.first));
    }
    std::vector<std::string> empty;
    for (const RobotLink& link : robot_.links) {
      if (link.collisions.empty()) empty.push_back(link.name);
    }
    if (!empty.empty()) {
      out.push_back(fmt::format("{}: {} no collision geometry and touch{} nothing: {}",
                                robot_.file.empty() ? "the robot" : robot_.file,
                                many(empty.size(), "link has", "links have"),
                                empty.size() == 1 ? "es" : "", first_names(empty)));
    }
    return out;
  }

  Result<Motion> finish() {
    auto skeleton = robot_skeleton(robot_, up_);
    if (!skeleton) return skeleton.error();
    MotionSource source;
    source.file = table_.file;
    source.format = "plan";
    source.unit_reason = "a plan is in radians and metres";
    source.skeleton_file = robot_.file;
    source.warnings = warnings();
    auto motion = Motion::create_timed(std::move(skeleton).value(), 1.0, table_.times,
                                       std::move(poses_), std::move(source));
    if (motion) return motion;
    return {motion.error().code, fmt::format("{}: {}", whose(), motion.error().message)};
  }

  const Robot& robot_;
  const PlanTable& table_;
  UpAxis up_;
  Values all_;
  std::vector<std::size_t> columns_;
  std::vector<std::size_t> mimics_;  ///< links, each behind the one that it follows
  std::vector<double> before_;       ///< all values in the row before
  std::vector<Transform> poses_;
  Count outside_;
  Count fast_;
};

}  // namespace

Result<std::vector<std::size_t>> plan_columns(const Robot& robot,
                                              const std::vector<std::string>& names, int first) {
  const Values all(robot);
  const auto fault = [first](std::size_t column, std::string_view text) {
    return Error{ErrorCode::kInput,
                 fmt::format("column {}: {}", static_cast<std::int64_t>(column) + first, text)};
  };
  std::vector<std::size_t> out;
  std::map<std::size_t, std::size_t> column_of;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const std::string text = column_fault(robot, all, names[i]);
    if (!text.empty()) return fault(i, text);
    const std::size_t value = all.index.at(names[i]);
    if (const auto [known, is_new] = column_of.emplace(value, i); !is_new) {
      return fault(i, fmt::format("{} is column {} already", base::in_quotes(names[i]),
                                  static_cast<std::int64_t>(known->second) + first));
    }
    out.push_back(value);
  }
  if (out.empty()) return Error{ErrorCode::kInput, "names no joint: expected time,JOINT,..."};
  for (std::size_t i = 0; i < names.size(); ++i) {
    const std::size_t link = all.places[out[i]].link;
    for (const std::string& name : value_names(robot.links[link].joint)) {
      if (column_of.contains(all.index.at(name))) continue;
      return fault(i, fmt::format("{} is given and {} is not", base::in_quotes(names[i]),
                                  base::in_quotes(name)));
    }
  }
  return out;
}

Result<Skeleton> robot_skeleton(const Robot& robot, UpAxis up) {
  std::vector<Joint> joints;
  for (std::size_t i = 0; i < robot.links.size(); ++i) {
    const RobotLink& link = robot.links[i];
    const Transform rest = joint_transform(link.joint, zero_values(link.joint.kind));
    joints.push_back({link.name, link.parent, i == 0 ? turned_up_root(rest, up) : rest});
  }
  return Skeleton::create(std::move(joints));
}

Result<Motion> plan_motion(const Robot& robot, const PlanTable& table, UpAxis up) {
  return PlanFrames(robot, table, up).make();
}

}  // namespace tocsin::io
