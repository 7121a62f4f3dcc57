#include "io/robot/urdf.h"

#include <console_bridge/console.h>
#include <fmt/format.h>
#include <urdf_parser/urdf_parser.h>

#include <algorithm>
#include <cmath>
#include <exception>
#include <functional>
#include <map>
#include <mutex>
#include <thread>
#include <utility>

#include "base/quoted.h"
#include "base/text_file.h"
#include "base/text_scanner.h"
#include "core/vector/rotation.h"
#include "core/vector/vec.h"
#include "io/nodes/xml_numbers.h"
#include "io/robot/urdf_layout.h"

namespace tocsin::io {
namespace {

constexpr double kGreatestNumber = 1e6;  // metres or radians; Shape and Motion have this limit
/// How far a rotation may be from that of liburdfdom, which has the C library's sines.
constexpr double kSameRotation = 1e-9;

/// Takes what liburdfdom says while it reads, in place of standard error. Others threads' messages
/// go where they went.
class Messages final : public console_bridge::OutputHandler {
 public:
  Messages() : before_(console_bridge::getOutputHandler()) {
    console_bridge::useOutputHandler(this);
  }
  Messages(const Messages&) = delete;
  Messages& operator=(const Messages&) = delete;
  ~Messages() override { console_bridge::useOutputHandler(before_); }

  void log(const std::string& text, console_bridge::LogLevel level, const char* file,
           int line) override {
    if (std::this_thread::get_id() != reader_) {
      if (before_ == nullptr) return;
      std::invoke(&console_bridge::OutputHandler::log, before_, text, level, file, line);
    } else if (level == console_bridge::CONSOLE_BRIDGE_LOG_ERROR && first_.empty()) {
      first_ = text;
    }
  }

  /// The first error; empty: there was none.
  [[nodiscard]] const std::string& first() const { return first_; }

 private:
  console_bridge::OutputHandler* before_;
  std::thread::id reader_ = std::this_thread::get_id();
  std::string first_;
};

/// The line of a link or joint that a message names as [NAME] or 'NAME'; 0: it names none.
std::int64_t named_line(const UrdfLayout& layout, const std::string& message) {
  const auto names = [&](const std::string& name) {
    return message.find('[' + name + ']') != std::string::npos ||
           message.find('\'' + name + '\'') != std::string::npos;
  };
  for (const auto& [name, place] : layout.joints) {
    if (names(name)) return place.line;
  }
  for (const auto& [name, link] : layout.links) {
    if (names(name)) return link.line;
  }
  return 0;
}

/// liburdfdom's own tree. One thread at a time: its messages go to one handler.
Result<urdf::ModelInterfaceSharedPtr> tree_of(const std::string& text, const std::string& file,
                                              const UrdfLayout& layout) {
  static std::mutex one_reader;
  const std::scoped_lock lock(one_reader);
  TiXmlDocument document;
  document.Parse(text.c_str(), nullptr, TIXML_ENCODING_UTF8);
  if (document.Error()) {
    return base::input_error(file, document.ErrorRow(), document.ErrorDesc());
  }
  std::string cause;
  try {
    const Messages messages;
    auto tree = urdf::parseURDF(text);
    if (tree != nullptr) return tree;
    cause = messages.first();
  } catch (const std::exception& error) {
    cause = error.what();
  }
  if (cause.empty()) cause = "is no URDF that liburdfdom reads";
  const std::int64_t line = named_line(layout, cause);
  cause = base::escaped(cause, 400);
  return line > 0 ? base::input_error(file, line, cause) : base::file_error(file, cause);
}

/// Makes a robot of liburdfdom's tree. Keeps the first fault.
class Converter {
 public:
  Converter(const urdf::ModelInterface& tree, const UrdfLayout& layout, const std::string& file)
      : tree_(tree), layout_(layout), file_(file) {}

  Result<Robot> convert() {
    out_.name = tree_.getName();
    out_.file = file_;
    add_links();
    for (std::size_t i = 1; i < out_.links.size() && !error_; ++i) set_mimic(i);
    for (std::size_t i = 1; i < out_.links.size() && !error_; ++i) check_mimic(i);
    if (error_) return *error_;
    return std::move(out_);
  }

 private:
  void fail(std::int64_t line, const std::string& text) {
    if (!error_) error_ = base::input_error(file_, line, text);
  }

