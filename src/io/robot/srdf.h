// Pairs of a robot's links that are not checked: an SRDF's disabled ones, and those that no joint
// moves apart.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "io/robot/robot.h"
#include "tocsin/avatar.h"
#include "tocsin/result.h"

namespace tocsin::io {

/// Two links of an avatar by their indices, first < second.
using LinkPair = std::array<std::int32_t, 2>;

/// What an SRDF says of collisions.
struct Srdf {
  std::string file;
  std::vector<std::array<std::string, 2>> disabled;  ///< names of a robot's links, as given
};

/// Reads `<disable_collisions link1= link2=>` of the root <robot>; all else is passed over. Errors
/// (kInput), naming file and line: elements that do not close as they open; another root; a link
/// that is missing; <enable_collisions> and <disable_default_collisions>, which are not read.
Result<Srdf> parse_srdf(std::string_view text, const std::string& file);
Result<Srdf> read_srdf(const std::filesystem::path& file);

/// The pairs of an avatar's links that an SRDF disables. Its names are those of joints of the
/// avatar's skeleton (robot_skeleton()); each stands for all links on that joint.
struct DisabledPairs {
  std::vector<LinkPair> pairs;       ///< in order, each once
  std::vector<std::string> unknown;  ///< names that are no link of the robot, each once
};
DisabledPairs disabled_pairs(const Srdf& srdf, const Avatar& avatar);

/// Those names, with their count, for people: "arm.srdf: names 2 links that arm.urdf does not have:
/// ...".
std::string unknown_links(const DisabledPairs& disabled, const Srdf& srdf, const std::string& urdf);

/// True for the skeleton that a robot gives its plans.
bool is_robot_of(const Robot& robot, const Skeleton& skeleton);

/// Pairs of an avatar's links between which there are only fixed joints: they never move against
/// each other. In order. Precondition: the avatar is on robot_skeleton(robot).
std::vector<LinkPair> rigid_pairs(const Robot& robot, const Avatar& avatar);

/// The .srdf beside a URDF with the same name; an empty path: there is none.
std::filesystem::path srdf_beside(const std::filesystem::path& urdf);

}  // namespace tocsin::io
