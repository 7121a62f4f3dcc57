#include "io/robot/srdf.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <system_error>
#include <utility>

#include "base/quoted.h"
#include "io/input_files.h"
#include "io/robot/robot_xml.h"

namespace tocsin::io {
namespace {

class SrdfReader {
 public:
  SrdfReader(std::string_view text, const std::string& file) : xml_(text) { out_.file = file; }

  Result<Srdf> read() {
    xml_.walk([this](const XmlTag& tag) { visit(tag); });
    if (auto status = xml_.status(out_.file); !status) return status.error();
    return std::move(out_);
  }

 private:
  void visit(const XmlTag& tag) {
    if (xml_.open.size() != 1) return;
    if (tag.name == "disable_collisions") add(tag);
    if (tag.name == "enable_collisions" || tag.name == "disable_default_collisions") {
      xml_.fault =
          fmt::format("<{}> is not read; name the pairs with <disable_collisions>", tag.name);
    }
  }

  void add(const XmlTag& tag) {
    std::array<std::string, 2> pair;
    for (std::size_t i = 0; i < 2; ++i) {
      const char* const name = i == 0 ? "link1" : "link2";
      pair[i] = xml_.text(tag, name);
      if (pair[i].empty()) xml_.fault = fmt::format("<disable_collisions> has no {}", name);
    }
    out_.disabled.push_back(std::move(pair));
  }

  RobotXml xml_;
  Srdf out_;
};

/// The links on a joint.
std::vector<std::int32_t> links_on(const Avatar& avatar, int joint) {
  std::vector<std::int32_t> out;
  for (std::size_t i = 0; i < avatar.links().size(); ++i) {
    if (avatar.links()[i].joint == joint) out.push_back(static_cast<std::int32_t>(i));
  }
  return out;
}

}  // namespace

Result<Srdf> parse_srdf(std::string_view text, const std::string& file) {
  return SrdfReader(text, file).read();
}

Result<Srdf> read_srdf(const std::filesystem::path& file) {
  const auto text = read_text_input(file, "srdf", nullptr, kMaxRobotBytes);
  if (!text) return text.error();
  return parse_srdf(*text, file.string());
}

DisabledPairs disabled_pairs(const Srdf& srdf, const Avatar& avatar) {
  DisabledPairs out;
  std::set<LinkPair> pairs;
  std::set<std::string> unknown;
  for (const auto& names : srdf.disabled) {
    std::array<std::vector<std::int32_t>, 2> links;
    for (std::size_t i = 0; i < 2; ++i) {
      const int joint = avatar.skeleton().find(names[i]);
      if (joint < 0 && unknown.insert(names[i]).second) out.unknown.push_back(names[i]);
      if (joint >= 0) links[i] = links_on(avatar, joint);
    }
    for (const std::int32_t a : links[0]) {
      for (const std::int32_t b : links[1]) {
        if (a != b) pairs.insert({std::min(a, b), std::max(a, b)});
      }
    }
  }
  out.pairs.assign(pairs.begin(), pairs.end());
  return out;
}

std::string unknown_links(const DisabledPairs& disabled, const Srdf& srdf,
                          const std::string& urdf) {
  constexpr std::size_t kMostNamedLinks = 10;
  const std::size_t count = disabled.unknown.size();
  std::vector<std::string> named;
  for (std::size_t i = 0; i < std::min(count, kMostNamedLinks); ++i) {
    named.push_back(base::in_quotes(disabled.unknown[i]));
  }
  return fmt::format("{}: names {} {} that {} does not have: {}{}", srdf.file, count,
                     count == 1 ? "link" : "links", urdf, fmt::join(named, ", "),
                     count > named.size() ? fmt::format(" and {} more", count - named.size()) : "");
}

bool is_robot_of(const Robot& robot, const Skeleton& skeleton) {
  const auto joints = skeleton.joints();
  return std::equal(joints.begin(), joints.end(), robot.links.begin(), robot.links.end(),
                    [](const Joint& joint, const RobotLink& link) {
                      return joint.name == link.name && joint.parent == link.parent;
                    });
}

std::vector<LinkPair> rigid_pairs(const Robot& robot, const Avatar& avatar) {
  std::vector<std::size_t> part_of(robot.links.size());  // the first link of what moves as one
  for (std::size_t i = 0; i < robot.links.size(); ++i) {
    const bool fixed = i > 0 && robot.links[i].joint.kind == RobotJointKind::kFixed;
    part_of[i] = fixed ? part_of[static_cast<std::size_t>(robot.links[i].parent)] : i;
  }
  const auto part = [&](std::int32_t link) {
    return part_of[static_cast<std::size_t>(avatar.links()[static_cast<std::size_t>(link)].joint)];
  };
  std::vector<LinkPair> out;
  const auto count = static_cast<std::int32_t>(avatar.links().size());
  for (std::int32_t a = 0; a < count; ++a) {
    for (std::int32_t b = a + 1; b < count; ++b) {
      if (part(a) == part(b)) out.push_back({a, b});
    }
  }
  return out;
}

std::filesystem::path srdf_beside(const std::filesystem::path& urdf) {
  std::filesystem::path out = urdf;
  out.replace_extension(".srdf");
  std::error_code error;
  return std::filesystem::is_regular_file(out, error) ? out : std::filesystem::path();
}

}  // namespace tocsin::io
