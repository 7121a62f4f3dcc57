#include "io/robot/urdf_layout.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <map>
#include <utility>

#include "base/quoted.h"
#include "base/text_file.h"
#include "base/text_scanner.h"
#include "io/import/nesting.h"
#include "io/robot/xml_lines.h"

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
  Layout(std::string_view text, const std::string& file)
      : text_(text), file_(file), tags_(text), lines_(text) {}

  Result<UrdfLayout> read() {
    XmlTag tag;
    while (fault_.empty() && tags_.next(tag)) {
      line_ = lines_.at(tag.begin);
      tag.closes ? close(tag) : open(tag);
    }
    if (fault_.empty() && !open_.empty()) {
      line_ = lines_.at(text_.size());
      fault_ = fmt::format("ends inside of <{}>", open_.back());
    }
    if (fault_.empty()) check_tree();
    if (!fault_.empty()) return base::input_error(file_, line_, fault_);
    if (!rooted_) return base::file_error(file_, "has no element; expected <robot>");
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
    if (open_.size() >= static_cast<std::size_t>(kMaxNesting)) {
      fault_ = fmt::format("nested more than {} deep", kMaxNesting);
      return;
    }
    if (tag.name.starts_with("xacro:")) {
      fault_ = "is a xacro file; make a URDF of it first: xacro FILE.xacro > FILE.urdf";
      return;
    }
    visit(tag);
    if (!tag.empty) open_.push_back(tag.name);
  }

  void visit(const XmlTag& tag) {
    const bool in_robot = open_.size() == 1;
    if (open_.empty()) {
      if (tag.name != "robot" || rooted_) {
        fault_ = fmt::format("expected one element <robot>, found <{}>", base::escaped(tag.name));
      }
      rooted_ = true;
    } else if (in_robot && tag.name == "link") {
      link_ = enter(out_.links, tag);
      if (link_ != nullptr && out_.links.size() > kMostLinks) {
        fault_ = fmt::format("has more than {} links", kMostLinks);
      }
    } else if (in_robot && tag.name == "joint") {
      place_ = joint_ = enter(out_.joints, tag);
    } else if (open_.size() == 2 && open_.back() == "joint" && tag.name == "parent") {
      set_end(joint_->parent, tag);
    } else if (open_.size() == 2 && open_.back() == "joint" && tag.name == "child") {
      set_end(joint_->child, tag);
    } else if (open_.size() == 2 && open_.back() == "link" && tag.name == "collision") {
      place_ = &link_->collisions.emplace_back(UrdfPlace{line_, std::nullopt});
      origin_seen_ = false;
      shapes_ = 0;
    } else if (is_shape() && ++shapes_ > 1) {
      fault_ = "a second shape in one collision element; give each an element of its own";
    } else if (tag.name == "origin" && has_origin() && !origin_seen_) {
      origin_seen_ = true;
      if (const auto rpy = tags_.attribute(tag, "rpy")) place_->rpy = xml_unescaped(rpy->text);
    }
  }

  /// Of several the first counts, as in liburdfdom.
  void set_end(std::string& end, const XmlTag& tag) {
    if (end.empty()) end = xml_text(tags_, tag, "link");
  }

  /// Keeps the first fault of what hangs on what.
  void check_tree() {
    std::map<std::string, std::string, std::less<>> joint_above;  // of links
    for (const auto& [name, joint] : out_.joints) {
      if (joint.child.empty()) continue;  // liburdfdom refuses it
      const auto [at, is_new] = joint_above.emplace(joint.child, name);
      if (is_new) continue;
      line_ = joint.line;
      fault_ =
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
      line_ = link.line;
      fault_ = fmt::format("link {} hangs on a loop of joints", base::in_quotes(start));
      return;
    }
  }

  /// True in a joint, or in a link's collision.
  [[nodiscard]] bool has_origin() const {
    if (open_.size() == 2) return open_[1] == "joint";
    return open_.size() == 3 && open_[1] == "link" && open_[2] == "collision";
  }

  /// True in the <geometry> of a link's collision, all of whose elements are shapes.
  [[nodiscard]] bool is_shape() const {
    return open_.size() == 4 && open_[1] == "link" && open_[2] == "collision" &&
           open_[3] == "geometry";
  }

  template <class Map>
  typename Map::mapped_type* enter(Map& map, const XmlTag& tag) {
    const std::string name = xml_text(tags_, tag, "name");
    origin_seen_ = false;
    fault_ = robot_name_fault(name);
    if (!fault_.empty()) {
      fault_ = fmt::format("<{}> {}", tag.name, fault_);
      return nullptr;
    }
    const auto [at, is_new] = map.emplace(name, typename Map::mapped_type{});
    if (!is_new) {
      fault_ = fmt::format("{} {} is in line {} already", tag.name, base::in_quotes(name),
                           at->second.line);
    }
    at->second.line = line_;
    return &at->second;
  }

  std::string_view text_;
  const std::string& file_;
  XmlTags tags_;
  XmlLines lines_;
  std::int64_t line_ = 1;
  UrdfLayout out_;
  std::vector<std::string_view> open_;
  UrdfLayout::Link* link_ = nullptr;
  UrdfLayout::Joint* joint_ = nullptr;
  UrdfPlace* place_ = nullptr;
  bool origin_seen_ = false;
  int shapes_ = 0;  // of a collision
  bool rooted_ = false;
  std::string fault_;
};

}  // namespace

Result<UrdfLayout> urdf_layout(std::string_view text, const std::string& file) {
  return Layout(text, file).read();
}

}  // namespace tocsin::io