  template <class Tree, class Places>
  static bool same_names(const Tree& tree, const Places& places) {
    return tree.size() == places.size() &&
           std::equal(tree.begin(), tree.end(), places.begin(),
                      [](const auto& a, const auto& b) { return a.first == b.first; });
  }

  [[nodiscard]] std::int64_t line_of_link(const std::string& name) const {
    return layout_.links.at(name).line;
  }

  /// Parents first; of one link's children, those first that are first in the file.
  void add_links() {
    if (!same_names(tree_.links_, layout_.links) || !same_names(tree_.joints_, layout_.joints)) {
      error_ = base::file_error(file_, "its links and joints cannot be told apart");
      return;
    }
    std::vector<std::pair<urdf::LinkConstSharedPtr, int>> next{{tree_.getRoot(), -1}};
    while (!next.empty() && !error_) {
      const auto [link, parent] = next.back();
      next.pop_back();
      add_link(*link, parent);
      auto children = link->child_links;
      std::sort(children.begin(), children.end(), [&](const auto& a, const auto& b) {
        return line_of_link(a->name) > line_of_link(b->name);
      });
      const int index = static_cast<int>(out_.links.size()) - 1;
      for (const auto& child : children) next.emplace_back(child, index);
    }
  }

  void add_link(const urdf::Link& from, int parent) {
    RobotLink link;
    link.name = from.name;
    link.parent = parent;
    if (from.parent_joint != nullptr) link.joint = joint_of(*from.parent_joint);
    const auto& places = layout_.links.at(from.name).collisions;
    if (places.size() != from.collision_array.size()) {
      fail(line_of_link(from.name), fmt::format("link {}: its collision elements cannot be told "
                                                "apart",
                                                base::in_quotes(from.name)));
      return;
    }
    for (std::size_t i = 0; i < places.size(); ++i) {
      link.collisions.push_back(collision_of(*from.collision_array[i], places[i]));
    }
    index_.emplace(link.name, out_.links.size());
    out_.links.push_back(std::move(link));
  }

  double number(double value, std::int64_t line) {
    if (!(std::fabs(value) <= kGreatestNumber)) {
      fail(line, fmt::format("has the number {}; all must be within 1e6", value));
    }
    return value;
  }

  Vec3 vector(const urdf::Vector3& v, std::int64_t line) {
    return {number(v.x, line), number(v.y, line), number(v.z, line)};
  }

  Transform origin_of(const urdf::Pose& pose, const UrdfPlace& place) {
    Transform out;
    out.translation = vector(pose.position, place.line);
    if (!place.rpy) return out;
    const auto rpy = xml_numbers<3>(*place.rpy);
    if (!rpy) {
      fail(place.line,
           fmt::format("rpy must be three numbers, is {}", base::in_quotes(*place.rpy)));
      return out;
    }
    for (const double angle : *rpy) number(angle, place.line);
    // About the fixed axes x, then y, then z.
    out.rotation = core::about_z((*rpy)[2] * core::kDegreesPerRadian) *
                   core::about_y((*rpy)[1] * core::kDegreesPerRadian) *
                   core::about_x((*rpy)[0] * core::kDegreesPerRadian);
    const urdf::Rotation& theirs = pose.rotation;
    const double same = std::fabs(theirs.w * out.rotation.w + theirs.x * out.rotation.x +
                                  theirs.y * out.rotation.y + theirs.z * out.rotation.z);
    if (!(same >= 1.0 - kSameRotation)) fail(place.line, "its origin cannot be told");
    return out;
  }

  RobotCollision collision_of(const urdf::Collision& from, const UrdfPlace& place) {
    RobotCollision out;
    out.line = place.line;
    out.origin = origin_of(from.origin, place);
    if (from.geometry == nullptr) {
      fail(place.line, "a collision element without geometry");
      return out;
    }
    switch (from.geometry->type) {
      case urdf::Geometry::SPHERE:
        out.kind = RobotGeometry::kSphere;
        out.size.x = static_cast<const urdf::Sphere&>(*from.geometry).radius;
        break;
      case urdf::Geometry::BOX: {
        const urdf::Vector3& edges = static_cast<const urdf::Box&>(*from.geometry).dim;
        out.size = {edges.x, edges.y, edges.z};
        break;
      }
      case urdf::Geometry::CYLINDER: {
        const auto& cylinder = static_cast<const urdf::Cylinder&>(*from.geometry);
        out.kind = RobotGeometry::kCylinder;
        out.size = {cylinder.radius, cylinder.length, 0.0};
        break;
      }
      case urdf::Geometry::MESH: {
        const auto& mesh = static_cast<const urdf::Mesh&>(*from.geometry);
        out.kind = RobotGeometry::kMesh;
        out.size = {mesh.scale.x, mesh.scale.y, mesh.scale.z};
        out.mesh = mesh.filename;
        break;
      }
    }
    return out;
  }

