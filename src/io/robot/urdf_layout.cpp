#include "io/robot/urdf_layout.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <map>
#include <utility>

#include "base/quoted.h"
#include "io/robot/robot_xml.h"

namespace tocsin::io {
namespace {

/// liburdfdom ends a chain of links by as many calls in each other.
constexpr std::size_t kMostLinks = 4096;
constexpr std::size_t kMostNameBytes = 256;  // avatar models have the same limit

/// Why a name cannot be one of a link or joint; empty: it can.
std::string robot_name_fault(const std::string& name) {
  if (name.empty()) return "has no name";
  if (name.size() > kMostNameBytes) {
    return fmt::format("its name is longer than {} bytes", kMostNameBytes);
  }
  const bool control = std::any_of(name.begin(), name.end(), [](char c) {
    return static_cast<unsigned char>(c) < 0x20 || c == 0x7F;
  });
  if (control) return fmt::format("its name {} has control characters", base::in_quotes(name));
  if (name.find(':') == std::string::npos) return {};
  return fmt::format("its name {} has a ':', which --ignore LINK:OBJECT puts between two names",
                     base::in_quotes(name));
}

class Layout {
 public:
  explicit Layout(std::string_view text) : xml_(text) {}

  Result<UrdfLayout> read(const std::string& file) {
    xml_.walk([this](const XmlTag& tag) { visit(tag); });
    if (xml_.fault.empty()) check_tree();
    if (auto status = xml_.status(file); !status) return status.error();
    return std::move(out_);
  }

 private:
  void visit(const XmlTag& tag) {
    const bool in_robot = xml_.open.size() == 1;
    if (in_robot && tag.name == "link") {
      link_ = enter(out_.links, tag);
      if (link_ != nullptr && out_.links.size() > kMostLinks) {
        xml_.fault = fmt::format("has more than {} links", kMostLinks);
      }
    } else if (in_robot && tag.name == "joint") {
      place_ = joint_ = enter(out_.joints, tag);
    } else if (xml_.open.size() == 2 && xml_.open.back() == "joint" && tag.name == "parent") {
      set_end(joint_->parent, tag);
    } else if (xml_.open.size() == 2 && xml_.open.back() == "joint" && tag.name == "child") {
      set_end(joint_->child, tag);
    } else if (xml_.open.size() == 2 && xml_.open.back() == "link" && tag.name == "collision") {
      place_ = &link_->collisions.emplace_back(UrdfPlace{xml_.line, std::nullopt});
      origin_seen_ = false;
      shapes_ = 0;
    } else if (is_shape() && ++shapes_ > 1) {
      xml_.fault = "a second shape in one collision element; give each an element of its own";
    } else if (tag.name == "origin" && has_origin() && !origin_seen_) {
      origin_seen_ = true;
      if (xml_.has(tag, "rpy")) place_->rpy = xml_.text(tag, "rpy");
    }
  }

  /// Of several the first counts, as in liburdfdom.
  void set_end(std::string& end, const XmlTag& tag) {
    if (end.empty()) end = xml_.text(tag, "link");
  }

  /// Keeps the first fault of what hangs on what.
  void check_tree() {
    std::map<std::string, std::string, std::less<>> joint_above;  // of links
    for (const auto& [name, joint] : out_.joints) {
      if (joint.child.empty()) continue;  // liburdfdom refuses it
      const auto [at, is_new] = joint_above.emplace(joint.child, name);
      if (is_new) continue;
      xml_.line = joint.line;
      xml_.fault =
          fmt::format("link {} has two joints above it, {} and {}", base::in_quotes(joint.child),
                      base::in_quotes(at->second), base::in_quotes(name));
      return;
    }
    std::map<std::string, std::string, std::less<>> walk_of;  // which came by first
    for (const auto& [start, link] : out_.links) {
      std::string at = start;
      auto above = joint_above.find(at);
      while (above != joint_above.end() && walk_of.emplace(at, start).second) {
        at = out_.joints.find(above->second)->second.parent;
        above = joint_above.find(at);
      }
      if (above == joint_above.end() || walk_of.find(at)->second != start) continue;
      xml_.line = link.line;
      xml_.fault = fmt::format("link {} hangs on a loop of joints", base::in_quotes(start));
      return;
    }
  }

  /// True in a joint, or in a link's collision.
  [[nodiscard]] bool has_origin() const {
    if (xml_.open.size() == 2) return xml_.open[1] == "joint";
    return xml_.open.size() == 3 && xml_.open[1] == "link" && xml_.open[2] == "collision";
  }

  /// True in the <geometry> of a link's collision, all of whose elements are shapes.
  [[nodiscard]] bool is_shape() const {
    return xml_.open.size() == 4 && xml_.open[1] == "link" && xml_.open[2] == "collision" &&
           xml_.open[3] == "geometry";
  }

  template <class Map>
  typename Map::mapped_type* enter(Map& map, const XmlTag& tag) {
    const std::string name = xml_.text(tag, "name");
    origin_seen_ = false;
    xml_.fault = robot_name_fault(name);
    if (!xml_.fault.empty()) {
      xml_.fault = fmt::format("<{}> {}", tag.name, xml_.fault);
      return nullptr;
    }
    const auto [at, is_new] = map.emplace(name, typename Map::mapped_type{});
    if (!is_new) {
      xml_.fault = fmt::format("{} {} is in line {} already", tag.name, base::in_quotes(name),
                               at->second.line);
    }
    at->second.line = xml_.line;
    return &at->second;
  }

  RobotXml xml_;
  UrdfLayout out_;
  UrdfLayout::Link* link_ = nullptr;
  UrdfLayout::Joint* joint_ = nullptr;
  UrdfPlace* place_ = nullptr;
  bool origin_seen_ = false;
  int shapes_ = 0;  // of a collision
};

}  // namespace

Result<UrdfLayout> urdf_layout(std::string_view text, const std::string& file) {
  return Layout(text).read(file);
}

}  // namespace tocsin::io
