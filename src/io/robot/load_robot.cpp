// tocsin::Robot: the public side of the readers here.
#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <new>
#include <utility>

#include "base/quoted.h"
#include "io/robot/plan.h"
#include "io/robot/robot_model.h"
#include "io/robot/srdf.h"
#include "io/robot/urdf.h"
#include "scene/avatar/literal_glob.h"
#include "tocsin/robot.h"

namespace tocsin {
namespace {

std::string pattern_of(const Avatar& avatar, const io::LinkPair& pair) {
  const auto name = [&](std::int32_t link) {
    return scene::literal_glob(avatar.links()[static_cast<std::size_t>(link)].name);
  };
  return name(pair[0]) + ':' + name(pair[1]);
}

}  // namespace

Result<Robot> Robot::load(const std::filesystem::path& urdf) {
  try {
    auto robot = io::read_robot(urdf, "avatar", nullptr);
    if (!robot) return robot.error();
    io::MeshFiles meshes(nullptr);
    auto model = io::robot_model(*robot, meshes);
    if (!model) return model.error();
    return Robot(std::make_shared<const io::Robot>(std::move(robot).value()),
                 std::make_shared<const AvatarModel>(std::move(model).value()));
  } catch (const std::bad_alloc&) {
    return Error{ErrorCode::kResource, fmt::format("{}: out of memory", urdf.string())};
  }
}

const std::string& Robot::file() const { return robot_->file; }

Result<Skeleton> Robot::skeleton(UpAxis up) const { return io::robot_skeleton(*robot_, up); }

std::vector<std::string> Robot::values() const {
  std::vector<std::string> out;
  for (const io::RobotLink& link : robot_->links) {
    if (link.joint.mimic) continue;
    const std::vector<std::string> names = io::value_names(link.joint);
    out.insert(out.end(), names.begin(), names.end());
  }
  return out;
}

Result<Motion> Robot::motion(std::span<const double> times, std::span<const std::string> names,
                             std::span<const double> values, UpAxis up) const {
  try {
    io::PlanTable table;
    table.names.assign(names.begin(), names.end());
    table.times.assign(times.begin(), times.end());
    table.values.assign(values.begin(), values.end());
    return io::plan_motion(*robot_, table, up);
  } catch (const std::bad_alloc&) {
    return Error{ErrorCode::kResource, "a robot's motion: out of memory"};
  }
}

Result<RobotPairs> Robot::ignored_pairs(const Avatar& avatar,
                                        const std::filesystem::path& srdf) const {
  if (!io::is_robot_of(*robot_, avatar.skeleton())) {
    return Error{ErrorCode::kUsage, fmt::format("{}: the avatar is on another skeleton", file())};
  }
  RobotPairs out;
  for (const io::LinkPair& pair : io::rigid_pairs(*robot_, avatar)) {
    out.patterns.push_back(pattern_of(avatar, pair));
  }
  if (srdf.empty()) return out;
  const auto read = io::read_srdf(srdf);
  if (!read) return read.error();
  const io::DisabledPairs disabled = io::disabled_pairs(*read, avatar);
  for (const io::LinkPair& pair : disabled.pairs) out.patterns.push_back(pattern_of(avatar, pair));
  if (!disabled.unknown.empty()) out.warnings.push_back(io::unknown_links(disabled, *read, file()));
  return out;
}

}  // namespace tocsin