  static RobotJointKind kind_of(const urdf::Joint& joint) {
    switch (joint.type) {
      case urdf::Joint::REVOLUTE:
        return RobotJointKind::kRevolute;
      case urdf::Joint::CONTINUOUS:
        return RobotJointKind::kContinuous;
      case urdf::Joint::PRISMATIC:
        return RobotJointKind::kPrismatic;
      case urdf::Joint::PLANAR:
        return RobotJointKind::kPlanar;
      case urdf::Joint::FLOATING:
        return RobotJointKind::kFloating;
      default:
        return RobotJointKind::kFixed;
    }
  }

  RobotJoint joint_of(const urdf::Joint& from) {
    const UrdfPlace& place = layout_.joints.at(from.name);
    RobotJoint out;
    out.name = from.name;
    out.kind = kind_of(from);
    out.origin = origin_of(from.parent_to_joint_origin_transform, place);
    if (out.kind != RobotJointKind::kFixed && out.kind != RobotJointKind::kFloating) {
      const Vec3 axis = vector(from.axis, place.line);
      const double length = core::norm(axis);
      if (!(length > core::kLeastLength)) {
        fail(place.line,
             fmt::format("joint {}: its axis has no length", base::in_quotes(from.name)));
      }
      // An axis that is one already keeps its bits.
      out.axis = length == 1.0 ? axis : Vec3{axis.x / length, axis.y / length, axis.z / length};
    }
    if (from.limits != nullptr && has_one_value(out.kind)) {
      out.velocity = number(from.limits->velocity, place.line);
      if (out.kind != RobotJointKind::kContinuous) {
        out.limits = {number(from.limits->lower, place.line),
                      number(from.limits->upper, place.line)};
      }
    }
    return out;
  }

  void set_mimic(std::size_t i) {
    RobotJoint& joint = out_.links[i].joint;
    const auto& from = tree_.joints_.at(joint.name)->mimic;
    if (from == nullptr || joint.kind == RobotJointKind::kFixed) return;
    const std::int64_t line = layout_.joints.at(joint.name).line;
    const auto fault = [&](const char* text) {
      fail(line, fmt::format("joint {} mimics {}, {}", base::in_quotes(joint.name),
                             base::in_quotes(from->joint_name), text));
    };
    const auto leader = tree_.joints_.find(from->joint_name);
    if (leader == tree_.joints_.end()) return fault("which is no joint of the robot");
    if (!has_one_value(joint.kind)) return fault("but has several values itself");
    const std::size_t link = index_.at(leader->second->child_link_name);
    const RobotJointKind kind = out_.links[link].joint.kind;
    if (!has_one_value(kind) && kind != RobotJointKind::kFixed) {
      return fault("which has several values");
    }
    joint.mimic = RobotMimic{link, number(from->multiplier, line), number(from->offset, line)};
  }

  void check_mimic(std::size_t i) {
    std::size_t at = i;
    for (std::size_t steps = 0; out_.links[at].joint.mimic; ++steps) {
      if (steps > out_.links.size()) {
        const std::string& name = out_.links[i].joint.name;
        return fail(layout_.joints.at(name).line,
                    fmt::format("joint {} mimics itself in the end", base::in_quotes(name)));
      }
      at = out_.links[at].joint.mimic->link;
    }
  }

  const urdf::ModelInterface& tree_;
  const UrdfLayout& layout_;
  const std::string& file_;
  Robot out_;
  std::map<std::string, std::size_t> index_;
  std::optional<Error> error_;
};

}  // namespace

Result<Robot> parse_urdf(std::string_view text, const std::string& file) {
  if (text.find('\0') != std::string_view::npos) {
    return base::file_error(file, "has a character with the number 0");
  }
  const auto layout = urdf_layout(text, file);
  if (!layout) return layout.error();
  const auto tree = tree_of(std::string(text), file, *layout);
  if (!tree) return tree.error();
  return Converter(**tree, *layout, file).convert();
}

}  // namespace tocsin::io
