#include "app/check/bodies/held_meshes.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <utility>

#include "base/quoted.h"
#include "base/unique_names.h"
#include "io/shape/animated_file.h"
#include "io/shape/mesh_files.h"
#include "scene/avatar/joint_names.h"

namespace tocsin::app {
namespace {

/// A joint that stands for one of the model; a joint that is only placed is none.
int model_joint(const Binding& binding, const std::string& name, bool folded) {
  for (const BoundJoint& one : binding.joints) {
    const bool same =
        folded ? scene::folded_joint_name(one.model_joint) == scene::folded_joint_name(name)
               : one.model_joint == name;
    if (same && one.note.find("placed") == std::string::npos) return one.joint;
  }
  return -1;
}

Result<int> find_joint(const BoundAvatar& bound, const std::string& name) {
  const Skeleton& skeleton = bound.avatar.skeleton();
  int joint = skeleton.find(name);
  if (joint < 0) joint = model_joint(bound.binding, name, false);
  if (joint >= 0) return joint;
  const scene::JointNames names(skeleton);
  joint = names.find(std::array{name});
  if (joint < 0) joint = model_joint(bound.binding, name, true);
  if (joint >= 0) return joint;
  const std::string near = names.closest(name);
  return Error{ErrorCode::kUsage,
               fmt::format("--hold: the skeleton has no joint {}{}\n  Its {} joints:\n{}",
                           base::in_quotes(name),
                           near.empty() ? "" : fmt::format("; {}?", base::in_quotes(near)),
                           skeleton.size(), names.listing("    "))};
}

/// ':' stands between two names in --ignore.
std::string link_name(const std::string& mesh) {
  std::string out = std::filesystem::path(mesh).stem().string();
  std::replace(out.begin(), out.end(), ':', '_');
  return out.empty() ? "mesh" : out;
}

Result<Shape> held_shape(const HeldMesh& held, io::MeshFiles& files) {
  auto mesh = files.read(held.mesh);
  if (!mesh) return mesh.error();
  auto shape = Shape::mesh(std::move(mesh->corners), std::move(mesh->triangles));
  if (!shape) return Error{shape.error().code, held.mesh + ": " + shape.error().message};
  ShapePlacement at;
  at.translation = held.place.translation;
  at.rotation = held.place.rotation;
  auto placed = shape->placed(at);
  if (!placed) return Error{placed.error().code, held.mesh + ": " + placed.error().message};
  return placed;
}

}  // namespace

Result<Avatar> with_held_meshes(const BoundAvatar& bound, std::vector<HeldMesh>& held,
                                io::InputLog& log, std::vector<std::string>& warnings) {
  std::vector<Link> links;
  io::MeshFiles files(&log);
  for (HeldMesh& one : held) {
    const auto joint = find_joint(bound, one.joint);
    if (!joint) return joint.error();
    one.joint = bound.avatar.skeleton().joints()[static_cast<std::size_t>(*joint)].name;
    auto shape = held_shape(one, files);
    if (!shape) return shape.error();
    if (io::speaks_of_animation(one.mesh)) {
      warnings.push_back(one.mesh +
                         ": its animation is not used: the joint carries what stands in the file");
    }
    links.push_back(link_of_shape(link_name(one.mesh), *joint, std::move(shape).value()));
  }
  std::vector<std::string> known = {};
  for (const Link& link : bound.avatar.links()) known.push_back(link.name);
  std::vector<std::string*> names;
  for (std::string& name : known) names.push_back(&name);
  for (Link& link : links) names.push_back(&link.name);
  base::make_distinct(names);  // the avatar's own are distinct, and stay
  warnings.insert(warnings.end(), files.warnings().begin(), files.warnings().end());
  return bound.avatar.with_links(std::move(links));
}

}  // namespace tocsin::app
