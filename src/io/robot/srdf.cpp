#include "io/robot/srdf.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <system_error>
#include <utility>

#include "base/quoted.h"
#include "base/text_file.h"
#include "base/text_scanner.h"
#include "io/import/nesting.h"
#include "io/input_files.h"
#include "io/robot/xml_lines.h"

namespace tocsin::io {
namespace {

class SrdfReader {
 public:
  SrdfReader(std::string_view text, const std::string& file)
      : text_(text), tags_(text), lines_(text) {
    out_.file = file;
  }

  Result<Srdf> read() {
    XmlTag tag;
    while (fault_.empty() && tags_.next(tag)) {
      line_ = lines_.at(tag.begin);
      tag.closes ? close(tag) : open(tag);
    }
    if (fault_.empty() && !open_.empty()) {
      line_ = lines_.at(text_.size());
      fault_ = fmt::format("ends inside of <{}>", base::escaped(open_.back()));
    }
    if (!fault_.empty()) return base::input_error(out_.file, line_, fault_);
    if (!rooted_) return base::file_error(out_.file, "has no element; expected <robot>");
    return std::move(out_);
  }

 private:
  void close(const XmlTag& tag) {
    if (open_.empty() || open_.back() != tag.name) {
      fault_ = fmt::format("</{}> closes nothing that is open", base::escaped(tag.name));
      return;
    }
    open_.pop_back();
  }

  void open(const XmlTag& tag) {
    if (open_.empty() && (tag.name != "robot" || rooted_)) {
      fault_ = fmt::format("expected one element <robot>, found <{}>", base::escaped(tag.name));
    }
    rooted_ = true;
    if (open_.size() >= static_cast<std::size_t>(kMaxNesting)) fault_ = "is nested too deep";
    if (open_.size() == 1 && tag.name == "disable_collisions") add(tag);
    if (open_.size() == 1 &&
        (tag.name == "enable_collisions" || tag.name == "disable_default_collisions")) {
      fault_ = fmt::format("<{}> is not read; name the pairs with <disable_collisions>", tag.name);
    }
    if (!tag.empty) open_.push_back(tag.name);
  }

  void add(const XmlTag& tag) {
    std::array<std::string, 2> pair;
    for (std::size_t i = 0; i < 2; ++i) {
      const char* const name = i == 0 ? "link1" : "link2";
      pair[i] = xml_text(tags_, tag, name);
      if (pair[i].empty()) fault_ = fmt::format("<disable_collisions> has no {}", name);
    }
    out_.disabled.push_back(std::move(pair));
  }

  std::string_view text_;
  XmlTags tags_;
  XmlLines lines_;
  std::int64_t line_ = 1;
  Srdf out_;
  std::vector<std::string_view> open_;
  bool rooted_ = false;
  std::string fault_;
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
